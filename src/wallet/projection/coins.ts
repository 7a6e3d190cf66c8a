import { type Height, isUnlocked, type KeyImage, SPENDABLE_AGE, type TxHash } from '../../protocol/index.ts';
import type { OutputView, UnspendableReason } from '../api.ts';
import type { ChainSpend, OwnedOutput } from '../model.ts';
import { entryOfImage, type OutputEntry, type WalletState } from '../state/state.ts';
import { isPending } from './pending.ts';

/**
 * Whether the chain lets an output be spent in the block at `height` (wallet2.cpp, is_transfer_unlocked).
 * @param now unix seconds
 */
export function isSpendableAt(output: Pick<OwnedOutput, 'height' | 'unlockTime'>, height: Height, now: number): boolean {
  return output.height + SPENDABLE_AGE <= height && isUnlocked(output.unlockTime, height, now);
}

/** Whether a sent transaction, or one in the pool, spends an output: it is then in no balance. */
export function isTaken(state: WalletState, { keyImage }: OwnedOutput): boolean {
  if (keyImage === undefined) return false;
  return state.pool.spends.has(keyImage) || state.committed.has(keyImage);
}

/** Whether an output is spent: on the chain, according to a trusted daemon, or by a transaction that is not mined yet. */
export function isSpent(state: WalletState, { output, spend }: OutputEntry): boolean {
  return spend !== undefined || isUnplaced(state, output) || isTaken(state, output);
}

/** Whether a trusted daemon says that an output is spent, by a transaction that was not seen. */
const isUnplaced = (state: WalletState, { keyImage }: OwnedOutput): boolean =>
  keyImage !== undefined && state.unplacedSpends.has(keyImage);

/** The mined transaction that spent the output of a key image; undefined if there is none or the output is unknown. */
export function spendOf(state: WalletState, image: KeyImage): ChainSpend | undefined {
  return entryOfImage(state, image)?.spend;
}

/** @param now unix seconds */
export function holdOf(state: WalletState, { output, spend }: OutputEntry, now: number): UnspendableReason | undefined {
  if (spend !== undefined || isUnplaced(state, output)) return 'spent';
  if (isTaken(state, output)) return 'pending';
  if (state.frozen.has(output.key)) return 'frozen';
  if (!isSpendableAt(output, state.height, now)) return 'locked';
  return output.keyImage === undefined ? 'no-key-image' : undefined;
}

/** A view-only wallet may plan with outputs whose key images only its cold half knows, since the cold half signs. */
function mayLackKeyImage(state: WalletState, hold: UnspendableReason): boolean {
  return hold === 'no-key-image' && state.description.kind === 'view';
}

/**
 * Outputs that can be spent now, in chain order. Burnt copies are not included (T7): an entry stands for the one copy that counts.
 * @param minors subaddresses of the account to use; all when empty or absent
 * @param now unix seconds
 */
export function spendableOutputs(state: WalletState, account: number, now: number, minors?: readonly number[]): OwnedOutput[] {
  const wanted = minors === undefined || minors.length === 0 ? undefined : new Set(minors);
  const found: OwnedOutput[] = [];
  for (const key of state.unspent) {
    const entry = state.outputs.get(key)!;
    const { major, minor } = entry.output.subaddress;
    if (major !== account || (wanted !== undefined && !wanted.has(minor))) continue;
    const hold = holdOf(state, entry, now);
    if (hold === undefined || mayLackKeyImage(state, hold)) found.push(entry.output);
  }
  return found.sort(byChainOrder);
}

/** Sorts by the order on the chain. */
export function byChainOrder(a: OwnedOutput, b: OwnedOutput): number {
  return a.height - b.height || Number(a.globalIndex - b.globalIndex) || a.outputIndex - b.outputIndex;
}

/**
 * Outputs for the coin list, in chain order, without burnt copies (T7).
 * @param now unix seconds
 */
export function outputViews(state: WalletState, entries: readonly OutputEntry[], now: number): readonly OutputView[] {
  const inOrder = [...entries].sort((a, b) => byChainOrder(a.output, b.output));
  return inOrder.map((entry) => outputView(state, entry, now));
}

/** @param now unix seconds */
export function outputView(state: WalletState, entry: OutputEntry, now: number): OutputView {
  const { output } = entry;
  const { key, keyImage, txHash, outputIndex, globalIndex, amount } = output;
  const { height, timestamp, subaddress, coinbase, unlockTime } = output;
  return {
    ...{ key, keyImage, txHash, outputIndex, globalIndex, amount, height, timestamp, subaddress, coinbase, unlockTime },
    unlocked: isSpendableAt(output, state.height, now),
    frozen: state.frozen.has(output.key),
    name: state.outputNames.get(output.key) ?? '',
    hold: holdOf(state, entry, now),
    spentBy: spenderOf(state, entry),
  };
}

/** Id of the transaction that spends an output: mined, pending, or somebody's in the pool. */
function spenderOf(state: WalletState, { output, spend }: OutputEntry): TxHash | undefined {
  if (spend !== undefined || output.keyImage === undefined) return spend?.txHash;
  const txHash = state.committed.get(output.keyImage);
  const sent = txHash === undefined ? undefined : state.sent.get(txHash);
  if (sent !== undefined && isPending(state, sent)) return txHash;
  return state.pool.spends.get(output.keyImage);
}
