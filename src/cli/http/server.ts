import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isJsonObject, readUrl } from '../../base/index.ts';
import { DevnetError, type Faucet, MAX_REQUEST_BYTES } from '../../devnet/index.ts';
import { contentType, findForeignRequest, readBody } from '../../http/index.ts';
import type { Network } from '../../protocol/index.ts';
import { type Answer, errorAnswer, GatewayError, jsonAnswer, send } from './answer.ts';
import type { PageFiles } from './files.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { checkBody, checkCall, JSON_TYPE, readJson, requirePost } from './policy.ts';
import type { Upstream, UpstreamReply } from './upstream.ts';

/** Parts of the local server. */
export interface Site {
  readonly network: Network;
  /** Whether a daemon's claim to be regtest is accepted: it is on this machine, or the person named regtest. */
  readonly regtest: boolean;
  readonly upstream: Upstream;
  /** Absent if something else serves the page. */
  readonly files?: PageFiles;
  /** Only with a devnet. */
  readonly faucet?: Faucet;
}

const GATEWAY = '/daemon';
/** Far more than an address with its quotes. */
const MAX_FAUCET_BYTES = 1024;

async function bodyOf(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const body = await readBody(request, limit);
  if (body === undefined) throw new GatewayError('too-large', `expected a body of at most ${limit} bytes`);
  return body;
}

async function passOn(site: Site, request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  checkCall(request, path);
  const body = checkBody(path, await bodyOf(request, MAX_REQUEST_BYTES));
  deliver(request, response, await site.upstream.call(path, contentType(request), body));
}

function deliver(request: IncomingMessage, response: ServerResponse, { status, type, body, length }: UpstreamReply): void {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  if (body instanceof Uint8Array) {
    send(request, response, { status, headers, body });
    return;
  }
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers, ...(length === undefined ? {} : { 'Content-Length': length }) });
  // When the daemon's reply is cut off, so is this one: half a reply must not look complete.
  body.once('aborted', () => response.destroy());
  body.once('error', () => response.destroy());
  response.once('close', () => body.destroy());
  body.pipe(response);
}

function addressIn(body: Uint8Array): string {
  const value = readJson(body, 'JSON');
  const address = isJsonObject(value) ? value.address : undefined;
  if (typeof address !== 'string') throw new GatewayError('malformed', 'expected {"address": "…"}');
  return address;
}

async function giveCoins(site: Site, request: IncomingMessage): Promise<Answer> {
  if (site.faucet === undefined) throw new GatewayError('not-found', 'there is no faucet: this is no devnet');
  requirePost(request, JSON_TYPE);
  const address = addressIn(await bodyOf(request, MAX_FAUCET_BYTES));
  try {
    return jsonAnswer({ tx_hash: site.faucet.give(address) });
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    throw new GatewayError(error.code === 'bad-address' ? 'bad-address' : 'no-coins', error.message);
  }
}

function page(site: Site, request: IncomingMessage, path: string): Answer {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new GatewayError('method-not-allowed', 'expected GET');
  if (path === '/nightjar.json') {
    const daemon = { url: GATEWAY, kind: site.upstream.kind };
    return jsonAnswer({ network: site.network, regtest: site.regtest, daemon, faucet: site.faucet !== undefined });
  }
  const { 'accept-encoding': encodings, 'if-none-match': etag } = request.headers;
  const found = site.files?.answer(path, typeof encodings === 'string' ? encodings : '', etag);
  if (found === undefined) throw new GatewayError('not-found', 'there is nothing here');
  return found;
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const parsed = url.startsWith('/') ? readUrl(url, 'http://local') : undefined;
  if (parsed === undefined) throw new GatewayError('malformed', 'expected a path');
  return parsed.pathname;
}

async function handle(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const finding = findForeignRequest(request, request.socket.localPort ?? 0);
  const path = pathOf(request);
  const isCall = path.startsWith(`${GATEWAY}/`) || path === '/faucet';
  // A link from another page may open the wallet; only this page may make calls.
  if (finding === 'wrong-host') throw new GatewayError(finding, 'expected the name of this machine in the Host header');
  if (finding === 'foreign-origin' && (isCall || request.method !== 'GET' || request.headers.origin !== undefined)) {
    throw new GatewayError(finding, 'expected a request of this page');
  }
  if (path.startsWith(`${GATEWAY}/`)) return passOn(site, request, response, path.slice(GATEWAY.length));
  send(request, response, path === '/faucet' ? await giveCoins(site, request) : page(site, request, path));
}

/** The page, the gateway to the daemon, and the faucet, on one origin. */
export function createSiteServer(site: Site): Server {
  const server = createServer((request, response) => {
    handle(site, request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      if (error instanceof GatewayError) return send(request, response, errorAnswer(error));
      process.emitWarning(error instanceof Error ? error : String(error));
      send(request, response, { status: 500, headers: {}, body: Buffer.alloc(0) });
    });
  });
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  return server;
}
