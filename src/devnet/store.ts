import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { keccak256 } from '../crypto/index.ts';
import { ByteReader, ByteWriter } from '../protocol/index.ts';
import { DevnetError } from './errors.ts';

/** What happened to the main chain, in order: replaying it gives the chain again. */
export type ChainEvent =
  | { readonly type: 'block'; readonly block: Uint8Array; readonly transactions: readonly Uint8Array[] }
  | { readonly type: 'pop'; readonly count: number };

/** Keeps chain events. Appending is durable when it returns. */
export interface ChainStore {
  /** Everything that was appended, oldest first. */
  load(): Iterable<ChainEvent>;
  append(events: readonly ChainEvent[]): void;
  /** Bytes that it takes on disk, and those that are free there; 0 where nothing is kept. */
  readonly bytes: number;
  readonly freeBytes: number;
  close(): void;
}

/** Forgets everything with the process. */
export class MemoryChainStore implements ChainStore {
  load(): Iterable<ChainEvent> {
    return [];
  }
  append(): void {}
  readonly bytes = 0;
  readonly freeBytes = 0;
  close(): void {}
}

const CHECKSUM_BYTES = 4;
const HEADER_BYTES = 4 + CHECKSUM_BYTES;
/** A block of regtest is far smaller. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024;

/**
 * One file of records: length (4 bytes, little endian), checksum (first 4 bytes of Keccak-256 of the body), body.
 * One record holds the events of one change (a reorganisation is one record), so a chain is never half changed.
 * A torn or damaged tail is cut off when the file is opened: what was written before it stays.
 */
export class FileChainStore implements ChainStore {
  readonly #file: number;
  readonly #lock: string;

  /**
   * @param folder made when missing
   * @throws DevnetError `log-in-use` when another living process has it
   */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#lock = resolve(folder, 'lock');
    takeLock(this.#lock);
    this.#file = openSync(join(folder, 'chain.log'), 'a+');
  }

  get bytes(): number {
    return fstatSync(this.#file).size;
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#lock);
    return bavail * bsize;
  }

  *load(): Iterable<ChainEvent> {
    const size = fstatSync(this.#file).size;
    let offset = 0;
    for (;;) {
      const body = this.#readRecord(offset, size);
      if (body === undefined) break;
      offset += HEADER_BYTES + body.length;
      yield* decodeEvents(body);
    }
    if (offset < size) ftruncateSync(this.#file, offset);
  }

  #readRecord(offset: number, size: number): Uint8Array | undefined {
    if (offset + HEADER_BYTES > size) return undefined;
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(this.#file, header, 0, HEADER_BYTES, offset);
    const length = header.readUInt32LE(0);
    if (length > MAX_RECORD_BYTES || offset + HEADER_BYTES + length > size) return undefined;
    const body = new Uint8Array(length);
    readSync(this.#file, body, 0, length, offset + HEADER_BYTES);
    return header.subarray(4).equals(checksum(body)) ? body : undefined;
  }

  append(events: readonly ChainEvent[]): void {
    const body = encodeEvents(events);
    const record = Buffer.alloc(HEADER_BYTES + body.length);
    record.writeUInt32LE(body.length, 0);
    record.set(checksum(body), 4);
    record.set(body, HEADER_BYTES);
    let written = 0;
    while (written < record.length) written += writeSync(this.#file, record, written);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#lock, { force: true });
    held.delete(this.#lock);
  }
}

function checksum(body: Uint8Array): Uint8Array {
  return keccak256(body).subarray(0, CHECKSUM_BYTES);
}

/** Locks that this process holds: in a container the process before may have borne its number. */
const held = new Set<string>();

/** A file with the owner's process id; one whose owner is gone is taken over. */
function takeLock(path: string): void {
  if (held.has(path)) throw new DevnetError('log-in-use', 'expected a folder that is not open already');
  writeLock(path);
  held.add(path);
}

function writeLock(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(readFileSync(path, 'utf8'));
  if (owner !== process.pid && isAlive(owner)) {
    throw new DevnetError('log-in-use', `expected a folder that no other devnet uses, process ${owner} has it`);
  }
  writeFileSync(path, String(process.pid));
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const BLOCK = 1;
const POP = 2;

function encodeEvents(events: readonly ChainEvent[]): Uint8Array {
  const writer = new ByteWriter(1024);
  for (const event of events) {
    if (event.type === 'pop') {
      writer.u8(POP).varint(event.count);
      continue;
    }
    writer.u8(BLOCK).varint(event.block.length).bytes(event.block).varint(event.transactions.length);
    for (const tx of event.transactions) writer.varint(tx.length).bytes(tx);
  }
  return writer.finish();
}

function decodeEvents(body: Uint8Array): ChainEvent[] {
  const reader = new ByteReader(body);
  const events: ChainEvent[] = [];
  const blob = () => reader.bytes(reader.count(1));
  while (reader.remaining > 0) {
    const type = reader.u8();
    if (type === POP) events.push({ type: 'pop', count: reader.varintNumber() });
    else if (type === BLOCK) {
      const block = blob();
      const transactions = Array.from({ length: reader.count(1) }, blob);
      events.push({ type: 'block', block, transactions });
    } else throw new DevnetError('log-damaged', `expected a chain event of type ${BLOCK} or ${POP}, got ${type}`);
  }
  return events;
}
