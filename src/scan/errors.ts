/** Why a reply could not be scanned. Closed; all but the last four are the kernel's (`wasm/scan/errors.ts`). */
export type ScanErrorCode =
  /** Not portable storage, or a field of another type than expected. */
  | 'bad-storage'
  /** A block blob that is none. */
  | 'bad-block'
  /** A transaction blob that is none. */
  | 'bad-transaction'
  /** Blocks, transactions, their ids and their output indices do not agree in number. */
  | 'count-mismatch'
  /** A coinbase that states another height than the reply. */
  | 'height-mismatch'
  /** A whole transaction whose bytes do not hash to its id. */
  | 'id-mismatch'
  /** The first new block is of a protocol version newer than this program knows. */
  | 'unknown-version'
  /** More bytes, blocks or transactions than a reply may hold. */
  | 'too-large'
  /** The memory of the kernel cannot grow. */
  | 'out-of-memory'
  /** The daemon says another status than OK. */
  | 'bad-status'
  /** WebAssembly with SIMD, or the built kernels, are missing. */
  | 'no-kernel'
  /** `setAccount` was not called. */
  | 'no-account'
  /** The pool was closed, or the worker ended. */
  | 'closed'
  /** A worker answered with something that is no answer. */
  | 'worker-failed';

/** Codes by the kernel's numbers; 0 is no error. */
export const KERNEL_CODES: readonly ScanErrorCode[] = [
  'worker-failed',
  'bad-storage',
  'bad-block',
  'bad-transaction',
  'count-mismatch',
  'height-mismatch',
  'id-mismatch',
  'unknown-version',
  'too-large',
  'out-of-memory',
  'bad-status',
];

const EXPECTED: Readonly<Record<ScanErrorCode, string>> = {
  'bad-storage': 'expected portable storage with blocks and their output indices',
  'bad-block': 'expected a block',
  'bad-transaction': 'expected a transaction',
  'count-mismatch': 'expected as many transactions and output indices as the blocks name',
  'height-mismatch': 'expected the coinbase to state the height that the reply gives its block',
  'id-mismatch': 'expected a transaction that hashes to the id in its block',
  'unknown-version': 'expected a block of a protocol version up to 16',
  'too-large': 'expected a reply within its limits',
  'out-of-memory': 'expected the memory of the kernel to grow',
  'bad-status': 'expected the status OK',
  'no-kernel': 'expected WebAssembly with SIMD, and the built kernels',
  'no-account': 'expected an account to scan for',
  closed: 'expected a scan pool that is open',
  'worker-failed': 'expected an answer from the scan worker',
};

/** The error of scanning. `data.offset` is the place where the kernel stopped, in the reply or in the slice of a long one. */
export class ScanError extends Error {
  override readonly name = 'ScanError';
  readonly code: ScanErrorCode;
  readonly data: Readonly<Record<string, number>>;

  constructor(code: ScanErrorCode, data: Readonly<Record<string, number>> = {}) {
    super(EXPECTED[code]);
    this.code = code;
    this.data = data;
  }
}
