import { expect, test } from 'vitest';
import * as crypto from '../../src/crypto/index.ts';
import { inBothFields } from './both-fields.ts';
import { seededRandom } from './seeded.ts';

const flipped = (bytes: Uint8Array, at: number): Uint8Array => bytes.map((value, i) => (i === at ? value ^ 1 : value));
const hash = crypto.keccak256(Uint8Array.of(1, 2, 3));

inBothFields('signatures', () => {
  const random = seededRandom(3);
  const pair = () => {
    const sec = crypto.randomScalar(random);
    return { sec, pub: crypto.scalarMulBase(sec) };
  };

  test('hold for their hash and key, and for no other', () => {
    const [ours, other] = [pair(), pair()];
    const signature = crypto.generateSignature(hash, ours.pub, ours.sec, random);
    expect(crypto.checkSignature(hash, ours.pub, signature)).toBe(true);
    expect(crypto.checkSignature(flipped(hash, 0), ours.pub, signature)).toBe(false);
    expect(crypto.checkSignature(hash, other.pub, signature)).toBe(false);
    expect(crypto.checkSignature(hash, ours.pub, flipped(signature, 0))).toBe(false);
    expect(crypto.checkSignature(hash, ours.pub, flipped(signature, 32))).toBe(false);
    expect(crypto.checkSignature(hash, ours.pub, signature.subarray(1))).toBe(false);
    expect(crypto.checkSignature(hash, ours.pub, new Uint8Array(64))).toBe(false);
  });

  test('of a ring hold for the ring, its key image and hash, and for no other', () => {
    for (const [size, index] of [
      [1, 0],
      [3, 2],
      [8, 0],
    ] as const) {
      const pairs = Array.from({ length: size }, pair);
      const ring = pairs.map(({ pub }) => pub);
      const { pub, sec } = pairs[index]!;
      const image = crypto.generateKeyImage(pub, sec);
      expect(crypto.generateKeyImages([{ key: pub, secret: sec }])).toEqual([image]);
      const signatures = crypto.generateRingSignature(hash, image, ring, sec, index, random);
      expect(crypto.checkRingSignature(hash, image, ring, signatures)).toBe(true);
      expect(crypto.checkRingSignature(flipped(hash, 5), image, ring, signatures)).toBe(false);
      expect(crypto.checkRingSignature(hash, crypto.pointAdd(image, crypto.G), ring, signatures)).toBe(false);
      for (let i = 0; i < size; i++) {
        const altered = signatures.map((s, j) => (i === j ? flipped(s, 33) : s));
        expect(crypto.checkRingSignature(hash, image, ring, altered)).toBe(false);
      }
      expect(crypto.checkRingSignature(hash, image, ring, signatures.slice(1))).toBe(false);
      expect(crypto.checkRingSignature(hash, new Uint8Array(32).fill(255), ring, signatures)).toBe(false);
    }
  });

  test('key images of many are those of one by one, and a secret that makes another key has none', () => {
    const pairs = Array.from({ length: 131 }, pair).map(({ pub, sec }) => ({ key: pub, secret: sec }));
    const wrong = [0, 63, 64, 130];
    const mixed = pairs.map(({ key, secret }, i) => ({
      key,
      secret: wrong.includes(i) ? pairs[i === 0 ? 1 : i - 1]!.secret : secret,
    }));
    const expected = pairs.map(({ key, secret }, i) => (wrong.includes(i) ? undefined : crypto.generateKeyImage(key, secret)));
    expect(crypto.generateKeyImages(mixed)).toEqual(expected);
    expect(crypto.generateKeyImages([])).toEqual([]);
    expect(() => crypto.generateKeyImages([{ key: hash.subarray(1), secret: hash }])).toThrow('32 bytes');
  });

  test.each([1, 2] as const)('of a transaction proof (version %i) hold for main addresses and subaddresses', (version) => {
    const r = crypto.randomScalar(random);
    const A = pair().pub;
    for (const B of [undefined, pair().pub]) {
      const R = B === undefined ? crypto.scalarMulBase(r) : crypto.scalarMulPoint(r, B);
      const statement: crypto.TxProofStatement = { hash, R, A, B, D: crypto.scalarMulPoint(r, A) };
      const proof = crypto.generateTxProof(statement, r, random, version);
      expect(crypto.checkTxProof(statement, proof, version)).toBe(true);
      expect(crypto.checkTxProof(statement, proof, version === 1 ? 2 : 1)).toBe(false);
      for (const half of [0, 32])
        expect(crypto.checkTxProof(statement, proof.slice().fill(255, half, half + 32), version)).toBe(false);
      expect(crypto.checkTxProof({ ...statement, hash: flipped(hash, 9) }, proof, version)).toBe(false);
      for (const name of ['R', 'A', 'D'] as const) {
        const moved = { ...statement, [name]: crypto.pointAdd(statement[name], crypto.G) };
        expect(crypto.checkTxProof(moved, proof, version)).toBe(false);
      }
      expect(crypto.checkTxProof(statement, flipped(proof, 0), version)).toBe(false);
      expect(crypto.checkTxProof(statement, flipped(proof, 40), version)).toBe(false);
    }
  });
});

inBothFields('keys', () => {
  test('sender and receiver find the same output, its secret key, its view tag and its address', () => {
    const random = seededRandom(4);
    const { spendKey, viewKey } = crypto.keysFromSeed(random.bytes(32));
    const index = { major: 2, minor: 70_000 };
    const sub = crypto.subaddressSecretKey(viewKey, index);
    const spendPublic = crypto.scalarMulBase(crypto.scalarAdd(spendKey, sub));
    const viewPublic = crypto.scalarMulPoint(viewKey, spendPublic);
    const r = crypto.randomScalar(random);
    const txPublic = crypto.scalarMulPoint(r, spendPublic);
    const sent = crypto.generateKeyDerivation(viewPublic, r)!;
    const received = crypto.generateKeyDerivation(txPublic, viewKey)!;
    expect(received).toEqual(sent);
    const output = crypto.derivePublicKey(sent, 300, spendPublic)!;
    expect(crypto.deriveSubaddressPublicKey(output, received, 300)).toEqual(spendPublic);
    const secret = crypto.scalarAdd(crypto.deriveSecretKey(received, 300, spendKey), sub);
    expect(crypto.secretKeyToPublicKey(secret)).toEqual(output);
    expect(crypto.deriveViewTag(sent, 300)).toBe(crypto.deriveViewTag(received, 300));
  });
});
