import type { Height } from '../protocol/model.ts';
import { SPENDABLE_AGE } from '../protocol/rewards.ts';
import { isUnlocked } from '../protocol/unlock.ts';
import type { OwnedOutput } from './model.ts';
import type { OutputEntry, WalletState } from './state.ts';

/** Why an output cannot go into a transaction now; undefined when it can. */
export type OutputHold =
  /** The chain spent it. */
  | 'spent'
  /** An unfailed transaction of ours, or one in the pool, takes it. */
  | 'pending'
  /** The person set it aside. */
  | 'frozen'
  /** Too young, or its unlock time has not come (T9). */
  | 'locked'
  /** View-only, and its key image was not imported. */
  | 'no-key-image';

/**
 * Whether the chain lets an output be spent in the block at `height` (wallet2.cpp, is_transfer_unlocked).
 * @param now unix seconds
 */
export function isSpendableAt(output: Pick<OwnedOutput, 'height' | 'unlockTime'>, height: Height, now: number): boolean {
  return output.height + SPENDABLE_AGE <= height && isUnlocked(output.unlockTime, height, now);
}

/** @param now unix seconds */
export function holdOf(state: WalletState, entry: OutputEntry, now: number): OutputHold | undefined {
  const { output, spend } = entry;
  if (spend !== undefined) return 'spent';
  const image = output.keyImage;
  if (image !== undefined && state.unplacedSpends.has(image)) return 'spent';
  if (image !== undefined && (state.committed.has(image) || state.pool.spends.has(image))) return 'pending';
  if (state.frozen.has(output.key)) return 'frozen';
  if (!isSpendableAt(output, state.height, now)) return 'locked';
  return image === undefined ? 'no-key-image' : undefined;
}

/** A view-only wallet plans with outputs whose key images only its cold half can tell; the cold half signs all the same. */
export function mayLackKeyImage(state: WalletState, hold: OutputHold): boolean {
  return hold === 'no-key-image' && state.description.kind === 'view';
}

/**
 * Outputs that can go into a transaction now, in chain order. Burnt copies are not among them (T7): an entry stands
 * for its one copy that counts.
 * @param minors subaddresses of the account to take from; all when empty or absent
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

/** Order in which the chain showed them. */
export function byChainOrder(a: OwnedOutput, b: OwnedOutput): number {
  return a.height - b.height || Number(a.globalIndex - b.globalIndex) || a.outputIndex - b.outputIndex;
}
