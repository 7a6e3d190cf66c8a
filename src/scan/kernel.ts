import { bytesToHex } from '../base/index.ts';
import { type KernelOptions, type Kernels, loadKernels } from '../crypto/kernels.ts';
import type { CurveExports } from '../crypto/kernels-exports.ts';
import { newestScannedBy } from '../protocol/eras/index.ts';
import type { BlockHash } from '../protocol/model.ts';
import type { ScanAccount, ScanFindings, ScannedBlock, ScannedOutput, ScannedTx } from './contract.ts';
import { KERNEL_CODES, ScanError } from './errors.ts';

interface ScanExports extends CurveExports {
  readonly VIEW_KEY: WebAssembly.Global;
  allocateSpendKeys(count: number): number;
  indexSpendKeys(count: number): void;
  forgetAccount(): void;
  scanReply(at: number, size: number, newest: number): number;
}

/** The newest protocol version whose blocks this kernel scans. */
const NEWEST_SCANNED = newestScannedBy('derivations');
/** A reply is at most 100 MB, the block that crosses the line and the storage around it. */
const MAX_REPLY = 128 * 2 ** 20;
/** An instance whose memory has grown past this is replaced once replies are small again; instances left behind would pile up. */
const KEEP_MEMORY = 32 * 2 ** 20;

/** Points of a warm-up: enough for the engine to take notice, a few hundredths of a second in its first compilation. */
const WARM_UP = 64;

// Layout of the result, `wasm/scan/reply.ts` and `wasm/scan/match.ts`.
const RESULT_SIZE = 80;
const BLOCKS = 24;
const KEY_IMAGES = 40;
const MATCHES = 56;
const CHUNK_HEAD = 16;

/** One match of an output with a key of tx_extra, as the kernel logs it. */
interface Match {
  readonly derivation: Uint8Array;
  readonly outputIndex: number;
  /** Of several matches of one output the lowest counts, as in wallet2. */
  readonly rank: number;
  readonly keySource: number;
  readonly blockIndex: number;
  readonly ordinal: number;
  readonly offset: number;
  readonly length: number;
  readonly indicesOffset: number;
  readonly indicesCount: number;
  readonly spendKeyIndex: number;
}

/**
 * The scan kernel's host: one instance, one account, one reply at a time, synchronous. The reply is copied into the instance's memory,
 * which never shrinks, and walked there: give it slices of a long one (`slices.ts`).
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

  /** Which field module runs. */
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
    this.#account = { ...account, viewKey: account.viewKey.slice(), spendKeys: account.spendKeys.slice() };
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
   * Runs what costs most in a scan, on points that mean nothing. Engines compile hot code a second time, better: that shall be done when
   * the first reply comes.
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
   * @throws ScanError for whatever is wrong with the bytes
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
      return readFindings(this.#kernels.bytes, at, base, reply);
    } finally {
      exports.release(mark);
    }
  }
}

/** What the scan left at `at`, with places in the reply in place of addresses: `base` is where the reply begins in memory. */
function readFindings(memory: Uint8Array<ArrayBuffer>, at: number, base: number, reply: ArrayBuffer): ScanFindings {
  const view = new DataView(memory.buffer, at, RESULT_SIZE);
  const code = view.getUint32(0, true);
  if (code !== 0) {
    for (const { chunk, size } of records(memory, at + MATCHES)) memory.fill(0, chunk, chunk + size);
    throw new ScanError(KERNEL_CODES[code] ?? 'worker-failed', { offset: view.getUint32(4, true) });
  }
  const coinbaseIds: string[] = [];
  const blocks: ScannedBlock[] = [];
  for (const { chunk } of records(memory, at + BLOCKS)) {
    blocks.push(readBlock(memory, chunk, base));
    coinbaseIds.push(bytesToHex(memory.subarray(chunk + 64, chunk + 96)));
  }
  return {
    startHeight: Number(view.getBigUint64(8, true)),
    currentHeight: Number(view.getBigUint64(16, true)),
    blocks,
    ...readOutputs(memory, at, base, reply, blocks, coinbaseIds),
    ...readKeyImages(memory, at, base),
  };
}

/** The records of a log, in order: `wasm/scan/log.ts`. */
function* records(memory: Uint8Array<ArrayBuffer>, log: number): Generator<{ chunk: number; size: number }> {
  const view = new DataView(memory.buffer);
  const size = view.getUint32(log + 12, true);
  for (let chunk = view.getUint32(log, true); chunk !== 0; chunk = view.getUint32(chunk, true)) {
    const count = view.getUint32(chunk + 4, true);
    for (let i = 0; i < count; i++) yield { chunk: chunk + CHUNK_HEAD + i * size, size };
  }
}

function readBlock(memory: Uint8Array<ArrayBuffer>, at: number, base: number): ScannedBlock {
  const view = new DataView(memory.buffer, at, 128);
  return {
    height: view.getUint32(96, true),
    id: bytesToHex(memory.subarray(at, at + 32)) as BlockHash,
    prevId: bytesToHex(memory.subarray(at + 32, at + 64)) as BlockHash,
    majorVersion: view.getUint32(100, true),
    minorVersion: view.getUint32(104, true),
    timestamp: Number(view.getBigUint64(120, true)),
    txCount: view.getUint32(108, true),
    txHashesOffset: view.getUint32(112, true) - base,
  };
}

function readMatch(memory: Uint8Array<ArrayBuffer>, at: number, base: number): Match {
  const view = new DataView(memory.buffer, at, 80);
  const match: Match = {
    derivation: memory.slice(at, at + 32),
    outputIndex: view.getUint32(36, true),
    rank: view.getUint32(40, true),
    keySource: view.getInt32(44, true),
    blockIndex: view.getUint32(48, true),
    ordinal: view.getUint32(52, true),
    offset: view.getUint32(56, true) - base,
    length: view.getUint32(60, true),
    indicesOffset: view.getUint32(64, true) - base,
    indicesCount: view.getUint32(68, true),
    spendKeyIndex: view.getUint32(72, true),
  };
  memory.fill(0, at, at + 32);
  return match;
}

function readOutputs(
  memory: Uint8Array<ArrayBuffer>,
  at: number,
  base: number,
  reply: ArrayBuffer,
  blocks: readonly ScannedBlock[],
  coinbaseIds: readonly string[],
): Pick<ScanFindings, 'txs' | 'outputs'> {
  const matches = Array.from(records(memory, at + MATCHES), ({ chunk }) => readMatch(memory, chunk, base));
  matches.sort(
    (a, b) => a.blockIndex - b.blockIndex || a.ordinal - b.ordinal || a.outputIndex - b.outputIndex || a.rank - b.rank,
  );
  const txs: ScannedTx[] = [];
  const outputs: ScannedOutput[] = [];
  let last: Match | undefined;
  for (const match of matches) {
    const sameTx = last !== undefined && last.blockIndex === match.blockIndex && last.ordinal === match.ordinal;
    const repeated = sameTx && last?.outputIndex === match.outputIndex;
    last = match;
    if (repeated) continue;
    if (!sameTx) txs.push(readTx(match, reply, blocks, coinbaseIds));
    const { outputIndex, spendKeyIndex, derivation, keySource } = match;
    outputs.push({ tx: txs.length - 1, outputIndex, spendKeyIndex, derivation, keySource });
  }
  return { txs, outputs };
}

function readTx(match: Match, reply: ArrayBuffer, blocks: readonly ScannedBlock[], coinbaseIds: readonly string[]): ScannedTx {
  const { blockIndex, ordinal, offset, length, indicesOffset, indicesCount } = match;
  const idAt = (blocks[blockIndex]?.txHashesOffset ?? 0) + 32 * (ordinal - 1);
  const view = new DataView(reply);
  return {
    hash: ordinal === 0 ? (coinbaseIds[blockIndex] ?? '') : bytesToHex(new Uint8Array(reply, idAt, 32)),
    blockIndex,
    ordinal,
    offset,
    length,
    outputIndices: Array.from({ length: indicesCount }, (_, i) => view.getBigUint64(indicesOffset + 8 * i, true)),
  };
}

function readKeyImages(
  memory: Uint8Array<ArrayBuffer>,
  at: number,
  base: number,
): Pick<ScanFindings, 'keyImages' | 'keyImageTx'> {
  const words = new Uint32Array(memory.buffer);
  const count = words[(at + KEY_IMAGES + 8) >>> 2]!;
  const keyImages = new Uint32Array(8 * count);
  const keyImageTx = new Uint32Array(4 * count);
  let i = 0;
  for (const { chunk } of records(memory, at + KEY_IMAGES)) {
    // Word by word: a view of each would cost more than it copies.
    const from = chunk >>> 2;
    for (let k = 0; k < 8; k++) keyImages[8 * i + k] = words[from + k]!;
    for (let k = 0; k < 4; k++) keyImageTx[4 * i + k] = words[from + 8 + k]!;
    keyImageTx[4 * i + 1]! -= base;
    i += 1;
  }
  return { keyImages: new Uint8Array(keyImages.buffer), keyImageTx };
}
