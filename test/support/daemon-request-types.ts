/** One request. `params` is the JSON text of its parameters; without it nothing is sent. */
export interface DaemonQuestion {
  readonly kind: 'rpc' | 'path';
  readonly name: string;
  readonly params?: string;
}

/** Parts of a chain that valid requests refer to: both daemons have it. */
export interface KnownChain {
  /** Number of blocks. */
  readonly height: number;
  readonly top: string;
  /** A block in the middle, its height, and a transaction in it other than the coinbase. */
  readonly block: string;
  readonly blockHeight: number;
  readonly transaction: string;
  readonly coinbase: string;
  readonly genesisCoinbase: string;
  /** Spent by that transaction. */
  readonly keyImage: string;
  readonly address: string;
  readonly subaddress: string;
  readonly integrated: string;
  readonly foreign: string;
  readonly blockBlob: string;
}

/** Types of fields. */
export type Kind = 'uint' | 'int' | 'text' | 'bool' | 'uints' | 'texts' | 'objects' | 'object';

/** A call and its requests. */
export interface Call {
  readonly kind: 'rpc' | 'path';
  readonly names: readonly string[];
  /** Fields with their types. */
  readonly fields?: Readonly<Record<string, Kind>>;
  readonly good: readonly string[];
}
