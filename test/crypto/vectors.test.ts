import { expect, test } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { inBothFields } from './both-fields.ts';
import { Fields, vectorLines } from './vector-lines.ts';

const hex = (bytes: Uint8Array | undefined): string | undefined => (bytes === undefined ? undefined : bytesToHex(bytes));

/** Reads a result that stands after `true`, or nothing after `false`. */
function optionalBytes(fields: Fields): string | undefined {
  return fields.boolean() ? fields.word() : undefined;
}

/** One checker a kind: reads its line's fields and compares. */
const CHECKS: Record<string, (f: Fields) => void> = {
  check_scalar: (f) => expect(crypto.isCanonicalScalar(f.bytes(32))).toBe(f.boolean()),
  hash_to_scalar: (f) => expect(hex(crypto.hashToScalar(f.bytes()))).toBe(f.word()),
  check_key: (f) => expect(crypto.isPoint(f.bytes(32))).toBe(f.boolean()),
  secret_key_to_public_key: (f) => expect(hex(crypto.secretKeyToPublicKey(f.bytes(32)))).toBe(optionalBytes(f)),
  generate_key_derivation: (f) => expect(hex(crypto.generateKeyDerivation(f.bytes(32), f.bytes(32)))).toBe(optionalBytes(f)),
  derive_public_key: (f) => expect(hex(crypto.derivePublicKey(f.bytes(32), f.integer(), f.bytes(32)))).toBe(optionalBytes(f)),
  derive_secret_key: (f) => expect(hex(crypto.deriveSecretKey(f.bytes(32), f.integer(), f.bytes(32)))).toBe(f.word()),
  check_signature: (f) => expect(crypto.checkSignature(f.bytes(32), f.bytes(32), f.bytes(64))).toBe(f.boolean()),
  hash_to_point: (f) => expect(hex(crypto.hashToPointElligator(f.bytes(32)))).toBe(f.word()),
  hash_to_ec: (f) => expect(hex(crypto.hashToEc(f.bytes(32)))).toBe(f.word()),
  generate_key_image: (f) => expect(hex(crypto.generateKeyImage(f.bytes(32), f.bytes(32)))).toBe(f.word()),
  check_ring_signature: (f) => {
    const hash = f.bytes(32);
    const image = f.bytes(32);
    const size = f.integer();
    const ring = Array.from({ length: size }, () => f.bytes(32));
    const joined = f.bytes(64 * size);
    const signatures = ring.map((_, i) => joined.subarray(64 * i, 64 * i + 64));
    expect(crypto.checkRingSignature(hash, image, ring, signatures)).toBe(f.boolean());
  },
  check_ge_p3_identity: (f) => {
    const point = f.bytes(32);
    // The first answer is that of an old, wrong test of projective coordinates for P − P; the second is the truth.
    f.boolean();
    expect(hex(crypto.pointSub(point, point)) === hex(crypto.IDENTITY)).toBe(f.boolean());
  },
  derive_view_tag: (f) => expect(crypto.deriveViewTag(f.bytes(32), f.integer())).toBe(f.bytes(1)[0]),
  random_scalar: (f) => expect(crypto.isCanonicalScalar(f.bytes(32))).toBe(true),
  generate_keys: (f) => {
    const pub = f.bytes(32);
    expect(hex(crypto.secretKeyToPublicKey(f.bytes(32)))).toBe(hex(pub));
  },
  generate_signature: (f) => {
    const [hash, pub, sec, signature] = [f.bytes(32), f.bytes(32), f.bytes(32), f.bytes(64)];
    expect(hex(crypto.secretKeyToPublicKey(sec))).toBe(hex(pub));
    expect(crypto.checkSignature(hash, pub, signature)).toBe(true);
  },
  generate_ring_signature: (f) => {
    const hash = f.bytes(32);
    const image = f.bytes(32);
    const size = f.integer();
    const ring = Array.from({ length: size }, () => f.bytes(32));
    const sec = f.bytes(32);
    const index = f.integer();
    expect(hex(crypto.generateKeyImage(ring[index]!, sec))).toBe(hex(image));
    const joined = f.bytes(64 * size);
    const signatures = ring.map((_, i) => joined.subarray(64 * i, 64 * i + 64));
    expect(crypto.checkRingSignature(hash, image, ring, signatures)).toBe(true);
  },
};

const lines = vectorLines('crypto.txt');
const kinds = new Set(lines.map((words) => words[0]!));

test('every kind of line in crypto.txt has its check', () => {
  expect([...kinds].filter((kind) => CHECKS[kind] === undefined)).toEqual([]);
  expect(kinds.size).toBe(Object.keys(CHECKS).length);
});

inBothFields('the reference implementation’s crypto vectors', () => {
  test.each([...kinds])('%s', (kind) => {
    for (const words of lines) {
      if (words[0] !== kind) continue;
      const fields = new Fields(words);
      fields.word();
      CHECKS[kind]!(fields);
      fields.end();
    }
  });
});

inBothFields('Keccak-256 with the original padding', () => {
  test('every line of hash-keccak.txt', () => {
    for (const words of vectorLines('hash-keccak.txt')) {
      const fields = new Fields(words);
      const hash = fields.word();
      expect(hex(crypto.keccak256(fields.bytes()))).toBe(hash);
      fields.end();
    }
  });
});
