import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { GROUP_ORDER, scalarToBigint } from '../support/scalars.ts';
import { inBothFields } from './both-fields.ts';
import { seededRandom } from './seeded.ts';

const TORSION = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05').toBytes();

function signedRing(size: number, index: number, seed: number, message = crypto.keccak256(Uint8Array.of(seed))) {
  const random = seededRandom(seed);
  const key = () => crypto.randomScalar(random);
  const ring = Array.from({ length: size }, () => ({
    key: crypto.scalarMulBase(key()),
    commitment: crypto.scalarMulBase(key()),
  }));
  const [secret, mask, pseudoMask] = [key(), key(), key()];
  ring[index] = { key: crypto.scalarMulBase(secret), commitment: crypto.commit(77n, mask) };
  const pseudoOut = crypto.commit(77n, pseudoMask);
  const request = { message, ring, index, secret, mask, pseudoMask, pseudoOut };
  return { request, ...crypto.clsagSign(request, random) };
}

type Signed = ReturnType<typeof signedRing>;

function claimOf({ request, clsag, keyImage }: Signed): crypto.ClsagClaim {
  return { clsag, ring: request.ring, keyImage, pseudoOut: request.pseudoOut };
}

function verify(signed: Signed): boolean {
  return crypto.clsagVerify(signed.request.message, [claimOf(signed)]);
}

/** The same bytes with one bit changed. */
function flipped(bytes: Uint8Array, bit = 0): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

/** Another valid point: the same plus G. */
const moved = (point: Uint8Array): Uint8Array => crypto.pointAdd(point, crypto.G);

inBothFields('CLSAG', () => {
  test.each([
    [1, 0],
    [2, 0],
    [2, 1],
    [11, 10],
    [16, 0],
    [16, 7],
    [16, 15],
  ])('a ring of %i signed by member %i holds', (size, index) => {
    const signed = signedRing(size, index, size * 16 + index);
    expect(verify(signed)).toBe(true);
    const own = signed.request.ring[index]!.key;
    expect(signed.keyImage).toEqual(crypto.generateKeyImage(own, signed.request.secret));
  });

  test('any field altered is rejected', () => {
    const signed = signedRing(4, 2, 1);
    const { request, clsag, keyImage } = signed;
    const { ring, message, pseudoOut } = request;
    const withMember = (i: number, change: Partial<crypto.RingMember>) =>
      ring.map((member, at) => (at === i ? { ...member, ...change } : member));
    const alterations: [string, Signed][] = [
      ['message', { ...signed, request: { ...request, message: flipped(message) } }],
      ['c1', { ...signed, clsag: { ...clsag, c1: flipped(clsag.c1) } }],
      ['D', { ...signed, clsag: { ...clsag, D: moved(clsag.D) } }],
      ['key image', { ...signed, keyImage: moved(keyImage) }],
      ['pseudo output', { ...signed, request: { ...request, pseudoOut: moved(pseudoOut) } }],
      ['a response missing', { ...signed, clsag: { ...clsag, s: clsag.s.slice(1) } }],
      ['a response too many', { ...signed, clsag: { ...clsag, s: [...clsag.s, clsag.s[0]!] } }],
      ['order of members', { ...signed, request: { ...request, ring: [...ring].reverse() } }],
    ];
    for (let i = 0; i < ring.length; i++) {
      alterations.push(
        [`s[${i}]`, { ...signed, clsag: { ...clsag, s: clsag.s.map((s, at) => (at === i ? flipped(s) : s)) } }],
        [`key ${i}`, { ...signed, request: { ...request, ring: withMember(i, { key: moved(ring[i]!.key) }) } }],
        [
          `commitment ${i}`,
          { ...signed, request: { ...request, ring: withMember(i, { commitment: moved(ring[i]!.commitment) }) } },
        ],
      );
    }
    expect(alterations.filter(([, altered]) => verify(altered)).map(([name]) => name)).toEqual([]);
    expect(verify(signed)).toBe(true);
  });

  test.each([3, 17])('%i signatures of one message hold together, whatever their rings, but not with one altered', (count) => {
    const message = crypto.keccak256(Uint8Array.of(99));
    const size = (i: number) => 1 + ((i * 3) % 5);
    const claims = Array.from({ length: count }, (_, i) => claimOf(signedRing(size(i), i % size(i), 40 + i, message)));
    expect(crypto.clsagVerify(message, claims)).toBe(true);
    const alterations: ((claim: crypto.ClsagClaim) => crypto.ClsagClaim)[] = [
      (claim) => ({ ...claim, clsag: { ...claim.clsag, s: [...claim.clsag.s.slice(0, -1), flipped(claim.clsag.s.at(-1)!)] } }),
      (claim) => ({ ...claim, clsag: { ...claim.clsag, D: moved(claim.clsag.D) } }),
      (claim) => ({ ...claim, keyImage: moved(claim.keyImage) }),
      (claim) => ({ ...claim, keyImage: crypto.pointAdd(claim.keyImage, TORSION) }),
      (claim) => ({ ...claim, clsag: { ...claim.clsag, D: TORSION } }),
    ];
    for (const alter of alterations) {
      const holding = [0, 1, count - 1].filter((i) => crypto.clsagVerify(message, claims.with(i, alter(claims[i]!))));
      expect(holding).toEqual([]);
    }
    expect(crypto.clsagVerify(crypto.keccak256(message), claims)).toBe(false);
  });

  test('scalars that are not canonical are rejected though they mean the same', () => {
    const signed = signedRing(3, 1, 2);
    const { clsag } = signed;
    const plusOrder = (s: Uint8Array): Uint8Array => {
      const sum = scalarToBigint(s) + GROUP_ORDER;
      return hexToBytes(sum.toString(16).padStart(64, '0')).reverse();
    };
    expect(verify({ ...signed, clsag: { ...clsag, c1: plusOrder(clsag.c1) } })).toBe(false);
    for (let i = 0; i < 3; i++) {
      const s = clsag.s.map((value, at) => (at === i ? plusOrder(value) : value));
      expect(verify({ ...signed, clsag: { ...clsag, s } })).toBe(false);
    }
  });

  test('a key image with a small-order part, the identity and what is no point are rejected', () => {
    const signed = signedRing(3, 1, 3);
    const noPoint = Uint8Array.of(2, ...new Uint8Array(31));
    for (const keyImage of [crypto.pointAdd(signed.keyImage, TORSION), crypto.IDENTITY, TORSION, noPoint]) {
      expect(verify({ ...signed, keyImage })).toBe(false);
    }
    for (const D of [crypto.IDENTITY, TORSION, noPoint]) {
      expect(verify({ ...signed, clsag: { ...signed.clsag, D } })).toBe(false);
    }
    const ring = signed.request.ring.map((member) => ({ ...member, commitment: noPoint }));
    expect(verify({ ...signed, request: { ...signed.request, ring } })).toBe(false);
  });

  test('secrets that do not open the ring member at the index are refused before anything is signed', () => {
    const { request } = signedRing(4, 2, 4);
    const random = seededRandom(5);
    for (const wrong of [
      { ...request, index: 1 },
      { ...request, index: 4 },
      { ...request, secret: flipped(request.secret) },
      { ...request, mask: flipped(request.mask) },
      { ...request, pseudoMask: flipped(request.pseudoMask) },
    ]) {
      expect(() => crypto.clsagSign(wrong, random)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    }
  });
});

describe('CLSAG nonces', () => {
  test('T19 signatures of different messages made with the same random bytes do not give the key away', async () => {
    await crypto.loadCrypto();
    const messages = [1, 2, 3].map((n) => crypto.keccak256(Uint8Array.of(n)));
    // In a ring of one the response is nonce − c·w, with one w for all: with one nonce for all w would follow from any two.
    const { request } = signedRing(1, 0, 5);
    const signed = messages.map((message) => crypto.clsagSign({ ...request, message }, seededRandom(9)).clsag);
    const number = scalarToBigint;
    const over = (a: number, b: number) => {
      const [first, second] = [signed[a]!, signed[b]!];
      const difference = crypto.scalarSub(second.c1, first.c1);
      const inverse = ed25519.Point.Fn.inv(number(difference));
      return (number(crypto.scalarSub(first.s[0]!, second.s[0]!)) * inverse) % GROUP_ORDER;
    };
    expect(new Set([over(0, 1), over(0, 2), over(1, 2)]).size).toBe(3);
  });
});
