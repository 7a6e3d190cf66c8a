import { hexToBytes, U64_MAX } from '../../base/index.ts';
import type { RpcContext } from './context.ts';
import { type EpeeSection, type EpeeValue, isInteger, isList, isSection } from './epee-json.ts';
import type { Reply } from './reply.ts';

/** A parameter has the wrong type: JSON-RPC error −32602, HTTP 400 on a path call. */
export class ParamsError extends Error {
  override readonly name = 'ParamsError';
}

/** The reference aborts a call: HTTP 500 and nothing else. */
export class AbortedCall extends Error {
  override readonly name = 'AbortedCall';
}

/** Codes of core_rpc_server_error_codes.h. */
const RPC_CODE = {
  /** The reference fails without a message. */
  nothing: 0,
  wrongParam: -1,
  tooBigHeight: -2,
  tooBigReserveSize: -3,
  wrongWalletAddress: -4,
  internalError: -5,
  wrongBlockblob: -6,
  blockNotAccepted: -7,
  miningToSubaddress: -12,
  regtestRequired: -13,
  restricted: -19,
  paymentsNotEnabled: -21,
} as const;

/** An answer that is an error object of JSON-RPC, with the reference's code. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(kind: keyof typeof RPC_CODE, message: string) {
    super(message);
    this.code = RPC_CODE[kind];
  }
}

/** Reads a field of a request. @throws ParamsError when it has another type: nothing is converted */
type Field<T> = (value: EpeeValue | undefined, name: string) => T;
/** A call's parameters by name, each with its reader and default value. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
/** Parameters of a call, by field name. */
export type ParamsOf<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> };

/**
 * Reads the fields of a request. All known ones are read before the call is answered, as in the reference: one of a wrong type fails the
 * request, a missing one has its default.
 * @throws ParamsError
 */
export function readParams<F extends Fields>(section: EpeeSection | undefined, fields: F): ParamsOf<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(section?.get(name), name)])) as ParamsOf<F>;
}

/** @param read converts a value; undefined for one of another type */
function field<T>(read: (value: EpeeValue) => T | undefined, fallback: T): Field<T> {
  return (value, name) => {
    if (value === undefined) return fallback;
    const known = read(value);
    if (known === undefined) throw new ParamsError(`expected "${name}" to be of the type that the call has for it`);
    return known;
  };
}

function integer(least: bigint, most: bigint): (value: EpeeValue) => bigint | undefined {
  return (value) => (isInteger(value) && value.integer >= least && value.integer <= most ? value.integer : undefined);
}

function number(least: bigint, most: bigint): Field<number> {
  const read = field(integer(least, most), 0n);
  return (value, name) => Number(read(value, name));
}

// Types of fields, most by their names in the reference.
/** 0 … 255, and 0 when missing; the others likewise, each in the range of its type. @throws ParamsError for a number outside of it */
export const u8 = number(0n, 0xffn);
export const u32 = number(0n, 0xffff_ffffn);
export const i8 = number(-0x80n, 0x7fn);
export const i64 = number(-(1n << 63n), (1n << 63n) - 1n);
export const u64 = field(integer(0n, U64_MAX), 0n);
/** A `u64` as a number: beyond 2^53 it is rounded, but stays above every height, count and size. */
export const count = number(0n, U64_MAX);
export const text = field((value) => (typeof value === 'string' ? value : undefined), '');
const truth = (missing: boolean) => field((value) => (typeof value === 'boolean' ? value : undefined), missing);
export const flag = truth(false);
/** A flag that is true when it is missing. */
export const flagTrueByDefault = truth(true);

/** A list; anything else counts as an empty one. */
export function listOf<T>(item: Field<T>): Field<readonly T[]> {
  return (value, name) => (isList(value) ? value : []).map((one) => item(one, name));
}

/** Like {@link listOf}, for objects with these fields. */
export function objects<F extends Fields>(fields: F): Field<readonly ParamsOf<F>[]> {
  return (value) => (isList(value) ? value.filter(isSection) : []).map((item) => readParams(item, fields));
}

type Outcome = Reply | string | Promise<string>;

/** How a call is answered: its fields, and a function of them. */
export interface Method {
  readonly fields: Fields;
  readonly answer: (context: RpcContext, params: never) => Outcome;
}

/** Defines a call: the parameters it reads, and its answer. An error that it throws becomes the reply. */
export const method = <F extends Fields>(fields: F, answer: (context: RpcContext, params: ParamsOf<F>) => Outcome) => ({
  fields,
  answer,
});

/** Bytes of a hex text, undefined when it is invalid. */
export function fromHex(text: string): Uint8Array | undefined {
  try {
    return hexToBytes(text.toLowerCase());
  } catch {
    return undefined;
  }
}

/** 64 hex digits in lower case; undefined for anything else. */
export function hash32(text: string): string | undefined {
  return /^[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined;
}
