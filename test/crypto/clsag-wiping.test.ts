import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as crypto from '../../src/crypto/index.ts';
import { seededRandom } from './seeded.ts';

const nonces: Uint8Array[] = vi.hoisted(() => []);

vi.mock('../../src/crypto/random.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../src/crypto/random.ts')>();
  const hedgedScalar: typeof actual.hedgedScalar = (random, domain, ...inputs) => {
    const nonce = actual.hedgedScalar(random, domain, ...inputs);
    if (domain === 'CLSAG') nonces.push(nonce);
    return nonce;
  };
  return { ...actual, hedgedScalar };
});

beforeAll(crypto.loadCrypto);
beforeEach(() => void nonces.splice(0));

function request() {
  const random = seededRandom(3);
  const [secret, mask, pseudoMask] = [0, 1, 2].map(() => crypto.randomScalar(random)) as [Uint8Array, Uint8Array, Uint8Array];
  const ring = [{ key: crypto.scalarMulBase(secret), commitment: crypto.commit(5n, mask) }];
  const message = crypto.keccak256(Uint8Array.of(1));
  return { message, ring, index: 0, secret, mask, pseudoMask, pseudoOut: crypto.commit(5n, pseudoMask) };
}

it('T19 a signature wipes its nonce, whether or not it succeeds', () => {
  crypto.clsagSign(request(), seededRandom(4));
  const another = crypto.randomScalar(seededRandom(5));
  expect(() => crypto.clsagSign({ ...request(), secret: another }, seededRandom(4))).toThrow(/secrets of the ring member/);
  expect(nonces.map((nonce) => nonce.every((byte) => byte === 0))).toEqual([true, true]);
});
