import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, equalBytes, hexToBytes } from '../../../src/base/index.ts';
import { generateKeyDerivation, loadCrypto, randomScalar, scalarMulBase } from '../../../src/crypto/index.ts';
import {
  encryptPaymentId,
  type PaidOutput,
  parseTransaction,
  serializeTransaction,
  type TransactionV2,
  transactionHash,
} from '../../../src/protocol/index.ts';
import { constructTransaction } from '../../../src/wallet/spend/construct.ts';
import { exactWeight } from '../../../src/wallet/spend/fees.ts';
import type { UnsignedTransaction } from '../../../src/wallet/spend/unsigned.ts';
import { verifySigned } from '../../../src/wallet/spend/verify.ts';
import { addressOf, ERA, makeKeys, ownedOutput, ringAround, seededRandom } from './fixtures.ts';

const COIN = 1_000_000_000_000n;
const rate = { perByte: 20_000n, quantization: 10_000n };

beforeAll(loadCrypto);

interface Scene {
  readonly inputs: number;
  readonly pay: readonly ('standard' | 'subaddress' | 'self')[];
  readonly change: boolean;
  readonly paymentId?: Uint8Array;
}

function build(scene: Scene, seed: string) {
  const random = seededRandom(seed);
  const keys = makeKeys(random);
  const receiver = makeKeys(random);
  const change = addressOf(keys);
  const inputs = Array.from({ length: scene.inputs }, (_, i) => {
    const output = { ...ownedOutput(keys, COIN, random, { major: 0, minor: i }), globalIndex: BigInt(50_000 + i) };
    return ringAround(output, hexToBytes(output.mask), (i * 7) % 16, random);
  });
  const paid = scene.pay.map((kind, i): PaidOutput => {
    const address =
      kind === 'standard' ? addressOf(receiver) : addressOf(kind === 'self' ? keys : receiver, { major: 1, minor: i });
    return { address, amount: 1_000n + BigInt(i) };
  });
  const sum = paid.reduce((total, { amount }) => total + amount, 0n);
  const dummy = {
    spendKey: scalarMulBase(randomScalar(random)),
    viewKey: scalarMulBase(randomScalar(random)),
    isSubaddress: false,
  };
  const changeAddress = scene.change ? change : scene.pay.length === 1 ? dummy : undefined;
  const draft = (fee: bigint): UnsignedTransaction => {
    const left = COIN * BigInt(scene.inputs) - sum - fee;
    const rest = scene.change ? [{ address: change, amount: left }] : changeAddress ? [{ address: dummy, amount: 0n }] : [];
    const first = scene.change ? paid : paid.map((output, i) => (i === 0 ? { ...output, amount: output.amount + left } : output));
    const outputs = [...first, ...rest];
    const { paymentId } = scene;
    return { majorVersion: ERA.version, inputs, outputs, changeAddress, fee, unlockTime: 0n, paymentId };
  };
  return { random, keys, receiver, draft };
}

const scenes: Record<string, Scene> = {
  'one input, a standard address and change': { inputs: 1, pay: ['standard'], change: true },
  'T21 two inputs by key image descending, a subaddress and change': { inputs: 2, pay: ['subaddress'], change: true },
  'a standard address and a subaddress: additional keys': { inputs: 1, pay: ['standard', 'subaddress'], change: true },
  'two subaddresses, one of them ours, no change': { inputs: 1, pay: ['subaddress', 'self'], change: false },
  'everything to one address: the dummy output': { inputs: 1, pay: ['standard'], change: false },
  'an integrated address': { inputs: 1, pay: ['standard'], change: true, paymentId: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
};

/** Beginnings of the id and of the transaction keys, and the order of the outputs. */
const BYTES: readonly string[] = [
  '945f6d936627751b 9f3c304f 0,1',
  '5690d5b208868767 7a2c2986 0,1',
  'f0a4545f9d8faeb6 a45e6888,1647632a,21c636f4,3bbf5534 0,2,1',
  '5af4ffe1725b3629 2bacd076,51076be1,92df8589 0,1',
  '78c5870c3192e930 a8925ecf 0,1',
  '446c145479c430a6 8aa13e58 0,1',
];

describe('a transaction of ours', () => {
  it('is the same to the byte for the same choices of chance', () => {
    const ids = Object.entries(scenes).map(([name, scene]) => {
      const { random, keys, draft } = build(scene, name);
      const { hash, txKeys, outputOrder } = constructTransaction(draft(60_000_000n), keys, random);
      return `${bytesToHex(hash).slice(0, 16)} ${txKeys.map((key) => bytesToHex(key).slice(0, 8))} ${outputOrder}`;
    });
    expect(ids).toEqual(BYTES);
  });

  for (const [name, scene] of Object.entries(scenes)) {
    it(`verifies as a node would and weighs what was planned: ${name}`, () => {
      const { random, keys, draft } = build(scene, name);
      const unsigned = draft(60_000_000n);
      const signed = constructTransaction(unsigned, keys, random);
      const weight = verifySigned(unsigned, signed, rate, keys.viewKey, random);
      expect(weight).toBe(
        exactWeight(ERA, {
          inputs: unsigned.inputs.map(({ ring }) => ({ amount: 0n, ring: ring.map(({ globalIndex }) => globalIndex) })),
          outputs: unsigned.outputs.map(() => 0n),
          extraSize: ERA.outputs.extraSize(unsigned.outputs, unsigned.changeAddress, unsigned.paymentId !== undefined),
          fee: unsigned.fee,
          unlockTime: 0n,
        }),
      );
      expect(serializeTransaction(parseTransaction(signed.bytes))).toEqual(signed.bytes);
    });
  }

  it('T21 carries extra in the reference order: key, additional keys, nonce with encrypted payment id', () => {
    const plain = build(scenes['one input, a standard address and change']!, 'extra');
    const one = constructTransaction(plain.draft(60_000_000n), plain.keys, plain.random).transaction.extra;
    expect([one.length, one[0], bytesToHex(one.slice(33, 36))]).toEqual([44, 1, '020901']);
    const mixed = build(scenes['a standard address and a subaddress: additional keys']!, 'extra');
    const three = constructTransaction(mixed.draft(60_000_000n), mixed.keys, mixed.random).transaction.extra;
    expect([three.length, three[0], three[33], three[34]]).toEqual([33 + 2 + 3 * 32, 1, 4, 3]);
  });

  it('encrypts the payment id so that its receiver reads it', () => {
    const scene = scenes['an integrated address']!;
    const { random, keys, receiver, draft } = build(scene, 'integrated');
    const { extra } = constructTransaction(draft(60_000_000n), keys, random).transaction;
    const derivation = generateKeyDerivation(extra.slice(1, 33), receiver.viewKey)!;
    expect(encryptPaymentId(extra.slice(36, 44), derivation)).toEqual(scene.paymentId);
  });

  it('T21 shuffles outputs, so that change is first as often as last', () => {
    const positions = new Set<number>();
    for (let i = 0; i < 12 && positions.size < 2; i++) {
      const { random, keys, draft } = build({ inputs: 1, pay: ['standard'], change: true }, `shuffle ${i}`);
      positions.add(constructTransaction(draft(60_000_000n), keys, random).outputOrder[0]!);
    }
    expect(positions).toEqual(new Set([0, 1]));
  });

  it('refuses keys that do not open an input', () => {
    const { random, draft } = build(scenes['T21 two inputs by key image descending, a subaddress and change']!, 'other keys');
    expect(() => constructTransaction(draft(60_000_000n), makeKeys(random), random)).toThrow(
      expect.objectContaining({ code: 'check-failed' }),
    );
  });
});

describe('the check before a transaction leaves', () => {
  const forge = (
    change: (tx: TransactionV2) => TransactionV2,
    what: string,
    swap?: (u: UnsignedTransaction) => UnsignedTransaction,
  ) =>
    it(`refuses ${what}`, () => {
      const { random, keys, draft } = build(scenes['T21 two inputs by key image descending, a subaddress and change']!, what);
      const unsigned = draft(60_000_000n);
      const signed = constructTransaction(unsigned, keys, random);
      const transaction = change(signed.transaction as TransactionV2);
      const bytes = serializeTransaction(transaction);
      const forged = { ...signed, transaction, bytes, hash: hashOf(bytes) };
      const asked = swap?.(unsigned) ?? unsigned;
      expect(() => verifySigned(asked, forged, rate, keys.viewKey, random)).toThrow(
        expect.objectContaining({ code: 'check-failed' }),
      );
    });
  forge((tx) => ({ ...tx, unlockTime: 5n }), 'another unlock time');
  forge((tx) => ({ ...tx, inputs: tx.inputs.toReversed() }), 'unsorted inputs');
  forge((tx) => ({ ...tx, rct: { ...tx.rct, fee: tx.rct.fee + 1n } }), 'another fee');
  forge((tx) => ({ ...tx, rct: { ...tx.rct, outPk: tx.rct.outPk.toReversed() } }), 'swapped commitments');
  forge((tx) => ({ ...tx, prunable: { ...tx.prunable!, clsags: tx.prunable!.clsags.toReversed() } }), 'swapped signatures');
  forge((tx) => ({ ...tx, extra: Uint8Array.of(...tx.extra, 0) }), 'an extra field that was not signed');
  forge(
    (tx) => tx,
    'an output to somebody else',
    (u) => ({ ...u, outputs: u.outputs.map((o) => ({ ...o, address: addressOf(makeKeys(seededRandom('thief'))) })) }),
  );

  it('T21 refuses inputs in another order than by key image', () => {
    const { random, keys, draft } = build(scenes['T21 two inputs by key image descending, a subaddress and change']!, 'order');
    const unsigned = draft(60_000_000n);
    const signed = constructTransaction(unsigned, keys, random);
    const transaction = { ...signed.transaction, inputs: signed.transaction.inputs.toReversed() };
    const bytes = serializeTransaction(transaction);
    const forged = { ...signed, transaction, bytes, hash: hashOf(bytes), inputOrder: signed.inputOrder.toReversed() };
    expect(() => verifySigned(unsigned, forged, rate, keys.viewKey, random)).toThrow('sorted inputs');
  });

  it('refuses bytes that are not those of the hash', () => {
    const { random, keys, draft } = build(scenes['one input, a standard address and change']!, 'hash');
    const unsigned = draft(60_000_000n);
    const signed = constructTransaction(unsigned, keys, random);
    const hash = signed.hash.map((value) => value ^ 1);
    expect(equalBytes(hash, signed.hash)).toBe(false);
    expect(() => verifySigned(unsigned, { ...signed, hash }, rate, keys.viewKey, random)).toThrow('hash');
  });

  it('T1 refuses change to an address that our view key does not open: its owner would never find it', () => {
    const { random, keys, receiver, draft } = build(scenes['one input, a standard address and change']!, 'foreign change');
    const unsigned = { ...draft(60_000_000n), changeAddress: addressOf(receiver) };
    const signed = constructTransaction(unsigned, keys, random);
    expect(() => verifySigned(unsigned, signed, rate, keys.viewKey, random)).toThrow('our view key opens');
  });

  it('refuses a fee below the rate', () => {
    const { random, keys, draft } = build(scenes['one input, a standard address and change']!, 'rate');
    const unsigned = draft(60_000n);
    const signed = constructTransaction(unsigned, keys, random);
    expect(() => verifySigned(unsigned, signed, rate, keys.viewKey, random)).toThrow('fee');
  });
});

function hashOf(bytes: Uint8Array): Uint8Array {
  return transactionHash(parseTransaction(bytes));
}
