import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes } from '../../src/base/index.ts';
import { generateKeyDerivation, keysFromSeed, loadCrypto, secretKeyToPublicKey } from '../../src/crypto/index.ts';
import {
  additionalPublicKeys,
  buildExtra,
  type ExtraField,
  encryptPaymentId,
  parseExtra,
  parseTransaction,
  paymentIdOf,
  serializeExtra,
  txPublicKeys,
  wordsToSeed,
} from '../../src/protocol/index.ts';
import { fixture } from './support/fixture.ts';

const key = (fill: number) => new Uint8Array(32).fill(fill);
const bytes = (min: number, max = min) => fc.uint8Array({ minLength: min, maxLength: max });

const field: fc.Arbitrary<ExtraField> = fc.oneof(
  bytes(32).map((key): ExtraField => ({ type: 'pubKey', key })),
  bytes(0, 255).map((nonce): ExtraField => ({ type: 'nonce', nonce })),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), bytes(32))
    .map(([depth, merkleRoot]): ExtraField => ({ type: 'mergeMining', depth, merkleRoot })),
  fc.array(bytes(32), { maxLength: 20 }).map((keys): ExtraField => ({ type: 'additionalPubKeys', keys })),
  bytes(0, 300).map((data): ExtraField => ({ type: 'minergate', data })),
);
const padding = fc.option(
  fc.integer({ min: 1, max: 255 }).map((size): ExtraField => ({ type: 'padding', size })),
  { nil: undefined },
);
const fields = fc.tuple(fc.array(field, { maxLength: 6 }), padding).map(([list, last]) => (last ? [...list, last] : list));

beforeAll(loadCrypto);

describe('tx_extra', () => {
  it('every field is read as it was written', () => {
    fc.assert(
      fc.property(fields, (list) => {
        expect(parseExtra(serializeExtra(list))).toEqual({ fields: list, remainder: new Uint8Array() });
      }),
    );
  });

  it('T10 what came before a broken tail still counts, and the tail is kept', () => {
    const good = serializeExtra([
      { type: 'pubKey', key: key(1) },
      { type: 'additionalPubKeys', keys: [key(2), key(3)] },
    ]);
    const tails = [[0x05], [0x01, 1, 2, 3], [0x02, 0xff, 0x01], [0x04, 2, ...key(4)], [0x03, 1, 0], [0x00, 0, 1], [0xde, 9]];
    for (const tail of tails) {
      const parsed = parseExtra(concatBytes(good, Uint8Array.from(tail)));
      expect(txPublicKeys(parsed.fields)).toEqual([key(1)]);
      expect(additionalPublicKeys(parsed.fields)).toEqual([key(2), key(3)]);
      expect([...parsed.remainder]).toEqual(tail);
    }
  });

  it('T10 padding is bounded and runs to the end, repeated keys are looked at once', () => {
    expect(parseExtra(new Uint8Array(255)).fields).toEqual([{ type: 'padding', size: 255 }]);
    expect(parseExtra(new Uint8Array(256)).fields).toEqual([]);
    const repeats: ExtraField[] = [key(1), key(2), key(1), key(2)].map((key) => ({ type: 'pubKey', key }));
    expect(txPublicKeys(repeats)).toEqual([key(1), key(2)]);
  });

  it('T21 what we build is what the reference builds', () => {
    for (const { whole } of fixture.transactions) {
      const { extra } = parseTransaction(whole);
      const { fields } = parseExtra(extra);
      const rebuilt = buildExtra({
        pubKey: txPublicKeys(fields)[0]!,
        additionalPubKeys: additionalPublicKeys(fields),
        paymentId: paymentIdOf(fields),
      });
      expect(bytesToHex(rebuilt)).toBe(bytesToHex(extra));
    }
  });
});

describe('payment ids', () => {
  it('the one that the reference encrypted for its own integrated address is decrypted with the view key', () => {
    const { extra } = parseTransaction(fixture.transactions.find(({ name }) => name === 'integrated')!.whole);
    const { fields } = parseExtra(extra);
    const { viewKey } = keysFromSeed(wordsToSeed(fixture.seed).seed);
    const derivation = generateKeyDerivation(txPublicKeys(fields)[0]!, viewKey)!;
    const found = paymentIdOf(fields)!;
    expect(found.kind).toBe('encrypted');
    expect(bytesToHex(encryptPaymentId(found.bytes, derivation))).toBe(fixture.paymentId);
  });

  it('encryption is its own inverse and the same from both sides', () => {
    const scalar = (fill: number) => key(fill).map((byte, i) => (i === 31 ? 0 : byte));
    const [r, a] = [scalar(3), scalar(5)];
    const sender = generateKeyDerivation(secretKeyToPublicKey(a)!, r)!;
    const receiver = generateKeyDerivation(secretKeyToPublicKey(r)!, a)!;
    const id = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const encrypted = encryptPaymentId(id, sender);
    expect(encrypted).not.toEqual(id);
    expect(encryptPaymentId(encrypted, receiver)).toEqual(id);
  });

  it('only a nonce of the right length and tag holds one, and only the first nonce', () => {
    const nonce = (...data: number[]): ExtraField => ({ type: 'nonce', nonce: Uint8Array.from(data) });
    expect(paymentIdOf([nonce(0, ...key(7))])).toEqual({ kind: 'clear', bytes: key(7) });
    expect(paymentIdOf([nonce(1, 1, 2, 3, 4, 5, 6, 7, 8)])?.kind).toBe('encrypted');
    expect(paymentIdOf([nonce(1, ...key(7))])).toBeUndefined();
    expect(paymentIdOf([nonce(9), nonce(0, ...key(7))])).toBeUndefined();
  });
});
