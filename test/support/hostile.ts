import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonInput, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../src/base/index.ts';
import { decodePortableStorage, encodePortableStorage, type StorageEntry, StorageObject } from '../../src/protocol/index.ts';

/** A client's request, as seen by the proxy. */
export interface Asked {
  /** As `/get_outs.bin`. */
  readonly path: string;
  /** Method of a JSON-RPC call, else undefined. */
  readonly rpc: string | undefined;
  readonly body: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Handles one exchange. `forward` asks the real daemon; the answer is whatever is written to `response`. */
export type Lie = (asked: Asked, forward: () => Promise<Answer>, response: ServerResponse) => Promise<void> | void;

/**
 * A proxy in front of a real daemon that passes everything through until told to lie. A call is named by its path (`/get_outs.bin`), by its
 * JSON-RPC method (`get_fee_estimate`), or by `*`. The latest matching lie wins.
 */
export interface HostileProxy {
  readonly url: string;
  readonly port: number;
  /** All requests so far, in order. */
  readonly asked: readonly Asked[];
  /** Lies about a call, `times` times or until removed. Returns a function that removes the lie. */
  lie(call: string, how: Lie, times?: number): () => void;
  /** Removes all lies. */
  honest(): void;
  /** From now on no connection is accepted and open ones are cut, as if the daemon went away; `comeBack` undoes it. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

interface Rule {
  readonly call: string;
  readonly how: Lie;
  left: number;
}

/** Starts a proxy in front of the daemon at a base URL (`http://127.0.0.1:port`). */
export async function startHostileProxy(upstream: string): Promise<HostileProxy> {
  const asked: Asked[] = [];
  let rules: Rule[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await readAll(incoming);
    const path = incoming.url ?? '/';
    const call = { path, rpc: path === '/json_rpc' ? rpcMethod(body) : undefined, body };
    asked.push(call);
    const forward = () => ask(upstream, incoming, body);
    const rule = rules.findLast(({ call: name, left }) => left > 0 && (name === '*' || name === path || name === call.rpc));
    if (rule === undefined) return send(response, await forward());
    rule.left--;
    await rule.how(call, forward, response);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    lie(call, how, times = Number.POSITIVE_INFINITY) {
      const rule = { call, how, left: times };
      rules.push(rule);
      return () => {
        rules = rules.filter((other) => other !== rule);
      };
    },
    honest() {
      rules = [];
    },
    goAway: close,
    comeBack: () => listen(port),
    stop: close,
  };
}

/** Cuts the body after some bytes and ends the connection, although the header announced all of it. */
export const truncate =
  (bytes: number): Lie =>
  async (_asked, forward, response) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'Content-Length': body.length });
    response.write(body.subarray(0, bytes), () => response.destroy());
  };

/** Cuts the body after some bytes, and the header announces only those. */
export const cutShort = (bytes: number): Lie => changeBytes((body) => body.subarray(0, bytes));

/** Endless bytes after the true answer, in chunks, without a length. `ended` is called once the client has closed the connection. */
export function oversize(ended: () => void = () => undefined): Lie {
  return async (_asked, forward, response) => {
    const { status, body } = await forward();
    response.writeHead(status, { 'Content-Type': 'application/octet-stream' });
    response.write(body);
    const filler = new Uint8Array(1 << 20).fill(0x20);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    while (!response.destroyed) {
      if (!response.write(filler)) await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    }
    ended();
  };
}

/** The true answer, announced with this length. */
export const announce =
  (length: number): Lie =>
  async (_asked, forward, response) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'Content-Length': length });
    response.write(body);
  };

/** One byte at a time, at intervals of some milliseconds (a slow loris). */
export const drip =
  (interval: number): Lie =>
  async (_asked, forward, response) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'Content-Length': body.length });
    let at = 0;
    const timer = setInterval(() => {
      if (at === body.length) {
        clearInterval(timer);
        response.end();
      } else response.write(body.subarray(at, ++at));
    }, interval);
    response.once('close', () => clearInterval(timer));
  };

/** No answer, and the connection stays open. */
export const hang: Lie = () => undefined;

/** No answer, and the connection is cut. */
export const drop: Lie = (_asked, _forward, response) => {
  response.destroy();
};

/** Another HTTP status with an empty body. */
export const httpStatus =
  (status: number): Lie =>
  (_asked, _forward, response) => {
    response.writeHead(status, { 'Content-Length': 0 }).end();
  };

/** The daemon handles the request, and the answer is lost on the way: what was sent may have arrived. */
export const loseAnswer: Lie = async (_asked, forward, response) => {
  await forward();
  response.destroy();
};

/** The bytes of the true answer, changed. */
export const changeBytes =
  (change: (body: Uint8Array) => Uint8Array): Lie =>
  async (_asked, forward, response) => {
    const answer = await forward();
    send(response, { ...answer, body: change(answer.body) });
  };

/** The JSON of the true answer, changed: for JSON-RPC its `result`. */
export const changeJson = (change: (value: JsonObject) => JsonInput): Lie =>
  changeBytes((body) => {
    const whole = parseJson(new TextDecoder().decode(body)) as JsonObject;
    const changed: JsonInput =
      whole.jsonrpc === undefined ? change(whole) : { ...whole, result: change(whole.result as JsonObject) as JsonValue };
    return new TextEncoder().encode(stringifyJson(changed));
  });

/** The fields of a portable storage answer, changed in place. */
export const changeStorage = (change: (fields: Map<string, StorageEntry>) => void): Lie =>
  changeBytes((body) => {
    const fields = new Map(decodePortableStorage(body).entries);
    change(fields);
    return encodePortableStorage(new StorageObject(fields));
  });

/** Changes each object of an array of objects inside {@link changeStorage}. */
export function changeObjects(
  fields: Map<string, StorageEntry>,
  name: string,
  change: (item: Map<string, StorageEntry>, position: number) => void,
): void {
  const entry = fields.get(name);
  if (entry?.type !== 'array' || entry.value.of !== 'object') throw new Error(`expected ${name} to be an array of objects`);
  const items = entry.value.items.map((item, position) => {
    const inner = new Map(item.entries);
    change(inner, position);
    return new StorageObject(inner);
  });
  fields.set(name, { type: 'array', value: { of: 'object', items } });
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'Content-Length': body.length });
  response.end(body);
}

const PASSED_ON = ['content-type', 'authorization', 'www-authenticate'];

function ask(upstream: string, incoming: IncomingMessage, body: Uint8Array): Promise<Answer> {
  const headers: Record<string, string> = { 'content-length': String(body.length), ...pick(incoming.headers) };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${upstream}${incoming.url}`, { method: incoming.method, headers, agent: false }, (answer) => {
      readAll(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: pick(answer.headers), body: bytes }),
        reject,
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function pick(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (PASSED_ON.includes(name) ? [[name, String(value)]] : [])),
  );
}

async function readAll(stream: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

function rpcMethod(body: Uint8Array): string | undefined {
  try {
    const { method } = parseJson(new TextDecoder().decode(body)) as JsonObject;
    return typeof method === 'string' ? method : undefined;
  } catch {
    return undefined;
  }
}
