import type { OutputKey } from '../protocol/model.ts';
import { indexKey, type OutputEntry, type WalletState } from './state.ts';

/** An output and its place in the order of first appearance. */
interface Placed {
  readonly key: OutputKey;
  readonly place: number;
}

/** Outputs by account and by subaddress, followed as the chain grows, so that a part of a wallet is not looked for in all of it. */
interface Following {
  readonly rewrites: number;
  /** Of `state.transactionLog.hashes`, how many are in here. */
  done: number;
  readonly placed: Set<OutputKey>;
  readonly accounts: Map<number, Placed[]>;
  readonly subaddresses: Map<string, Placed[]>;
}

const following = new WeakMap<WalletState, Following>();

/**
 * Outputs of an account in the order in which the chain showed them, spent ones included.
 * @param minors of these subaddresses alone; of all when empty
 */
export function outputsOf(state: WalletState, major: number, minors: readonly number[]): OutputEntry[] {
  const { accounts, subaddresses, placed } = follow(state);
  // All there are: in this order already, and not to be looked up one by one.
  if (minors.length === 0 && accounts.get(major)?.length === placed.size) return [...state.outputs.values()];
  const found =
    minors.length === 0
      ? (accounts.get(major) ?? [])
      : [...new Set(minors)]
          .flatMap((minor) => subaddresses.get(indexKey({ major, minor })) ?? [])
          .sort((a, b) => a.place - b.place);
  return found.map(({ key }) => state.outputs.get(key)!);
}

function follow(state: WalletState): Following {
  const { rewrites, hashes } = state.transactionLog;
  let known = following.get(state);
  if (known?.rewrites !== rewrites) {
    known = { rewrites, done: 0, placed: new Set(), accounts: new Map(), subaddresses: new Map() };
    following.set(state, known);
  }
  for (; known.done < hashes.length; known.done++) {
    for (const { key, subaddress } of state.transactions.get(hashes[known.done]!)!.outputs) {
      // A second copy of a key is the same output (T7).
      if (known.placed.has(key)) continue;
      const placed = { key, place: known.placed.size };
      known.placed.add(key);
      push(known.accounts, subaddress.major, placed);
      push(known.subaddresses, indexKey(subaddress), placed);
    }
  }
  return known;
}

function push<K>(lists: Map<K, Placed[]>, at: K, placed: Placed): void {
  const list = lists.get(at);
  if (list === undefined) lists.set(at, [placed]);
  else list.push(placed);
}
