import { bytesToHex } from '../base/index.ts';
import { type Block, blockReward, COINBASE_UNLOCK_WINDOW, median, RctType, totalOf } from '../protocol/index.ts';
import type { Chain } from './chain.ts';
import { checkAgainstChain, checkSemantics, checkWeight } from './consensus.ts';
import { RejectedError } from './errors.ts';
import { keyImagesOf, type ParsedBlock, type ParsedTransaction } from './parsed.ts';
import { BLOCK_VERSION, ERA, FUTURE_TIME_LIMIT, TIMESTAMP_WINDOW } from './rules.ts';

/**
 * Whether a block may be the next one (blockchain.cpp handle_block_to_main_chain). Its proof of work is not checked: the test chain's
 * difficulty is 1, which every hash meets.
 * @param transactions of the block, in its order
 * @param checked ids of transactions whose own rules and signatures were checked against this chain
 * @throws RejectedError
 */
export function checkBlock(
  chain: Chain,
  parsed: ParsedBlock,
  minerTx: ParsedTransaction,
  transactions: readonly ParsedTransaction[],
  now: number,
  checked: ReadonlySet<string> = new Set(),
): void {
  const { block } = parsed;
  if (bytesToHex(block.prevId) !== chain.top.id)
    throw new RejectedError('block-parent-unknown', 'expected a block that follows the newest one');
  checkVersion(block);
  checkTimestamp(block, chain.timestamps(TIMESTAMP_WINDOW), now);
  checkCoinbase(chain.height, minerTx);
  checkTransactions(chain, transactions, checked);
  const weight = transactions.reduce((sum, tx) => sum + tx.weight, minerTx.weight);
  const reward = blockReward(chain.weightMedian, weight, chain.top.generatedCoins, ERA);
  if (reward === undefined) throw new RejectedError('block-weight', `expected a weight of at most ${2 * chain.weightMedian}`);
  const fees = transactions.reduce((sum, tx) => sum + tx.fee, 0n);
  const claimed = totalOf(minerTx.tx.outputs);
  if (claimed !== reward + fees)
    throw new RejectedError('block-reward', `expected a coinbase of ${reward + fees} atomic units, got ${claimed}`);
}

/** Checks a block's version, before its parent is looked up. @throws RejectedError */
export function checkVersion({ majorVersion, minorVersion }: Pick<Block, 'majorVersion' | 'minorVersion'>): void {
  if (majorVersion !== BLOCK_VERSION || minorVersion < BLOCK_VERSION)
    throw new RejectedError('block-version', `expected a block of version ${BLOCK_VERSION}`);
}

/** @param before timestamps of the preceding blocks, up to the window @throws RejectedError */
export function checkTimestamp({ timestamp }: Pick<Block, 'timestamp'>, before: readonly number[], now: number): void {
  if (Number(timestamp) > now + FUTURE_TIME_LIMIT)
    throw new RejectedError('block-timestamp', 'expected a timestamp that is not far ahead');
  if (before.length < TIMESTAMP_WINDOW) return;
  const oldest = median(before);
  if (Number(timestamp) < oldest) throw new RejectedError('block-timestamp', `expected a timestamp of at least ${oldest}`);
}

/** Checks a coinbase on its own; its amounts are checked later. @throws RejectedError */
export function checkCoinbase(height: number, { tx }: ParsedTransaction): void {
  const input = tx.inputs[0];
  if (!ERA.coinbaseVersions.includes(tx.version) || tx.inputs.length !== 1 || input?.type !== 'gen' || input.height !== height) {
    throw new RejectedError(
      'block-coinbase',
      `expected a coinbase transaction of version ${ERA.coinbaseVersions} for height ${height}`,
    );
  }
  if (tx.unlockTime !== BigInt(height + COINBASE_UNLOCK_WINDOW)) {
    throw new RejectedError('block-coinbase', `expected a coinbase locked for ${COINBASE_UNLOCK_WINDOW} blocks`);
  }
  if (tx.version === 2 && tx.rct.type !== RctType.Null)
    throw new RejectedError('block-coinbase', 'expected a coinbase without signatures');
  if (totalOf(tx.outputs) >> 64n !== 0n)
    throw new RejectedError('block-coinbase', 'expected a coinbase that pays less than 2^64');
  // Whether their keys are points is the miner's own business: the reference does not check.
  if (!ERA.allowsOutputs(tx.outputs)) throw new RejectedError('block-coinbase', 'expected tagged outputs');
}

function checkTransactions(chain: Chain, transactions: readonly ParsedTransaction[], checked: ReadonlySet<string>): void {
  const spent = new Set<string>();
  for (const parsed of transactions) {
    if (chain.transaction(parsed.id) !== undefined)
      throw new RejectedError('block-transaction-repeated', 'expected new transactions');
    for (const image of keyImagesOf(parsed)) {
      if (spent.has(image)) throw new RejectedError('double-spend', 'expected each key image once in a block');
      spent.add(image);
    }
    if (checked.has(parsed.id)) continue;
    checkWeight(parsed);
    checkSemantics(parsed);
    checkAgainstChain(chain, parsed);
  }
}
