import { asArray, asBoolean, asObject, asText, type JsonValue, parseJsonBytes, readAtMost } from '../base/index.ts';
import { addressInRecord, dnsName } from './record.ts';

/** Options of {@link aliasResolver}. */
export interface ResolverOptions {
  /** A DNS-over-HTTPS service that speaks JSON, such as `https://cloudflare-dns.com/dns-query`. It learns the requested names. */
  readonly url: string;
  readonly fetch?: typeof fetch;
  /** Milliseconds that an answer may take. */
  readonly timeout?: number;
}

/** Answer for an OpenAlias name. */
export interface AliasAnswer {
  /** Whether the service answered at all: false also for an invalid name. */
  readonly answered: boolean;
  /** Whether the answer was verified with DNSSEC. */
  readonly verified: boolean;
  /** Whether a record held an address, verified or not. */
  readonly found: boolean;
  /** The address of the name; only from a verified answer. */
  readonly address: string | undefined;
}

/** Looks up an OpenAlias name. */
export type AliasResolver = (alias: string) => Promise<AliasAnswer>;

/** Answer for an invalid name, and for a resolver that failed or sent something other than DNS records. */
const NOTHING: AliasAnswer = { answered: false, verified: false, found: false, address: undefined };

const TXT = 16;
const NO_ERROR = 0;
const MAX_ANSWER = 64 * 1024;
const TIMEOUT = 10_000;

/**
 * Looks up OpenAlias names over HTTPS. Only answers that the service has verified with DNSSEC count: otherwise anyone on the network path
 * could replace the address.
 * @throws TypeError for a URL that is not `https:`
 */
export function aliasResolver({ url, fetch: ask = fetch, timeout = TIMEOUT }: ResolverOptions): AliasResolver {
  const service = new URL(url);
  if (service.protocol !== 'https:') throw new TypeError('expected an https: URL of a DNS service');
  return async (alias) => {
    const name = dnsName(alias);
    if (name === undefined) return NOTHING;
    const query = new URL(service);
    query.search = String(new URLSearchParams({ name, type: 'TXT', do: 'true' }));
    const request = {
      headers: { accept: 'application/dns-json' },
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    } as const;
    try {
      const answer = await ask(query, { ...request, signal: AbortSignal.timeout(timeout) });
      return answer.ok ? readAnswer(parseJsonBytes(await readAtMost(answer, MAX_ANSWER))) : NOTHING;
    } catch {
      return NOTHING;
    }
  };
}

/** The first address among the records. */
function readAnswer(answer: JsonValue): AliasAnswer {
  const { Status, AD, Answer } = asObject(answer);
  const verified = asBoolean(AD ?? false);
  const entries = Status === NO_ERROR ? asArray(Answer ?? []) : [];
  const addresses = entries.map((entry) => {
    const { type, data } = asObject(entry);
    return type === TXT ? addressInRecord(recordText(asText(data))) : undefined;
  });
  const first = addresses.find((address) => address !== undefined);
  return { answered: true, verified, found: first !== undefined, address: verified ? first : undefined };
}

/** A record comes in quoted pieces, or unquoted. */
function recordText(data: string): string {
  // The last quote may be missing: searching for it again from each earlier one would take quadratic time.
  const pieces = [...data.matchAll(/"((?:[^"\\]|\\.)*)(?:"|$)/g)].map(([, piece]) => piece!);
  return (pieces.length === 0 ? data : pieces.join('')).replace(/\\(.)/g, '$1');
}
