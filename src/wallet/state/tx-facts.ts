import type { ChainSpend, OwnedOutput } from '../model.ts';

/** A transaction's effects on this wallet, by the chain. */
export interface TxFacts {
  readonly outputs: readonly OwnedOutput[];
  readonly spends: readonly ChainSpend[];
}

export interface MutableTxFacts {
  outputs: OwnedOutput[];
  spends: ChainSpend[];
}

/** Stands for every list without items; nothing is put into it. */
const NONE: never[] = [];

export const noFacts = (): MutableTxFacts => ({ outputs: NONE, spends: NONE });

/** The list with one more. Most lists have one item or none, and a wallet has two a transaction: an engine keeps room for seventeen in a list that began empty. */
export function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
