import { Agent, request } from 'node:http';
import { type JsonInput, parseJson, stringifyJson } from '../../src/base/index.ts';

/** A JSON-RPC error object, or a path call whose `status` was not "OK". */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CallOptions {
  /** Also return answers whose `status` is not "OK". */
  readonly anyStatus?: boolean;
  /** Milliseconds; three minutes if absent (many RandomX blocks, a long refresh). */
  readonly timeout?: number;
}

/** Any integer of an answer as a bigint: small ones arrive as numbers, large ones as bigint already. */
export function toBigint(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new TypeError(`expected an integer, got ${typeof value}`);
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * One request per connection, always with Content-Length (epee ignores chunked bodies). It does not ask for the connection to be closed: epee then
 * truncates one in a hundred long replies.
 */
export function post(url: string, body: string | Uint8Array, type: string, timeout = 180_000): Promise<HttpAnswer> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const agent = new Agent({ keepAlive: true });
  return new Promise<HttpAnswer>((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, timeout, headers: { 'Content-Type': type, 'Content-Length': bytes.length } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }));
      },
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer from ${url} in ${timeout} ms`)));
    outgoing.once('error', reject);
    outgoing.end(bytes);
  }).finally(() => agent.destroy());
}

async function postJson(url: string, body: unknown, options: CallOptions): Promise<unknown> {
  const answer = await post(url, stringifyJson(body as JsonInput), 'application/json', options.timeout);
  if (answer.status !== 200) throw new RpcFailure(answer.status, `HTTP ${answer.status} from ${url}`);
  return parseJson(new TextDecoder('utf-8').decode(answer.body));
}

function checkStatus(what: string, value: unknown, options: CallOptions): void {
  const status = (value as { status?: unknown } | null | undefined)?.status;
  if (status !== undefined && status !== 'OK' && !options.anyStatus) {
    throw new RpcFailure(0, `${what}: status ${String(status)}`);
  }
}

/** @throws RpcFailure on an error object or a `status` other than "OK" */
export async function callRpc<T>(base: string, method: string, params: unknown, options: CallOptions = {}): Promise<T> {
  const body = { jsonrpc: '2.0', id: '0', method, ...(params === undefined ? {} : { params }) };
  const reply = (await postJson(`${base}/json_rpc`, body, options)) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (reply.error) throw new RpcFailure(reply.error.code, `${method}: ${reply.error.message}`);
  checkStatus(method, reply.result, options);
  return reply.result as T;
}

/** @throws RpcFailure on an HTTP status other than 200 or a `status` other than "OK" */
export async function callPath<T>(base: string, name: string, body: unknown, options: CallOptions = {}): Promise<T> {
  const reply = await postJson(`${base}/${name}`, body ?? {}, options);
  checkStatus(name, reply, options);
  return reply as T;
}
