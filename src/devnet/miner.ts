import { concatBytes, hexToBytes, wipe } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import {
  type AddressKeys,
  type Block,
  blockReward,
  COINBASE_UNLOCK_WINDOW,
  decodeAddress,
  RctType,
  serializeBlock,
  serializeExtra,
  serializeTransaction,
  type Transaction,
} from '../protocol/index.ts';
import type { Chain } from './chain.ts';
import { DevnetError } from './errors.ts';
import { type ParsedBlock, type ParsedTransaction, parseWholeBlock, withBlob } from './parsed.ts';
import type { Pool } from './pool.ts';
import type { PoolTransaction } from './pool-entry.ts';
import { BLOCK_VERSION, type ChainNetwork, COINBASE_RESERVED_WEIGHT, ERA } from './rules.ts';

/** The next block without its proof of work: its nonce is 0, which suffices at difficulty 1. */
export interface Template {
  readonly parsed: ParsedBlock;
  readonly minerTx: ParsedTransaction;
  readonly transactions: readonly PoolTransaction[];
  /** Coinbase amount, with fees. */
  readonly reward: bigint;
}

/**
 * The address of a miner.
 * @param network whose prefix it must have: regtest's is mainnet's
 * @throws DevnetError `bad-address` unless it is of this network; `subaddress`
 */
export function minerAddress(text: string, network: ChainNetwork = 'regtest'): AddressKeys {
  try {
    const { kind, spendKey, viewKey } = decodeAddress(text, network);
    if (kind !== 'subaddress') return { spendKey, viewKey };
  } catch {
    throw new DevnetError('bad-address', 'expected an address of this network');
  }
  throw new DevnetError('subaddress', 'expected a main address: a coinbase cannot pay to a subaddress');
}

/**
 * A coinbase transaction with one tagged output (cryptonote_tx_utils.cpp construct_miner_tx).
 * @param nonce up to 255 bytes that make it differ
 */
export function buildCoinbase(
  height: number,
  reward: bigint,
  address: AddressKeys,
  random: Random,
  nonce: Uint8Array = new Uint8Array(1),
): Transaction {
  const inputs = [{ type: 'gen', height }] as const;
  const outputs = [{ address: { ...address, isSubaddress: false }, amount: reward }];
  const made = ERA.outputs.make({ version: 2, inputs, outputs, change: undefined, paymentId: undefined }, random);
  if (typeof made === 'string') throw new DevnetError('bad-address', 'expected an address whose keys are points');
  wipe(...made.txKeys);
  return {
    version: 2,
    unlockTime: BigInt(height + COINBASE_UNLOCK_WINDOW),
    inputs,
    outputs: made.outputs.map(({ output }) => output),
    extra: nonce.length > 0 ? concatBytes(made.extra, serializeExtra([{ type: 'nonce', nonce }])) : made.extra,
    rct: { type: RctType.Null, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
    prunable: undefined,
  };
}

/** Recipient and time of a new block. */
export interface TemplateRequest {
  readonly address: AddressKeys;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly random: Random;
  readonly nonce?: Uint8Array | undefined;
}

/** What a template is to hold. */
export interface TemplateOptions {
  /** Bytes of tx_extra's nonce in the coinbase. */
  readonly nonce?: Uint8Array | undefined;
  /** Leaves out transactions that are not relayed yet, as a restricted monerod 0.18.5.3 does. */
  readonly relayedOnly?: boolean | undefined;
}

/** Transactions of the next block, and its reward. */
export interface BlockContents {
  readonly transactions: readonly PoolTransaction[];
  /** Atomic units: of the coinbase, with the fees. */
  readonly reward: bigint;
}

/** As many transactions of the pool as fit into the next block without penalty. */
export function selectBlockContents(chain: Chain, pool: Pool, relayedOnly = false): BlockContents {
  const transactions: PoolTransaction[] = [];
  let weight = 0;
  for (const entry of pool.readyForTemplate()) {
    if (relayedOnly && entry.doNotRelay) continue;
    if (weight + entry.weight > chain.weightMedian - COINBASE_RESERVED_WEIGHT) continue;
    weight += entry.weight;
    transactions.push(entry);
  }
  const fees = transactions.reduce((sum, tx) => sum + tx.fee, 0n);
  return { transactions, reward: blockReward(chain.weightMedian, weight, chain.top.generatedCoins, ERA)! + fees };
}

/** The next block, with transactions. */
export function buildTemplate(chain: Chain, pool: Pool, request: TemplateRequest, relayedOnly?: boolean): Template {
  const { transactions, reward } = selectBlockContents(chain, pool, relayedOnly);
  return assemble(chain.top, reward, transactions, request);
}

/** A block without transactions on top of any known block. */
export function buildEmptyBlockOn(parent: TemplateParent, request: TemplateRequest, weightMedian: number): Template {
  return assemble(parent, blockReward(weightMedian, 0, parent.generatedCoins, ERA)!, [], request);
}

/** The parts of a block that its child depends on. */
export interface TemplateParent {
  readonly id: string;
  readonly height: number;
  readonly generatedCoins: bigint;
}

function assemble(
  parent: TemplateParent,
  reward: bigint,
  transactions: readonly PoolTransaction[],
  { address, timestamp, random, nonce }: TemplateRequest,
): Template {
  const coinbase = buildCoinbase(parent.height + 1, reward, address, random, nonce);
  const block: Block = {
    majorVersion: BLOCK_VERSION,
    minorVersion: BLOCK_VERSION,
    timestamp: BigInt(timestamp),
    prevId: hexToBytes(parent.id),
    nonce: 0,
    minerTx: coinbase,
    txHashes: transactions.map((tx) => hexToBytes(tx.id)),
  };
  const parsed = parseWholeBlock(serializeBlock(block));
  return { parsed, minerTx: withBlob(coinbase, serializeTransaction(coinbase)), transactions, reward };
}
