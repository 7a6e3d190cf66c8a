import { CodedError, type ErrorData } from '../base/index.ts';

/** Expectations by code, which says why a reply could not be scanned. All but the last five are the kernel's (`wasm/scan/errors.ts`). */
const EXPECTED = {
  /** Not portable storage, or a field of another type than expected. */
  'bad-storage': 'expected portable storage with blocks and their output indices',
  /** An invalid block blob. */
  'bad-block': 'expected a block',
  /** An invalid transaction blob. */
  'bad-transaction': 'expected a transaction',
  /** The numbers of blocks, transactions, their ids and their output indices do not match. */
  'count-mismatch': 'expected as many transactions and output indices as the blocks name',
  /** A coinbase with another height than the reply. */
  'height-mismatch': 'expected the coinbase to state the height that the reply gives its block',
  /** A whole transaction whose bytes do not hash to its id. */
  'id-mismatch': 'expected a transaction that hashes to the id in its block',
  /** The first new block is of a protocol version newer than this program knows. */
  'unknown-version': 'expected a block of a protocol version up to 16',
  /** More bytes, blocks or transactions than a reply may have. */
  'too-large': 'expected a reply within its limits',
  /** The memory of the kernel cannot grow. */
  'out-of-memory': 'expected the memory of the kernel to grow',
  /** The daemon's status is not OK. */
  'bad-status': 'expected the status OK',
  /** WebAssembly with SIMD, or the built kernels, are missing. */
  'no-kernel': 'expected WebAssembly with SIMD, and the built kernels',
  /** The file of the scan threads is not next to the library: both were bundled into one file. */
  'no-thread':
    'expected the scan threads beside the library: bundle the program without this package (esbuild --packages=external)',
  /** `setAccount` was not called. */
  'no-account': 'expected an account to scan for',
  /** The pool was closed, or the worker ended. */
  closed: 'expected a scan pool that is open',
  /** A worker's answer was not a valid one. */
  'worker-failed': 'expected an answer from the scan worker',
};

/** Why a reply could not be scanned. Closed. */
export type ScanErrorCode = keyof typeof EXPECTED;

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

/** An error of scanning. `data.offset` is where the kernel stopped, in the reply or in the slice of a long one. */
export class ScanError extends CodedError<ScanErrorCode> {
  override readonly name = 'ScanError';

  constructor(code: ScanErrorCode, data: ErrorData = {}) {
    super(code, EXPECTED[code], data);
  }
}
