import { request } from 'node:http';
import { parseJson, stringifyJson } from '../../src/base/index.ts';
import { type Comparable, comparable } from './rpc-both.ts';

/** The reply to one HTTP request. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface WireRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** One HTTP request on a separate connection. */
export function send(
  url: string,
  { method = 'POST', path = '/json_rpc', headers = {}, body = '' }: WireRequest,
): Promise<WireReply> {
  const { hostname, port } = new URL(url);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return new Promise((done, fail) => {
    const sent = request(
      {
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        method,
        path,
        agent: false,
        headers: { ...headers, 'Content-Length': bytes.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    sent.on('error', fail);
    sent.end(bytes);
  });
}

/** The whole reply to a raw JSON-RPC body. */
export async function answerTo(url: string, body: string): Promise<Comparable> {
  const reply = await send(url, { body });
  if (reply.status !== 200) return { status: String(reply.status) };
  return comparable(parseJson(reply.body));
}

/** Result or error of a call. */
export async function callOver(url: string, method: string, params: unknown): Promise<Comparable> {
  const answer = await answerTo(url, stringifyJson({ jsonrpc: '2.0', id: '0', method, params: params as never }));
  const { result, error } = answer as { readonly result?: Comparable; readonly error?: Comparable };
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return error ?? result ?? answer;
  // Only our errors have a cause, in `data`.
  return Object.fromEntries(Object.entries(error).filter(([name]) => name !== 'data'));
}
