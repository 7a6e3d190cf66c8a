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
import type { TestDice } from '../../support/dice.ts';

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

function inputs(dice: TestDice, count: number, ringSize: number): TxInput[] {
  return dice.list(count, () => ({
    type: 'key',
    amount: dice.u64(),
    keyOffsets: dice.list(ringSize, () => dice.u64()),
    keyImage: dice.bytes(32),
  }));
}

function outputs(dice: TestDice, count: number): TxOutput[] {
  return dice.list(count, () => ({
    amount: dice.u64(),
    key: dice.bytes(32),
    viewTag: dice.below(2) === 0 ? undefined : dice.below(256),
  }));
}

const coinbaseInput = (dice: TestDice): TxInput => ({ type: 'gen', height: dice.below(3_000_000) });

export function madeUpV1(dice: TestDice): TransactionV1 {
  const ringSize = dice.between(1, 4);
  const ins = dice.below(4) === 0 ? [coinbaseInput(dice)] : inputs(dice, dice.between(1, 3), ringSize);
  return {
    version: 1,
    unlockTime: dice.u64(),
    inputs: ins,
    outputs: outputs(dice, dice.below(4)),
    extra: dice.bytes(dice.below(80)),
    signatures: ins.map((input) => (input.type === 'key' ? dice.list(ringSize, () => dice.bytes(64)) : [])),
  };
}

export function madeUpV2(dice: TestDice, type: RctType): TransactionV2 {
  const coinbase = type === RctType.Null;
  const ringSize = dice.between(1, 5);
  const ins = coinbase ? [coinbaseInput(dice)] : inputs(dice, dice.between(1, 3), ringSize);
  const outs = outputs(dice, dice.between(1, 5));
  return {
    version: 2,
    unlockTime: dice.u64(),
    inputs: ins,
    outputs: outs,
    extra: dice.bytes(dice.below(80)),
    rct: rctBase(dice, type, ins.length, outs.length),
    prunable: coinbase ? undefined : rctPrunable(dice, type, ins.length, outs.length, ringSize),
  };
}

function rctBase(dice: TestDice, type: RctType, ins: number, outs: number): RctBase {
  if (type === RctType.Null) return { type, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  const compact = type >= RctType.Bulletproof2;
  return {
    type,
    fee: dice.u64(),
    pseudoOuts: type === RctType.Simple ? dice.keys(ins) : [],
    ecdhInfo: dice.list(outs, () => ({
      mask: compact ? undefined : dice.bytes(32),
      amount: dice.bytes(compact ? 8 : 32),
    })),
    outPk: dice.keys(outs),
  };
}

function rctPrunable(dice: TestDice, type: RctType, ins: number, outs: number, ringSize: number): RctPrunable {
  const rounds = 6 + Math.ceil(Math.log2(outs));
  const key = () => dice.bytes(32);
  const clsag = type >= RctType.CLSAG;
  const rows = type === RctType.Full ? ins + 1 : 2;
  const mlsagCount = clsag ? 0 : type === RctType.Full ? 1 : ins;
  const plus = { A: key(), A1: key(), B: key(), r1: key(), s1: key(), d1: key(), L: dice.keys(rounds), R: dice.keys(rounds) };
  const plain = {
    ...{ A: key(), S: key(), T1: key(), T2: key(), taux: key(), mu: key() },
    ...{ L: dice.keys(rounds), R: dice.keys(rounds), a: key(), b: key(), t: key() },
  };
  const hasPlain = type >= RctType.Bulletproof && type <= RctType.CLSAG;
  return {
    rangeProofs: type < RctType.Bulletproof ? dice.list(outs, () => borromean(dice)) : [],
    bulletproofs: hasPlain ? [plain] : [],
    bulletproofsPlus: type === RctType.BulletproofPlus ? [plus] : [],
    mlsags: dice.list(mlsagCount, () => ({ ss: dice.list(ringSize, () => dice.keys(rows)), cc: key() })),
    clsags: dice.list(clsag ? ins : 0, () => ({ s: dice.keys(ringSize), c1: key(), D: key() })),
    pseudoOuts: type >= RctType.Bulletproof ? dice.keys(ins) : [],
  };
}

function borromean(dice: TestDice): BorromeanRangeProof {
  return { s0: dice.keys(64), s1: dice.keys(64), ee: dice.bytes(32), Ci: dice.keys(64) };
}

export function madeUpBlock(dice: TestDice): Block {
  return {
    majorVersion: dice.below(256),
    minorVersion: dice.below(256),
    timestamp: dice.u64(),
    prevId: dice.bytes(32),
    nonce: dice.u32(),
    minerTx:
      dice.below(2) === 0 ? { ...madeUpV1(dice), inputs: [coinbaseInput(dice)], signatures: [[]] } : madeUpV2(dice, RctType.Null),
    txHashes: dice.keys(dice.below(5)),
  };
}
