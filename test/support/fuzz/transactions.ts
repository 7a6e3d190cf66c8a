import type { BulletproofPlusProof } from '../../../src/crypto/index.ts';
import {
  type RctType,
  serializePrefix,
  serializeTransaction,
  type Transaction,
  type TransactionV2,
  type TxInput,
  type TxOutput,
} from '../../../src/protocol/index.ts';
import type { TestSampler } from '../random-sampler.ts';
import { mutatedKey, mutatedList } from './keys.ts';

type Change = (tx: TransactionV2, sampler: TestSampler) => Transaction;

const AMOUNTS = [1n, 5n, 1_000_000_000_000n, 123_456_789n, (1n << 63n) + 1n, (1n << 64n) - 1n];
const COUNTS = [0, 1, 5, 6, 7, 10, 11, 16];

function offsets(list: readonly bigint[], sampler: TestSampler): bigint[] {
  const at = sampler.below(list.length);
  const put = (value: bigint) => list.map((one, i) => (i === at ? BigInt.asUintN(64, value) : one));
  const ways = [
    () => put(0n),
    () => put(list[at]! + 1n),
    () => put(list[at]! - 1n),
    () => put(1_000_000n),
    () => put(-list[at]!),
    () => put(sampler.u64()),
    () => mutatedList(list, (one) => one + 1n, sampler),
    () => list.slice(0, sampler.below(list.length)),
  ];
  return sampler.pick(ways)();
}

function input(one: TxInput, sampler: TestSampler): TxInput {
  if (one.type === 'gen') return { ...one, height: one.height + 1 };
  const ways: readonly (() => TxInput)[] = [
    () => ({ ...one, amount: sampler.pick(AMOUNTS) }),
    () => ({ ...one, keyOffsets: offsets(one.keyOffsets, sampler) }),
    () => ({ ...one, keyImage: mutatedKey(one.keyImage, sampler) }),
    () => ({ type: 'gen', height: sampler.below(200) }),
  ];
  return sampler.pick(ways)();
}

function output(one: TxOutput, sampler: TestSampler): TxOutput {
  const ways: readonly (() => TxOutput)[] = [
    () => ({ ...one, amount: sampler.pick(AMOUNTS) }),
    () => ({ ...one, key: mutatedKey(one.key, sampler) }),
    () => ({ ...one, viewTag: undefined }),
    () => ({ ...one, viewTag: sampler.below(256) }),
  ];
  return sampler.pick(ways)();
}

function extra(bytes: Uint8Array, sampler: TestSampler): Uint8Array {
  const ways = [
    () => new Uint8Array(),
    () => sampler.bytes(sampler.pick([1, 32, 500, 1060, 1061, 4000])),
    () => bytes.slice(0, sampler.below(bytes.length + 1)),
    () => Uint8Array.from([...bytes, ...sampler.bytes(sampler.between(1, 100))]),
  ];
  return sampler.pick(ways)();
}

function rangeProof(proof: BulletproofPlusProof, sampler: TestSampler): BulletproofPlusProof {
  const scalar = sampler.pick(['A', 'A1', 'B', 'r1', 's1', 'd1'] as const);
  const side = sampler.pick(['L', 'R'] as const);
  const ways: readonly (() => BulletproofPlusProof)[] = [
    () => ({ ...proof, [scalar]: mutatedKey(proof[scalar], sampler) }),
    () => ({ ...proof, [side]: mutatedList(proof[side], (key) => mutatedKey(key, sampler), sampler) }),
    () => {
      const count = sampler.pick(COUNTS);
      return { ...proof, L: sampler.keys(count), R: sampler.keys(sampler.chance(80) ? count : count + 1) };
    },
    () => ({ ...proof, L: proof.R, R: proof.L }),
  ];
  return sampler.pick(ways)();
}

/** Its parts in the form of version 1, with clear amounts and meaningless signatures. */
function ofVersion1(tx: TransactionV2, sampler: TestSampler): Transaction {
  const { rct: _rct, prunable: _prunable, ...prefix } = tx;
  const amount = (): bigint => (sampler.chance(80) ? sampler.pick(AMOUNTS) : 0n);
  const inputs = tx.inputs.map((one) => (one.type === 'key' ? { ...one, amount: amount() } : one));
  const outputs = tx.outputs.map((one) => ({ ...one, amount: amount() }));
  const signatures = inputs.map((one) => (one.type === 'key' ? one.keyOffsets.map(() => sampler.bytes(64)) : []));
  return { ...prefix, version: 1, inputs, outputs, signatures };
}

const prunable = (tx: TransactionV2, change: (part: NonNullable<TransactionV2['prunable']>) => object): TransactionV2 => ({
  ...tx,
  prunable: { ...tx.prunable!, ...change(tx.prunable!) },
});

/** The signed parts, which can be changed before signing. */
export const PREFIX_CHANGES: readonly Change[] = [
  (tx, sampler) => ({ ...tx, unlockTime: sampler.pick([1n, 60n, 500_000_000n, 1_900_000_000n, sampler.u64()]) }),
  (tx, sampler) => ({ ...tx, inputs: mutatedList(tx.inputs, (one) => input(one, sampler), sampler) }),
  (tx, sampler) => ({ ...tx, inputs: tx.inputs.map((one) => input(one, sampler)) }),
  (tx, sampler) => ({ ...tx, outputs: mutatedList(tx.outputs, (one) => output(one, sampler), sampler) }),
  (tx, sampler) => ({ ...tx, outputs: tx.outputs.map((one) => output(one, sampler)) }),
  (tx, sampler) => ({ ...tx, extra: extra(tx.extra, sampler) }),
];

const CHANGES: readonly Change[] = [
  ...PREFIX_CHANGES,
  (tx, sampler) => ({ ...tx, rct: { ...tx.rct, fee: sampler.pick([0n, 1n, tx.rct.fee - 1n, tx.rct.fee + 1n, sampler.u64()]) } }),
  (tx, sampler) => ({ ...tx, rct: { ...tx.rct, type: sampler.below(8) as RctType } }),
  (tx, sampler) => ({ ...tx, rct: { ...tx.rct, type: 0 }, ...(sampler.chance(50) ? { prunable: undefined } : {}) }),
  (tx, sampler) => {
    const outPk = mutatedList(tx.rct.outPk, (key) => mutatedKey(key, sampler), sampler);
    return { ...tx, rct: { ...tx.rct, outPk } };
  },
  (tx, sampler) => {
    const ecdhInfo = mutatedList(tx.rct.ecdhInfo, (one) => ({ ...one, amount: sampler.bytes(8) }), sampler);
    return { ...tx, rct: { ...tx.rct, ecdhInfo } };
  },
  (tx, sampler) =>
    prunable(tx, ({ pseudoOuts }) => ({ pseudoOuts: mutatedList(pseudoOuts, (key) => mutatedKey(key, sampler), sampler) })),
  (tx, sampler) => prunable(tx, ({ bulletproofsPlus: [proof] }) => ({ bulletproofsPlus: [rangeProof(proof!, sampler)] })),
  (tx, sampler) =>
    prunable(tx, ({ clsags }) => ({
      clsags: mutatedList(
        clsags,
        (one) => {
          const ways = [
            () => ({ ...one, c1: mutatedKey(one.c1, sampler) }),
            () => ({ ...one, D: mutatedKey(one.D, sampler) }),
            () => ({ ...one, s: mutatedList(one.s, (key) => mutatedKey(key, sampler), sampler) }),
          ];
          return sampler.pick(ways)();
        },
        sampler,
      ),
    })),
  ofVersion1,
];

/** Without inputs, so that the serialization has no RingCT part; sometimes with its last number truncated. */
export function withoutInputs(tx: Transaction, sampler: TestSampler): Uint8Array {
  const bytes = serializePrefix({ ...tx, inputs: [], extra: sampler.chance(50) ? tx.extra : new Uint8Array() });
  if (sampler.chance(50)) bytes[bytes.length - 1]! |= 0x80;
  return bytes;
}

/** Adjusts rings, signatures and lists to changed counts: otherwise nothing could be serialized. */
function fitted(tx: Transaction): Transaction {
  if (tx.version === 1 || tx.prunable === undefined) return tx;
  const fill = <T>(list: readonly T[], count: number): T[] => Array.from({ length: count }, (_, i) => list[i % list.length]!);
  const [first] = tx.inputs;
  const members = first?.type === 'key' ? first.keyOffsets.length : 1;
  const { length } = tx.inputs;
  const clsags = fill(tx.prunable.clsags, length).map((one) => one && { ...one, s: fill(one.s, members) });
  return {
    ...tx,
    rct: { ...tx.rct, outPk: fill(tx.rct.outPk, tx.outputs.length), ecdhInfo: fill(tx.rct.ecdhInfo, tx.outputs.length) },
    prunable: { ...tx.prunable, clsags, pseudoOuts: fill(tx.prunable.pseudoOuts, length) },
  };
}

/** A transaction with one field changed, rarely two; undefined if the change cannot be serialized. */
export function mutatedTransaction(tx: TransactionV2, sampler: TestSampler): Uint8Array | undefined {
  let changed = sampler.pick(CHANGES)(tx, sampler);
  if (sampler.chance(20) && changed.version === 2 && changed.prunable !== undefined)
    changed = sampler.pick(CHANGES)(changed, sampler);
  for (const one of sampler.chance(50) ? [fitted(changed), changed] : [changed, fitted(changed)]) {
    try {
      return serializeTransaction(one);
    } catch {
      // Lists of inconsistent lengths cannot be serialized.
    }
  }
  return undefined;
}
