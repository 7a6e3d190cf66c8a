import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { keccak256 } from '../../crypto/index.ts';
import { ByteReader } from '../../protocol/index.ts';
import { DevnetError } from '../errors.ts';

/** Event of the main chain; replaying all in order gives the chain. */
export type ChainEvent =
  | { readonly type: 'block'; readonly block: Uint8Array; readonly transactions: readonly Uint8Array[] }
  | { readonly type: 'pop'; readonly count: number };

/** One change: the events that belong together, and where the next record begins. */
export interface LogRecord {
  readonly events: readonly ChainEvent[];
  readonly end: number;
}

const CHECKSUM_BYTES = 4;
const HEADER_BYTES = 4 + CHECKSUM_BYTES;
/** A block of regtest is far smaller. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024;

/**
 * The file in which the chain was stored before it had a database: records of length (4 bytes, little endian), checksum (first 4 bytes of
 * Keccak-256 of the body) and body. Data after an incomplete or damaged record was never confirmed to anyone.
 * @param from where a record begins
 * @throws DevnetError `log-damaged` when a complete record has invalid contents
 */
export function* readLog(path: string, from: number): Iterable<LogRecord> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    for (let offset = from; ; ) {
      const body = readRecord(file, offset, size);
      if (body === undefined) return;
      offset += HEADER_BYTES + body.length;
      yield { events: decodeEvents(body), end: offset };
    }
  } finally {
    closeSync(file);
  }
}

function readRecord(file: number, offset: number, size: number): Uint8Array | undefined {
  if (offset + HEADER_BYTES > size) return undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(file, header, 0, HEADER_BYTES, offset);
  const length = header.readUInt32LE(0);
  if (length > MAX_RECORD_BYTES || offset + HEADER_BYTES + length > size) return undefined;
  const body = new Uint8Array(length);
  readSync(file, body, 0, length, offset + HEADER_BYTES);
  return header.subarray(4).equals(keccak256(body).subarray(0, CHECKSUM_BYTES)) ? body : undefined;
}

const BLOCK = 1;
const POP = 2;

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
