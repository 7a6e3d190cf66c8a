import type { KernelOptions } from '../crypto/field-module.ts';
import { type Kernels, loadKernels } from '../crypto/kernels.ts';
import type { CurveExports } from '../crypto/kernels-exports.ts';
import { newestVersionScannedBy } from '../protocol/index.ts';
import { blockColumns, outputColumns, putBlock, putOutput } from './columns.ts';
import { KERNEL_CODES, ScanError } from './errors.ts';
import { type RecordExports, type RecordLayout, recordLayoutOf } from './records.ts';
import type { BlockColumns, OutputColumns, ScanAccount, ScanFindings } from './types.ts';

interface ScanExports extends CurveExports, RecordExports {
  readonly VIEW_KEY: WebAssembly.Global;
  allocateSpendKeys(count: number): number;
  indexSpendKeys(count: number): void;
  forgetAccount(): void;
  scanReply(at: number, size: number, newest: number): number;
}

/** The newest protocol version whose blocks this kernel scans. */
const NEWEST_SCANNED = newestVersionScannedBy('derivations');
/** A reply is at most 100 MB, plus the block that exceeds them and the storage format around it. */
const MAX_REPLY = 128 * 2 ** 20;
/** An instance whose memory has grown past this is replaced once replies are small again; replaced sooner, instances would pile up. */
const KEEP_MEMORY = 32 * 2 ** 20;

/** Points of a warm-up: enough for the engine to optimize the code; a few hundredths of a second before it does. */
const WARM_UP = 64;

/** A copy of an account, for a kernel that wipes its key after use. */
export function copyAccount(account: ScanAccount): ScanAccount {
  return { ...account, viewKey: account.viewKey.slice(), spendKeys: account.spendKeys.slice() };
}

/**
 * The scan kernel's host: one instance, one account, one reply at a time, synchronous. The reply is copied into the instance's memory,
 * which never shrinks, and walked there: pass a long one in slices (`slices.ts`).
 */
export class ScanKernel {
  #kernels: Kernels<ScanExports>;
  #account: ScanAccount | undefined;

  private constructor(kernels: Kernels<ScanExports>) {
    this.#kernels = kernels;
  }

  /** @throws CryptoError `kernel-unavailable` */
  static async load(options: KernelOptions = {}): Promise<ScanKernel> {
    return new ScanKernel(await loadKernels<ScanExports>(options));
  }

  /** The field module in use. */
  get field(): 'fma' | 'ext' {
    return this.#kernels.field;
  }

  /** Bytes of memory that the instance holds. */
  get memory(): number {
    return this.#kernels.exports.memory.buffer.byteLength;
  }

  /** Scans for this account from now on. The bytes are copied; the caller wipes its own. */
  setAccount(account: ScanAccount): void {
    this.forget();
    this.#account = copyAccount(account);
    this.#kernels = this.#kernels.fresh();
    this.#install(this.#account);
  }

  #install({ viewKey, spendKeys }: ScanAccount): void {
    const { exports } = this.#kernels;
    const count = spendKeys.length / 32;
    const at = exports.allocateSpendKeys(count);
    if (at === 0) throw new ScanError('out-of-memory');
    const memory = this.#kernels.bytes;
    memory.set(viewKey, exports.VIEW_KEY.value);
    memory.set(spendKeys, at);
    exports.indexSpendKeys(count);
  }

  /**
   * Runs the most expensive part of a scan on meaningless points, so that the engine has optimized this code when the first reply comes.
   */
  warmUp(): void {
    this.#kernels.scratch(() => {
      const { exports } = this.#kernels;
      const scalars = this.#kernels.put(new Uint8Array(32 * WARM_UP).fill(1));
      const [points, out, ok] = [
        this.#kernels.alloc(32 * WARM_UP),
        this.#kernels.alloc(32 * WARM_UP),
        this.#kernels.alloc(WARM_UP),
      ];
      exports.multiplyBaseBatch(points, scalars, WARM_UP);
      exports.deriveBatch(out, ok, scalars, points, WARM_UP);
    });
  }

  /** Wipes the view key. Scanning needs a new account. */
  forget(): void {
    this.#account?.viewKey.fill(0);
    this.#account = undefined;
    this.#kernels.exports.forgetAccount();
  }

  /**
   * Finds blocks, key images and our outputs in a raw reply of get_blocks.bin, pruned or whole.
   * @throws ScanError for any error in the bytes
   */
  scan(reply: ArrayBuffer): ScanFindings {
    const account = this.#account;
    if (account === undefined) throw new ScanError('no-account');
    if (reply.byteLength > MAX_REPLY) throw new ScanError('too-large', { length: reply.byteLength });
    try {
      return this.#walk(reply);
    } finally {
      if (this.memory > KEEP_MEMORY && reply.byteLength < KEEP_MEMORY) {
        this.#kernels.exports.forgetAccount();
        this.#kernels = this.#kernels.fresh();
        this.#install(account);
      }
    }
  }

  #walk(reply: ArrayBuffer): ScanFindings {
    const { exports } = this.#kernels;
    const length = reply.byteLength;
    const mark = exports.mark();
    try {
      const base = exports.alloc(length);
      if (base === 0) throw new ScanError('out-of-memory', { length });
      this.#kernels.bytes.set(new Uint8Array(reply), base);
      const at = exports.scanReply(base, length, NEWEST_SCANNED);
      return readFindings({ memory: this.#kernels.bytes, base, is: recordLayoutOf(exports) }, at);
    } finally {
      exports.release(mark);
    }
  }
}

/** Results of a scan in the kernel's memory: `base` is where the reply begins there, `is` holds the offsets within records. */
interface Left {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly base: number;
  readonly is: RecordLayout;
}

/** The result at `at`, with offsets in the reply instead of addresses. */
function readFindings(left: Left, at: number): ScanFindings {
  const { memory, is } = left;
  const view = new DataView(memory.buffer, at, is.RESULT_SIZE);
  const code = view.getUint32(is.RESULT_CODE, true);
  const matches = [...records(left, at + is.RESULT_MATCHES)];
  try {
    if (code !== 0)
      throw new ScanError(KERNEL_CODES[code] ?? 'worker-failed', { offset: view.getUint32(is.RESULT_STOPPED_AT, true) });
    const blocks = [...records(left, at + is.RESULT_BLOCKS)];
    return {
      startHeight: Number(view.getBigUint64(is.RESULT_START_HEIGHT, true)),
      currentHeight: Number(view.getBigUint64(is.RESULT_CURRENT_HEIGHT, true)),
      blocks: readBlocks(left, blocks),
      outputs: readOutputs(left, matches, blocks),
      ...readKeyImages(left, at + is.RESULT_KEY_IMAGES),
    };
  } finally {
    // Derivations are secret-derived.
    for (const match of matches) memory.fill(0, match, match + is.MATCH_SIZE);
  }
}

/** Addresses of a log's records, in order. */
function* records({ memory, is }: Left, log: number): Generator<number> {
  const view = new DataView(memory.buffer);
  const size = view.getUint32(log + is.LOG_RECORD_SIZE, true);
  let chunk = view.getUint32(log + is.LOG_FIRST, true);
  for (; chunk !== 0; chunk = view.getUint32(chunk + is.CHUNK_NEXT, true)) {
    const count = view.getUint32(chunk + is.CHUNK_COUNT, true);
    for (let i = 0; i < count; i++) yield chunk + is.CHUNK_HEAD + i * size;
  }
}

const copyId = (memory: Uint8Array, from: number, to: Uint8Array, position: number): void =>
  to.set(memory.subarray(from, from + 32), 32 * position);

function readBlocks({ memory, base, is }: Left, records: readonly number[]): BlockColumns {
  const view = new DataView(memory.buffer);
  const columns = blockColumns(records.length);
  records.forEach((at, position) => {
    copyId(memory, at + is.BLOCK_ID, columns.ids, position);
    copyId(memory, at + is.BLOCK_PREVIOUS_ID, columns.prevIds, position);
    putBlock(columns, position, {
      height: view.getUint32(at + is.BLOCK_HEIGHT, true),
      majorVersion: view.getUint32(at + is.BLOCK_MAJOR_VERSION, true),
      minorVersion: view.getUint32(at + is.BLOCK_MINOR_VERSION, true),
      timestamp: Number(view.getBigUint64(at + is.BLOCK_TIMESTAMP, true)),
      txCount: view.getUint32(at + is.BLOCK_TRANSACTIONS, true),
      coinbaseOffset: view.getUint32(at + is.BLOCK_COINBASE, true) - base,
      coinbaseLength: view.getUint32(at + is.BLOCK_COINBASE_SIZE, true),
      txHashesOffset: view.getUint32(at + is.BLOCK_HASHES, true) - base,
    });
  });
  return columns;
}

/** Matches as outputs, in chain order. @param blocks addresses of their records */
function readOutputs({ memory, base, is }: Left, matches: readonly number[], blocks: readonly number[]): OutputColumns {
  const view = new DataView(memory.buffer);
  const word = (match: number, field: number): number => view.getUint32(match + field, true);
  const apart = (a: number, b: number, field: number): number => word(a, field) - word(b, field);
  const outputsApart = (a: number, b: number): number =>
    apart(a, b, is.MATCH_BLOCK) || apart(a, b, is.MATCH_ORDINAL) || apart(a, b, is.MATCH_OUTPUT_INDEX);
  const sorted = [...matches].sort((a, b) => outputsApart(a, b) || apart(a, b, is.MATCH_RANK));
  // Of several matches of one output, the first (of the lowest rank) counts, as in wallet2.
  const counting = sorted.filter((match, i) => i === 0 || outputsApart(match, sorted[i - 1]!) !== 0);
  const columns = outputColumns(counting.length);
  counting.forEach((match, position) => {
    const [block, ordinal] = [blocks[word(match, is.MATCH_BLOCK)]!, word(match, is.MATCH_ORDINAL)];
    const hash = ordinal === 0 ? block + is.BLOCK_COINBASE_ID : word(block, is.BLOCK_HASHES) + 32 * (ordinal - 1);
    copyId(memory, hash, columns.txHashes, position);
    copyId(memory, match + is.MATCH_DERIVATION, columns.derivations, position);
    const outputIndex = word(match, is.MATCH_OUTPUT_INDEX);
    // In bounds: the kernel refuses a transaction with another number of indices than outputs.
    columns.globalIndices[position] = view.getBigUint64(word(match, is.MATCH_INDICES) + 8 * outputIndex, true);
    putOutput(columns, position, {
      blockIndex: word(match, is.MATCH_BLOCK),
      ordinal,
      offset: word(match, is.MATCH_TX) - base,
      length: word(match, is.MATCH_TX_SIZE),
      outputIndex,
      spendKeyIndex: word(match, is.MATCH_SPEND_KEY),
      keySource: view.getInt32(match + is.MATCH_ADDITIONAL, true),
    });
  });
  return columns;
}

function readKeyImages(left: Left, log: number): Pick<ScanFindings, 'keyImages' | 'keyImageTx'> {
  const { memory, base, is } = left;
  const words = new Uint32Array(memory.buffer);
  const count = words[(log + is.LOG_COUNT) >>> 2]!;
  const keyImages = new Uint32Array(8 * count);
  const keyImageTx = new Uint32Array(4 * count);
  // Block, offset, length and position in the block are consecutive.
  const placeAt = is.IMAGE_BLOCK >>> 2;
  let i = 0;
  for (const image of records(left, log)) {
    // Word by word: a view of each would cost more than the copying.
    const from = (image + is.IMAGE_KEY) >>> 2;
    for (let k = 0; k < 8; k++) keyImages[8 * i + k] = words[from + k]!;
    for (let k = 0; k < 4; k++) keyImageTx[4 * i + k] = words[from + placeAt + k]!;
    keyImageTx[4 * i + 1]! -= base;
    i += 1;
  }
  return { keyImages: new Uint8Array(keyImages.buffer), keyImageTx };
}
