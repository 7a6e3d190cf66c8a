import type { ChainSpend, OwnedOutput } from '../model.ts';

/** A transaction's effects on this wallet, by the chain. */
export interface TxFacts {
  readonly outputs: readonly OwnedOutput[];
  readonly spends: readonly ChainSpend[];
}

/** Its lists are replaced, never changed: an output's list of copies may be the same one. */
export type MutableTxFacts = { -readonly [Name in keyof TxFacts]: TxFacts[Name] };

/** Stands for every list without items. */
const NONE: never[] = [];

/** Facts of a transaction without inputs or outputs of ours. */
export const noFacts = (): MutableTxFacts => ({ outputs: NONE, spends: NONE });
