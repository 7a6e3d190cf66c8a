import { asArray, asBoolean, asObject, asText, type JsonValue, parseJsonBytes } from '../protocol/index.ts';
import { addressInRecord, dnsName } from './record.ts';

export interface ResolverOptions {
  /** A DNS-over-HTTPS service that speaks JSON, such as `https://cloudflare-dns.com/dns-query`. It learns the names asked for. */
  readonly url: string;
  readonly fetch?: typeof fetch;
  /** Milliseconds that an answer may take. */
  readonly timeout?: number;
}

/** An address by its OpenAlias name; undefined when there is none that can be believed. */
export type AliasResolver = (alias: string) => Promise<string | undefined>;

const TXT = 16;
const NO_ERROR = 0;
const MAX_ANSWER = 64 * 1024;
const TIMEOUT = 10_000;

/**
 * Looks OpenAlias names up over HTTPS. Only answers that the service has verified with DNSSEC count: the name would
 * otherwise be as good as whoever stands on the way to it.
 * @throws TypeError for a URL that is not `https:`
 */
export function aliasResolver({ url, fetch: ask = fetch, timeout = TIMEOUT }: ResolverOptions): AliasResolver {
  const service = new URL(url);
  if (service.protocol !== 'https:') throw new TypeError('expected an https: URL of a DNS service');
  return async (alias) => {
    const name = dnsName(alias);
    if (name === undefined) return undefined;
    const asked = new URL(service);
    asked.search = String(new URLSearchParams({ name, type: 'TXT', do: 'true' }));
    const request = {
      headers: { accept: 'application/dns-json' },
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    } as const;
    try {
      const answer = await ask(asked, { ...request, signal: AbortSignal.timeout(timeout) });
      if (!answer.ok) return undefined;
      return addressInAnswer(parseJsonBytes(await limited(answer)));
    } catch {
      return undefined;
    }
  };
}

/** The first address among the records of a verified answer. */
function addressInAnswer(answer: JsonValue): string | undefined {
  const { Status, AD, Answer } = asObject(answer);
  if (Status !== NO_ERROR || !asBoolean(AD ?? false)) return undefined;
  for (const entry of asArray(Answer ?? [])) {
    const { type, data } = asObject(entry);
    const address = type === TXT ? addressInRecord(recordText(asText(data))) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

/** A record comes in pieces in quotation marks, or bare. */
function recordText(data: string): string {
  const pieces = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece!);
  return (pieces.length === 0 ? data : pieces.join('')).replace(/\\(.)/g, '$1');
}

async function limited(answer: Response): Promise<Uint8Array> {
  const reader = answer.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    length += part.value.length;
    if (length > MAX_ANSWER) {
      await reader?.cancel();
      throw new RangeError(`expected an answer of at most ${MAX_ANSWER} bytes`);
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
