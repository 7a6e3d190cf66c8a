/** One request. `params` is the JSON text of what the call is given; without it nothing is sent. */
export interface DaemonQuestion {
  readonly kind: 'rpc' | 'path';
  readonly name: string;
  readonly params?: string;
}

/** What of a chain the good forms name: both daemons have it. */
export interface KnownChain {
  /** Number of blocks. */
  readonly height: number;
  readonly top: string;
  /** A block in the middle, its height, and a transaction in it that is no coinbase one. */
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

/** A call and what it is asked. */
export interface Call {
  readonly kind: 'rpc' | 'path';
  readonly names: readonly string[];
  /** Fields with the type that they want. */
  readonly fields?: Readonly<Record<string, Kind>>;
  readonly good: readonly string[];
}
