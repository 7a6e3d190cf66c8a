import type { IncomingMessage, ServerResponse } from 'node:http';
import { CodedError, stringifyJson } from '../../base/index.ts';
import { SECURITY_HEADERS } from './headers.ts';

/** HTTP status of each refusal by its code, which is the contract; the text is for people. */
const STATUS = {
  'wrong-host': 421,
  'foreign-origin': 403,
  'method-not-allowed': 405,
  'forbidden-path': 403,
  'forbidden-method': 403,
  'wrong-content-type': 415,
  malformed: 400,
  'too-large': 413,
  'not-found': 404,
  'daemon-unreachable': 502,
  'daemon-timeout': 504,
  // As the daemon itself answers, so that the page asks for the login; without a challenge, which is not for the page.
  'daemon-login': 401,
  'bad-address': 400,
  'no-coins': 503,
} as const;

/** Why a request was refused. */
export type GatewayErrorCode = keyof typeof STATUS;

/** A request that cannot be served. */
export class GatewayError extends CodedError<GatewayErrorCode> {
  override readonly name = 'GatewayError';
}

/** A complete answer of the gateway. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends a complete answer, with the headers that all have; to `HEAD` without its body. */
export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** A value as JSON that must not be cached. */
export function jsonAnswer(value: Parameters<typeof stringifyJson>[0], status = 200): Answer {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return { status, headers, body: Buffer.from(stringifyJson(value)) };
}

/** A failure as JSON, `{ error: { code, message } }`, under the HTTP status of its code. */
export function errorAnswer(error: GatewayError): Answer {
  const answer = jsonAnswer({ error: { code: error.code, message: error.message } }, STATUS[error.code]);
  // The rest of a body that is too large is not read.
  return error.code === 'too-large' ? { ...answer, headers: { ...answer.headers, Connection: 'close' } } : answer;
}
