import type { ChainSpend, OwnedOutput } from '../model.ts';

/** A mined transaction's effects on this wallet. */
export interface TxFacts {
  readonly outputs: readonly OwnedOutput[];
  readonly spends: readonly ChainSpend[];
}

/** Its lists are replaced, never changed in place: an output's list of copies may be the same array. */
export type MutableTxFacts = { -readonly [Name in keyof TxFacts]: TxFacts[Name] };

/** Shared by all empty lists. */
const NONE: never[] = [];

/** Facts of a transaction without inputs or outputs of ours. */
export const noFacts = (): MutableTxFacts => ({ outputs: NONE, spends: NONE });
