import type * as v from 'valibot';
import type { JsonInput } from '../base/index.ts';
import { RPC_CODE, type RpcErrorName } from './errors.ts';
import type { FieldShape } from './fields.ts';
import type { Method } from './method.ts';

/** An OpenRPC 1.3 document of the service, made from the table of methods. */
export function openRpcDocument(methods: readonly Method[]): { readonly [name: string]: JsonInput } {
  return {
    openrpc: '1.3.2',
    info: {
      title: 'Nightjar wallet service',
      description: 'JSON-RPC 2.0 at /json_rpc, a drop-in for monero-wallet-rpc 0.18.5.3. Empty arrays are left out of results.',
      version: '1.32',
      license: { name: 'MIT' },
    },
    methods: methods.flatMap((method) => [
      described(method, method.name),
      ...(method.aliases ?? []).map((alias) => described(method, alias)),
    ]),
  };
}

function described(method: Method, name: string): JsonInput {
  const alias = name === method.name ? {} : { description: `The same as ${method.name}.` };
  return {
    name,
    summary: method.summary,
    ...alias,
    tags: [{ name: method.group }, ...(method.restricted === 'denied' ? [{ name: 'not in the restricted service' }] : [])],
    paramStructure: 'by-name',
    params: paramsOf(method.params),
    result: { name: 'result', schema: jsonSchemaOf(method.result) },
    errors: errorsOf(method).map((kind) => ({ code: RPC_CODE[kind], message: kind })),
  };
}

function errorsOf({ needs, restricted, errors = [] }: Method): readonly RpcErrorName[] {
  const found = new Set<RpcErrorName>(['invalidParams', ...errors]);
  if (needs !== 'nothing') found.add('notOpen');
  if (restricted === 'denied') found.add('denied');
  return [...found];
}

function paramsOf(schema: v.GenericSchema): JsonInput {
  const { properties } = jsonSchemaOf(schema) as { readonly properties: { readonly [name: string]: JsonInput } };
  return Object.entries(properties).map(([name, field]) => ({ name, required: false, schema: field }));
}

/** The parts of a schema that are read here. */
interface AnySchema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly item?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly default?: unknown;
  readonly options?: readonly JsonInput[];
  readonly pipe?: readonly (AnySchema & { readonly kind: string; readonly metadata?: { readonly shape?: FieldShape } })[];
}

/** A schema of parameters or results as JSON Schema. @throws Error for a kind of schema that no method uses yet */
export function jsonSchemaOf(schema: v.GenericSchema): { readonly [name: string]: JsonInput } {
  return convert(schema as unknown as AnySchema);
}

function convert(schema: AnySchema): { readonly [name: string]: JsonInput } {
  const shape = schema.pipe?.find(({ metadata }) => metadata?.shape !== undefined)?.metadata?.shape;
  if (shape !== undefined) return { ...shape };
  const last = schema.pipe?.filter(({ kind }) => kind === 'schema').at(-1);
  if (last !== undefined && last.type !== schema.type) return convert(last);
  switch (schema.type) {
    case 'nullish':
    case 'optional':
      return { ...convert(schema.wrapped!), ...defaultOf(schema.default) };
    case 'object':
    case 'loose_object':
      return objectOf(schema.entries ?? {});
    case 'array':
      return { type: 'array', items: convert(schema.item!) };
    case 'picklist':
      return { type: 'string', enum: schema.options ?? [] };
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
    case 'bigint':
      return { type: 'integer', minimum: 0 };
    default:
      throw new Error(`expected a schema that a document can show, got ${schema.type}`);
  }
}

function defaultOf(value: unknown): { readonly default?: JsonInput } {
  return ['number', 'bigint', 'string', 'boolean'].includes(typeof value) ? { default: value as JsonInput } : {};
}

/** Fields that a client or the service may omit are not required; lists are omitted when empty. */
function objectOf(entries: Readonly<Record<string, AnySchema>>): { readonly [name: string]: JsonInput } {
  const fields = Object.entries(entries);
  const required = fields.filter(([, { type }]) => !['nullish', 'optional', 'array'].includes(type)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, convert(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}
