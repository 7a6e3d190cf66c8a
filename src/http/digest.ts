import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A user and its password. */
export interface Login {
  readonly name: string;
  readonly password: string;
}

/** Challenge of one connection: the nonce, and the number of its answers (http_auth.cpp). */
interface Challenge {
  nonce: string;
  counter: number;
}

const REALM = 'monero-rpc';
const FIELD = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,\s*|$)/giy;

/**
 * HTTP digest login as in the reference (http_auth.cpp): MD5 or MD5-sess, one nonce for each connection, counts that go up by one, and a
 * new nonce after anything else. The URI of an answer is not compared with the request's: a proxy before the service may have changed the
 * path.
 */
export class DigestGate {
  readonly #login: Login;
  readonly #challenges = new WeakMap<Socket, Challenge>();

  constructor(login: Login) {
    this.#login = login;
  }

  /** undefined when the request may pass; otherwise the `WWW-Authenticate` headers of a 401. */
  check(request: IncomingMessage): string[] | undefined {
    const challenge = this.#challenges.get(request.socket) ?? { nonce: '', counter: 0 };
    const { authorization } = request.headers;
    let stale = false;
    if (authorization !== undefined) {
      challenge.counter += 1;
      const verdict = this.#verdict(request, readFields(authorization), challenge);
      if (verdict === 'pass') return undefined;
      stale = verdict === 'stale';
    }
    const next = { nonce: randomBytes(16).toString('base64'), counter: 0 };
    this.#challenges.set(request.socket, next);
    const offer = (algorithm: string) =>
      `Digest qop="auth",algorithm=${algorithm},realm="${REALM}",nonce="${next.nonce}",stale=${stale}`;
    return [offer('MD5'), offer('MD5-sess')];
  }

  #verdict(
    request: IncomingMessage,
    fields: ReadonlyMap<string, string> | undefined,
    known: Challenge,
  ): 'pass' | 'stale' | 'fail' {
    if (fields === undefined) return 'fail';
    const field = (name: string) => fields.get(name) ?? '';
    const algorithm = field('algorithm').toUpperCase() || 'MD5';
    // As in the reference, in which only the beginning and the end count.
    if (!algorithm.startsWith('MD5')) return 'fail';
    // The realm is part of the hash, whatever the field says.
    if (field('username') !== this.#login.name) return 'fail';
    const qop = field('qop').toLowerCase();
    if (qop !== '' && qop !== 'auth') return 'fail';
    const answer = this.#answer(request.method ?? '', field, algorithm);
    if (!sameText(answer, field('response').toLowerCase())) return 'fail';
    if (known.nonce === '' || field('nonce') !== known.nonce) return 'stale';
    // The first answer to a challenge may have any count: some clients continue counting from one nonce to the next. The older scheme has
    // no counts: each nonce is valid once.
    const counts = known.counter === 1 || (qop !== '' && Number.parseInt(field('nc'), 16) === known.counter);
    return counts ? 'pass' : 'stale';
  }

  /** `qop` is hashed as it was sent, in any case. */
  #answer(method: string, field: (name: string) => string, algorithm: string): string {
    const { name, password } = this.#login;
    const plain = md5(name, REALM, password);
    const key = algorithm.endsWith('-SESS') ? md5(plain, field('nonce'), field('cnonce')) : plain;
    const what = md5(method, field('uri'));
    if (field('qop') === '') return md5(key, field('nonce'), what);
    return md5(key, field('nonce'), field('nc'), field('cnonce'), field('qop'), what);
  }
}

function readFields(header: string): ReadonlyMap<string, string> | undefined {
  const [, fields] = /^\s*Digest\s*(.*)/is.exec(header) ?? [];
  if (fields === undefined) return undefined;
  return new Map(Array.from(fields.matchAll(FIELD), ([, name, quoted, bare]) => [name!.toLowerCase(), quoted ?? bare ?? '']));
}

const md5 = (...parts: readonly string[]): string => createHash('md5').update(parts.join(':')).digest('hex');

function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
