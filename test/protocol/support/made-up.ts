import {
  type Block,
  type BorromeanRangeProof,
  type RctBase,
  type RctPrunable,
  RctType,
  type TransactionV1,
  type TransactionV2,
  type TxInput,
  type TxOutput,
} from '../../../src/protocol/index.ts';
import type { TestSampler } from '../../support/random-sampler.ts';

/** Well-formed transactions and blocks of every kind, of random content: right in shape, wrong in every signature. */

export const RCT_TYPES: readonly RctType[] = [
  RctType.Null,
  RctType.Full,
  RctType.Simple,
  RctType.Bulletproof,
  RctType.Bulletproof2,
  RctType.CLSAG,
  RctType.BulletproofPlus,
];

function inputs(sampler: TestSampler, count: number, ringSize: number): TxInput[] {
  return sampler.list(count, () => ({
    type: 'key',
    amount: sampler.u64(),
    keyOffsets: sampler.list(ringSize, () => sampler.u64()),
    keyImage: sampler.bytes(32),
  }));
}

function outputs(sampler: TestSampler, count: number): TxOutput[] {
  return sampler.list(count, () => ({
    amount: sampler.u64(),
    key: sampler.bytes(32),
    viewTag: sampler.below(2) === 0 ? undefined : sampler.below(256),
  }));
}

const coinbaseInput = (sampler: TestSampler): TxInput => ({ type: 'gen', height: sampler.below(3_000_000) });

export function madeUpV1(sampler: TestSampler): TransactionV1 {
  const ringSize = sampler.between(1, 4);
  const ins = sampler.below(4) === 0 ? [coinbaseInput(sampler)] : inputs(sampler, sampler.between(1, 3), ringSize);
  return {
    version: 1,
    unlockTime: sampler.u64(),
    inputs: ins,
    outputs: outputs(sampler, sampler.below(4)),
    extra: sampler.bytes(sampler.below(80)),
    signatures: ins.map((input) => (input.type === 'key' ? sampler.list(ringSize, () => sampler.bytes(64)) : [])),
  };
}

export function madeUpV2(sampler: TestSampler, type: RctType): TransactionV2 {
  const coinbase = type === RctType.Null;
  const ringSize = sampler.between(1, 5);
  const ins = coinbase ? [coinbaseInput(sampler)] : inputs(sampler, sampler.between(1, 3), ringSize);
  const outs = outputs(sampler, sampler.between(1, 5));
  return {
    version: 2,
    unlockTime: sampler.u64(),
    inputs: ins,
    outputs: outs,
    extra: sampler.bytes(sampler.below(80)),
    rct: rctBase(sampler, type, ins.length, outs.length),
    prunable: coinbase ? undefined : rctPrunable(sampler, type, ins.length, outs.length, ringSize),
  };
}

function rctBase(sampler: TestSampler, type: RctType, ins: number, outs: number): RctBase {
  if (type === RctType.Null) return { type, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  const compact = type >= RctType.Bulletproof2;
  return {
    type,
    fee: sampler.u64(),
    pseudoOuts: type === RctType.Simple ? sampler.keys(ins) : [],
    ecdhInfo: sampler.list(outs, () => ({
      mask: compact ? undefined : sampler.bytes(32),
      amount: sampler.bytes(compact ? 8 : 32),
    })),
    outPk: sampler.keys(outs),
  };
}

function rctPrunable(sampler: TestSampler, type: RctType, ins: number, outs: number, ringSize: number): RctPrunable {
  const rounds = 6 + Math.ceil(Math.log2(outs));
  const key = () => sampler.bytes(32);
  const clsag = type >= RctType.CLSAG;
  const rows = type === RctType.Full ? ins + 1 : 2;
  const mlsagCount = clsag ? 0 : type === RctType.Full ? 1 : ins;
  const plus = {
    A: key(),
    A1: key(),
    B: key(),
    r1: key(),
    s1: key(),
    d1: key(),
    L: sampler.keys(rounds),
    R: sampler.keys(rounds),
  };
  const plain = {
    ...{ A: key(), S: key(), T1: key(), T2: key(), taux: key(), mu: key() },
    ...{ L: sampler.keys(rounds), R: sampler.keys(rounds), a: key(), b: key(), t: key() },
  };
  const hasPlain = type >= RctType.Bulletproof && type <= RctType.CLSAG;
  return {
    rangeProofs: type < RctType.Bulletproof ? sampler.list(outs, () => borromean(sampler)) : [],
    bulletproofs: hasPlain ? [plain] : [],
    bulletproofsPlus: type === RctType.BulletproofPlus ? [plus] : [],
    mlsags: sampler.list(mlsagCount, () => ({ ss: sampler.list(ringSize, () => sampler.keys(rows)), cc: key() })),
    clsags: sampler.list(clsag ? ins : 0, () => ({ s: sampler.keys(ringSize), c1: key(), D: key() })),
    pseudoOuts: type >= RctType.Bulletproof ? sampler.keys(ins) : [],
  };
}

function borromean(sampler: TestSampler): BorromeanRangeProof {
  return { s0: sampler.keys(64), s1: sampler.keys(64), ee: sampler.bytes(32), Ci: sampler.keys(64) };
}

export function madeUpBlock(sampler: TestSampler): Block {
  return {
    majorVersion: sampler.below(256),
    minorVersion: sampler.below(256),
    timestamp: sampler.u64(),
    prevId: sampler.bytes(32),
    nonce: sampler.u32(),
    minerTx:
      sampler.below(2) === 0
        ? { ...madeUpV1(sampler), inputs: [coinbaseInput(sampler)], signatures: [[]] }
        : madeUpV2(sampler, RctType.Null),
    txHashes: sampler.keys(sampler.below(5)),
  };
}
