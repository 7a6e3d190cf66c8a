import type { OutputKey } from '../protocol/model.ts';
import { SPENDABLE_AGE } from '../protocol/rewards.ts';
import type { OwnedOutput } from './model.ts';
import type { WalletState } from './state.ts';

/** Outputs of one subaddress that are old enough and never locked: nothing but a spend changes what they are to a balance. */
export interface SettledSum {
  readonly major: number;
  readonly minor: number;
  amount: bigint;
  count: number;
}

/** What is settled, and what has to be looked at one by one. Followed as the chain grows, so that a balance need not look at every output. */
export interface Settled {
  readonly sums: ReadonlyMap<string, SettledSum>;
  /** In the sums, for now. */
  readonly keys: ReadonlySet<OutputKey>;
  /** Unspent and not in the sums: young, or with an unlock time. */
  readonly open: ReadonlySet<OutputKey>;
}

interface Following {
  readonly rewrites: number;
  /** Of `state.transactionLog.hashes`, how many are in here. */
  done: number;
  readonly sums: Map<string, SettledSum>;
  readonly keys: Set<OutputKey>;
  readonly open: Set<OutputKey>;
}

const following = new WeakMap<WalletState, Following>();

export function settled(state: WalletState): Settled {
  const { rewrites, hashes } = state.transactionLog;
  let known = following.get(state);
  if (known?.rewrites !== rewrites) {
    known = { rewrites, done: 0, sums: new Map(), keys: new Set(), open: new Set() };
    following.set(state, known);
  }
  for (; known.done < hashes.length; known.done++) {
    const { outputs, spends } = state.transactions.get(hashes[known.done]!)!;
    for (const { key } of outputs) known.open.add(key);
    for (const { keyImage } of spends) leave(known, state, state.byKeyImage.get(keyImage));
  }
  for (const key of known.open) settle(known, state, key);
  return known;
}

function leave(known: Following, state: WalletState, key: OutputKey | undefined): void {
  if (key === undefined || !known.keys.delete(key)) return;
  const { output } = state.outputs.get(key)!;
  const sum = sumOf(known, output);
  sum.amount -= output.amount;
  sum.count -= 1;
}

function settle(known: Following, state: WalletState, key: OutputKey): void {
  if (!state.unspent.has(key)) {
    known.open.delete(key);
    return;
  }
  const { output } = state.outputs.get(key)!;
  if (output.unlockTime !== 0n || output.height + SPENDABLE_AGE > state.height) return;
  known.open.delete(key);
  known.keys.add(key);
  const sum = sumOf(known, output);
  sum.amount += output.amount;
  sum.count += 1;
}

function sumOf({ sums }: Following, { subaddress: { major, minor } }: OwnedOutput): SettledSum {
  const id = `${major}/${minor}`;
  let sum = sums.get(id);
  if (sum === undefined) {
    sum = { major, minor, amount: 0n, count: 0 };
    sums.set(id, sum);
  }
  return sum;
}
