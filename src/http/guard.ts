import type { IncomingMessage } from 'node:http';

/**
 * Keeps web pages of others away from a service on loopback (T15). A page can make a browser send requests anywhere: a foreign page is
 * recognised by its `Origin`, and a foreign name that resolves to this machine by its `Host`.
 */

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Why a request is refused: the `Host` is not ours, or the `Origin` is a page that is not allowed. */
export type ForeignRequest = 'wrong-host' | 'foreign-origin';

/**
 * Whether the `Host` header names this service. The reference's programs omit the port, which is allowed: what matters is that no foreign
 * name leads here.
 * @param port on which the service listens
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  return LOOPBACK_NAMES.some((name) => host.toLowerCase() === name || host.toLowerCase() === `${name}:${port}`);
}

/**
 * Finds a request that must not be served. Programs send no `Origin`; browsers send it with every POST, and say in `Sec-Fetch-Site` where a
 * request comes from.
 * @param origins further allowed origins, such as `https://wallet.example`
 */
export function findForeignRequest(
  request: IncomingMessage,
  port: number,
  origins: readonly string[] = [],
): ForeignRequest | undefined {
  const { host, origin } = request.headers;
  if (!isOwnHost(host, port)) return 'wrong-host';
  if (origin !== undefined) return origin === `http://${host}` || origins.includes(origin) ? undefined : 'foreign-origin';
  return isFromOtherSite(request) ? 'foreign-origin' : undefined;
}

/** Whether the browser says that a page of another site sends this: forms and images have no `Origin`. */
export function isFromOtherSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether pages of an origin are allowed. @param origins the allowed ones; `*` for all */
export const isAllowed = (origins: readonly string[], origin: string): boolean =>
  origins.includes('*') || origins.includes(origin);

/**
 * CORS headers that let a page of another origin read the answer, as the reference sends them (http_protocol_handler.inl); none if the
 * origin is not allowed.
 */
export function crossOriginHeaders({ headers, method }: IncomingMessage, origins: readonly string[]): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined || !isAllowed(origins, origin)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'www-authenticate',
    'Access-Control-Allow-Methods': 'POST, PUT, GET, OPTIONS',
    ...(method === 'OPTIONS' ? { 'Access-Control-Allow-Headers': 'Content-Type, Authorization, X-Requested-With' } : {}),
    Vary: 'Origin',
  };
}

/** The media type of a request's body, without its parameters. */
export function contentType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}
