import type { TxHash } from '../protocol/model.ts';

/** Transactions of the chain that touch the wallet, as they came: whoever follows them need not start over at each change. */
export interface Arrivals {
  /** Moves when what came before is not what it was. */
  readonly rewrites: number;
  readonly hashes: readonly TxHash[];
}

export interface MutableArrivals {
  rewrites: number;
  hashes: TxHash[];
}

export const noArrivals = (): MutableArrivals => ({ rewrites: 0, hashes: [] });

/** After a reorganisation, a spend learned late, or a second copy of an output key. */
export const rewritten = ({ rewrites }: Arrivals, known: Iterable<TxHash>): MutableArrivals => ({
  rewrites: rewrites + 1,
  hashes: [...known],
});
