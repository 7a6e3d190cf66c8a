import { u64ToBytes } from '../../src/base/index.ts';
import { keccak256, loadCrypto, type Random } from '../../src/crypto/index.ts';
import { Faucet, randomBelow } from '../../src/devnet/faucet.ts';
import { MinerWallet } from '../../src/devnet/miner-wallet.ts';
import { DevnetNode } from '../../src/devnet/node.ts';
import { type ParsedTransaction, parseWholeTransaction, withBlob } from '../../src/devnet/parsed.ts';
import { buildPayment, type PaymentInput } from '../../src/devnet/payment.ts';
import type { Database } from '../../src/devnet/store/database.ts';
import { serializeTransaction, type Transaction, type TransactionV2 } from '../../src/protocol/index.ts';

export const COIN = 1_000_000_000_000n;

/** Calls in the binary form. */
export const BINARY = [
  'get_blocks.bin',
  'get_hashes.bin',
  'get_blocks_by_height.bin',
  'get_o_indexes.bin',
  'get_outs.bin',
  'get_output_distribution.bin',
];

/** Bytes that are the same in every run. */
export function seededRandom(seed: string): Random {
  let counter = 0n;
  const block = () => keccak256(new TextEncoder().encode(seed), u64ToBytes(counter++));
  return {
    bytes(count) {
      const bytes = new Uint8Array(count);
      for (let at = 0; at < count; at += 32) bytes.set(block().subarray(0, Math.min(32, count - at)), at);
      return bytes;
    },
  };
}

export interface TestChain extends OwnPayments {
  readonly node: DevnetNode;
  readonly minerWallet: MinerWallet;
  readonly faucet: Faucet;
  readonly random: Random;
  mine(count: number): void;
}

export const FEE = 5_000_000_000n;

/** A node with its own miner's wallet, and `blocks` blocks mined to it; the same one in every run with one seed. */
export async function testChain(blocks = 85, seed = 'devnet', database?: Database): Promise<TestChain> {
  await loadCrypto();
  const random = seededRandom(seed);
  let made: DevnetNode | undefined;
  const now = () => 1_800_000_000 + (made?.chain.height ?? 0) * 120;
  const node = new DevnetNode({ random, now, ...(database === undefined ? {} : { database }) });
  made = node;
  const minerWallet = new MinerWallet(node, random.bytes(32));
  const faucet = new Faucet(node, minerWallet, random);
  const mine = (count: number) => {
    for (let i = 0; i < count; i++) node.mine(minerWallet);
  };
  mine(blocks);
  return { node, minerWallet, faucet, random, mine, ...paymentsOf(minerWallet, random, COIN) };
}

/** Payments of a miner's wallet to itself. */
export interface OwnPayments {
  /** An input worth spending, in an honest ring. */
  input(): PaymentInput;
  /** A signed payment. */
  pay(change?: Partial<{ inputs: readonly PaymentInput[]; amount: bigint; fee: bigint }>): ParsedTransaction;
}

/** @param least that an input is worth, atomic units */
export function paymentsOf(minerWallet: MinerWallet, random: Random, least = 2n * COIN): OwnPayments {
  const input = () => minerWallet.input(minerWallet.pick(least)!, (below) => randomBelow(random, below))!;
  const { spendKey, viewKey } = minerWallet;
  const destination = { kind: 'standard', spendKey, viewKey, paymentId: undefined } as const;
  const pay: OwnPayments['pay'] = ({ inputs = [input()], amount = COIN, fee = FEE } = {}) =>
    parseWholeTransaction(buildPayment({ inputs, destination, amount, fee, change: minerWallet, random }));
  return { input, pay };
}

/** A transaction with something changed, as a whole object: not every change could be on the wire. */
export function mutated(original: ParsedTransaction, change: (tx: TransactionV2) => Transaction): ParsedTransaction {
  if (original.tx.version !== 2) throw new Error('expected a transaction of version 2');
  return { ...original, tx: change(original.tx) };
}

/** A transaction with something changed, with the bytes and the id that follow. */
export function rewritten(original: ParsedTransaction, change: (tx: TransactionV2) => Transaction): ParsedTransaction {
  const { tx } = mutated(original, change);
  return withBlob(tx, serializeTransaction(tx));
}

/** The next byte string: 32 bytes that are not the same. */
export function flipped(bytes: Uint8Array, at = 0): Uint8Array {
  const copy = bytes.slice();
  copy[at]! ^= 1;
  return copy;
}

/** The code of what a call throws; undefined when it returns. */
export function codeOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return undefined;
}
