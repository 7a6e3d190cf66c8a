import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Random } from '../../crypto/index.ts';
import { DaemonError } from '../errors.ts';

/** Challenge in a daemon's `WWW-Authenticate` header, as far as it is used. */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** `auth`, or undefined for the scheme of RFC 2069. */
  readonly qop: 'auth' | undefined;
  /** The answer was right, but for an expired nonce. */
  readonly stale: boolean;
}

const FIELD = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*,?\s*/giy;

/**
 * Extracts the MD5 challenge from the header. Browsers and Node join several headers with commas, so the text may contain several
 * challenges. The reference offers MD5 and MD5-sess (http_auth.cpp); we use plain MD5.
 */
export function parseChallenge(header: string): DigestChallenge | undefined {
  for (const part of header.split(/(?:^|,\s*)Digest\s+/i).slice(1)) {
    const fields = parseFields(part);
    const algorithm = fields.get('algorithm') ?? 'MD5';
    const nonce = fields.get('nonce');
    const qops = fields.get('qop')?.split(/[\s,]+/);
    if (algorithm.toUpperCase() !== 'MD5' || nonce === undefined) continue;
    if (qops !== undefined && !qops.includes('auth')) continue;
    return {
      realm: fields.get('realm') ?? '',
      nonce,
      opaque: fields.get('opaque'),
      qop: qops === undefined ? undefined : 'auth',
      stale: fields.get('stale')?.toLowerCase() === 'true',
    };
  }
  return undefined;
}

const parseFields = (text: string): ReadonlyMap<string, string> =>
  new Map(Array.from(text.matchAll(FIELD), ([, name, quotedText, bare]) => [name!.toLowerCase(), quotedText ?? bare ?? '']));

function digest(...parts: readonly string[]): string {
  return bytesToHex(md5(utf8ToBytes(parts.join(':'))));
}

function quoted(text: string): string {
  if (/["\\\r\n]/.test(text)) throw new DaemonError('login-refused', 'expected a name without quotes, backslashes and line ends');
  return `"${text}"`;
}

/**
 * One login: a daemon's nonce and the count of its uses. The reference binds the nonce to the connection and requires each count to be the
 * last plus one, so requests are sent one by one and a new challenge starts again at 1.
 */
export class DigestLogin {
  readonly #username: string;
  readonly #password: string;
  readonly #random: Random;
  #challenge: DigestChallenge | undefined;
  #count = 0;

  constructor(username: string, password: string, random: Random) {
    this.#username = username;
    this.#password = password;
    this.#random = random;
  }

  /**
   * Takes the challenge of a 401 answer; returns whether it followed an answer to the last one, and whether only because that was stale.
   * @throws DaemonError `login-refused` when it offers nothing we support
   */
  accept(header: string | null): { readonly answered: boolean; readonly stale: boolean } {
    const challenge = header === null ? undefined : parseChallenge(header);
    if (challenge === undefined) {
      throw new DaemonError('login-refused', 'expected the daemon to offer digest login with MD5; nothing else is spoken here');
    }
    const answered = this.#challenge !== undefined;
    this.#challenge = challenge;
    this.#count = 0;
    return { answered, stale: challenge.stale };
  }

  /** The `Authorization` header of the next request, or undefined before the first challenge. `uri` is path and query. */
  authorize(method: string, uri: string): string | undefined {
    const challenge = this.#challenge;
    if (challenge === undefined) return undefined;
    this.#count++;
    const a1 = digest(this.#username, challenge.realm, this.#password);
    const a2 = digest(method, uri);
    const fields = [
      'algorithm=MD5',
      `nonce=${quoted(challenge.nonce)}`,
      `realm=${quoted(challenge.realm)}`,
      `uri=${quoted(uri)}`,
      `username=${quoted(this.#username)}`,
    ];
    if (challenge.opaque !== undefined) fields.push(`opaque=${quoted(challenge.opaque)}`);
    if (challenge.qop === undefined) {
      fields.push(`response=${quoted(digest(a1, challenge.nonce, a2))}`);
    } else {
      const nc = this.#count.toString(16).padStart(8, '0');
      const cnonce = bytesToHex(this.#random.bytes(8));
      fields.push(`response=${quoted(digest(a1, challenge.nonce, nc, cnonce, 'auth', a2))}`);
      fields.push('qop=auth', `nc=${nc}`, `cnonce=${quoted(cnonce)}`);
    }
    return `Digest ${fields.join(',')}`;
  }
}
