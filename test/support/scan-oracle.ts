import { bytesToHex } from '../../src/base/index.ts';
import {
  type Block,
  type BlockHash,
  blockId,
  decodePortableStorage,
  eraOfOutputs,
  parseBlock,
  parseTransaction,
  type StorageObject,
  serializeTransaction,
  type Transaction,
  transactionHash,
} from '../../src/protocol/index.ts';
import type { ScanAccount, ScannedBlock, ScannedOutput, ScanPool, ScanResult } from '../../src/scan/types.ts';
import { matchOutputs } from '../../src/wallet/sync/match.ts';

interface Collected {
  readonly blocks: ScannedBlock[];
  readonly outputs: ScannedOutput[];
  readonly images: Uint8Array[];
  readonly imageTx: number[];
}

/**
 * A scan without kernels: the decoders of `protocol` and the primitives of `crypto`, one transaction after the other. Slow, and independent of the
 * kernel, which scans replies in place. Its offsets refer to a buffer of its own.
 */
export class OracleScanPool implements ScanPool {
  readonly width: number;
  #account: ScanAccount | undefined;
  #table = new Map<string, number>();
  readonly #replies = new WeakMap<ArrayBuffer, ArrayBuffer>();
  /** Replies scanned so far. */
  scans = 0;

  constructor(width = 1) {
    this.width = width;
  }

  warmUp(): void {}

  async setAccount(account: ScanAccount): Promise<void> {
    this.#account = account;
    this.#table = new Map();
    for (let i = 0; i < account.spendKeys.length / 32; i++) {
      this.#table.set(bytesToHex(account.spendKeys.subarray(i * 32, i * 32 + 32)), i);
    }
  }

  async scan(reply: ArrayBuffer, signal?: AbortSignal): Promise<ScanResult> {
    signal?.throwIfAborted();
    this.scans += 1;
    const original = this.#replies.get(reply) ?? reply;
    const result = this.#walk(decodePortableStorage(new Uint8Array(original)));
    this.#replies.set(result.buffer, original);
    return result;
  }

  async close(): Promise<void> {
    this.#account = undefined;
  }

  #walk(root: StorageObject): ScanResult {
    const store = new Bytes();
    const found: Collected = { blocks: [], outputs: [], images: [], imageTx: [] };
    const indices = root.getObjects('output_indices');
    root.getObjects('blocks').forEach((entry, i) => {
      const block = parseBlock(entry.getBytes('block'));
      found.blocks.push(scannedBlock(block, store));
      const perTx = indices[i]!.getObjects('indices').map((tx) => [...tx.getU64s('indices')]);
      this.#look(block.minerTx, transactionHash(block.minerTx), perTx[0] ?? [], i, 0, store, found);
      blobsOf(entry).forEach((blob, t) => {
        const tx = parseTransaction(blob, { pruned: true });
        this.#look(tx, block.txHashes[t]!, perTx[t + 1] ?? [], i, t + 1, store, found);
      });
    });
    return {
      buffer: store.finish(),
      startHeight: root.getNumber('start_height'),
      currentHeight: root.getNumber('current_height'),
      blocks: found.blocks,
      outputs: found.outputs,
      keyImages: concat(found.images),
      keyImageTx: Uint32Array.from(found.imageTx),
      columns: [],
    };
  }

  #look(
    tx: Transaction,
    hash: Uint8Array,
    outputIndices: readonly bigint[],
    blockIndex: number,
    ordinal: number,
    store: Bytes,
    found: Collected,
  ): void {
    const bytes = serializeTransaction(tx);
    const place = { offset: store.add(bytes), length: bytes.length };
    for (const input of tx.inputs) {
      if (input.type !== 'key') continue;
      found.images.push(input.keyImage);
      found.imageTx.push(blockIndex, place.offset, place.length, ordinal);
    }
    const account = this.#account;
    if (account === undefined) throw new Error('expected an account before a scan');
    const find = (key: Uint8Array) => {
      const position = this.#table.get(bytesToHex(key));
      return position === undefined ? undefined : { major: 0, minor: position };
    };
    const matches = matchOutputs(tx, account.viewKey, find);
    if (matches.length === 0) return;
    const { additional } = eraOfOutputs(tx).outputs.publicKeys(tx);
    for (const { outputIndex, subaddress, derivation, publicKey } of matches) {
      const own = additional[outputIndex] === publicKey || sameBytes(additional[outputIndex], publicKey);
      found.outputs.push({
        blockIndex,
        ordinal,
        ...place,
        txHash: hash,
        outputIndex,
        globalIndex: outputIndices[outputIndex]!,
        spendKeyIndex: subaddress.minor,
        derivation,
        keySource: own ? outputIndex : -1,
      });
    }
  }
}

function scannedBlock(block: Block, store: Bytes): ScannedBlock {
  const coinbase = serializeTransaction(block.minerTx);
  const [input] = block.minerTx.inputs;
  return {
    height: input?.type === 'gen' ? input.height : Number.NaN,
    id: bytesToHex(blockId(block)) as BlockHash,
    prevId: bytesToHex(block.prevId) as BlockHash,
    majorVersion: block.majorVersion,
    minorVersion: block.minorVersion,
    timestamp: Number(block.timestamp),
    txCount: block.txHashes.length + 1,
    coinbaseOffset: store.add(coinbase),
    coinbaseLength: coinbase.length,
    txHashesOffset: store.add(concat(block.txHashes)),
  };
}

/** Transactions are plain strings, or objects with their prunable hash. */
function blobsOf(entry: StorageObject): Uint8Array[] {
  if (!entry.has('txs')) return [];
  const pruned = entry.has('pruned') && entry.getBoolean('pruned');
  return pruned ? entry.getObjects('txs').map((tx) => tx.getBytes('blob')) : [...entry.getByteStrings('txs')];
}

const sameBytes = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && bytesToHex(a) === bytesToHex(b);

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Bytes();
  for (const part of parts) all.add(part);
  return new Uint8Array(all.finish());
}

/** Concatenates bytes. */
class Bytes {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** @returns their offset */
  add(bytes: Uint8Array): number {
    const at = this.#length;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return at;
  }

  finish(): ArrayBuffer {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all.buffer;
  }
}
