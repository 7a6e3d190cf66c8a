import { ARRAY_FLAG, STORAGE_HEADER, TYPE_CODES } from '../protocol/epee/wire.ts';
import { ScanError } from './errors.ts';

/** Limits of a reply of blocks (T6). Transactions are counted without coinbases. */
export interface ReplyLimits {
  readonly bytes: number;
  readonly blocks: number;
  readonly transactions: number;
  /** Transactions of the pool that come with the blocks. */
  readonly pooled: number;
}

/** Where everything is in a `get_blocks.bin` reply: offsets in bytes. Blocks are not parsed. */
export interface ReplyLayout {
  /** Where each block begins, and where the last one ends. */
  readonly blocks: readonly number[];
  /** The same for their output indices. */
  readonly indices: readonly number[];
  /** All other fields of the reply with their names and types, as contiguous runs: start, and exclusive end. */
  readonly others: readonly (readonly [from: number, to: number])[];
  readonly otherFields: number;
  /** The fields about the pool, as contiguous runs: a scan does not need them. */
  readonly pool: readonly (readonly [from: number, to: number])[];
  /** Coinbases not counted. */
  readonly transactions: number;
  /** Undefined if the reply has no 64-bit field of that name. */
  readonly startHeight: bigint | undefined;
  readonly currentHeight: bigint | undefined;
  /** The daemon's `status`, a stranger's text, at most 200 bytes. */
  readonly status: string | undefined;
}

/** Bytes of a value of each fixed-size type, by type code; 0 for the others. */
const SIZES: readonly number[] = [0, 8, 4, 2, 1, 8, 4, 2, 1, 8, 0, 1, 0, 0];
const { string: STRING, object: OBJECT, uint64: U64 } = TYPE_CODES;
const SECTIONS = OBJECT | ARRAY_FLAG;
/** Maximum nesting of sections, the same as in the scan kernel (`wasm/scan/reply.ts`). */
const DEPTH = 8;
const LONGEST_STATUS = 200;
/** Maximum number of fields of a reply; monerod writes at most thirteen. */
const MOST_FIELDS = 100;
/** Kind of a frame that holds fields rather than elements. */
const FIELDS = -1;
/** A size whose bytes have not all arrived. */
const NOT_HERE = -1;

/** Kinds of frames. */
type Role = 'reply' | 'blocks' | 'block' | 'indices' | 'pool' | 'other';

/** A section or an array that is being read. */
interface Frame {
  /** FIELDS, or the type of the array's elements. */
  kind: number;
  /** Remaining fields or elements. */
  left: number;
  /** How deep sections in its values may be nested. */
  depth: number;
  role: Role;
}

/**
 * Walks a `get_blocks.bin` reply while it streams, and finds where everything is. A reply that is malformed or exceeds a limit is refused
 * at that byte, not at its end. It accepts what the scan kernel accepts, as far as the storage format goes.
 */
export class ReplyWalk {
  readonly #limits: ReplyLimits;
  readonly #frames: readonly Frame[] = Array.from({ length: 2 * DEPTH + 6 }, () => frame());
  /** Index of the current frame; -1 at the reply's end. */
  #level = 0;
  #begun = false;
  #bytes: Uint8Array = new Uint8Array();
  /** Offset of the next byte to read; beyond the received bytes when more were skipped. */
  #at = 0;
  /** End of the size that was read last. */
  #sizeEnd = 0;
  #blocks: number[] | undefined;
  #indices: number[] | undefined;
  readonly #others: [number, number][] = [];
  #otherFields = 0;
  readonly #pool: [number, number][] = [];
  #transactions = 0;
  readonly #places = new Map<string, number>();

  constructor(limits: ReplyLimits) {
    this.#limits = limits;
  }

  /**
   * Continues as far as the reply has arrived.
   * @param bytes all of it so far, from its first byte
   * @throws ScanError `bad-storage`, `too-large`
   */
  follow(bytes: Uint8Array): void {
    this.#bytes = bytes;
    if (!this.#begun && !this.#begin()) return;
    while (this.#level >= 0) {
      const top = this.#frames[this.#level]!;
      if (top.left === 0) this.#end(top);
      else if (!(top.kind === FIELDS ? this.#field(top) : this.#element(top))) return;
    }
    if (bytes.length > this.#at) throw this.#bad();
  }

  /** Call when the reply is complete. @throws ScanError `bad-storage`, `count-mismatch` */
  finish(): ReplyLayout {
    if (this.#level >= 0 || this.#at !== this.#bytes.length) throw this.#bad(this.#bytes.length);
    const [blocks, indices] = [this.#blocks ?? [0], this.#indices ?? [0]];
    if (blocks.length !== indices.length) throw new ScanError('count-mismatch');
    return {
      blocks,
      indices,
      others: this.#others,
      otherFields: this.#otherFields,
      pool: this.#pool,
      transactions: this.#transactions,
      startHeight: this.#height('start_height'),
      currentHeight: this.#height('current_height'),
      status: this.#status(),
    };
  }

  #begin(): boolean {
    const here = Math.min(this.#bytes.length, STORAGE_HEADER.length);
    for (let i = 0; i < here; i++) if (this.#bytes[i] !== STORAGE_HEADER[i]) throw this.#bad(i);
    const fields = here < STORAGE_HEADER.length ? NOT_HERE : this.#size(STORAGE_HEADER.length, 2);
    if (fields === NOT_HERE) return false;
    if (fields > MOST_FIELDS) throw this.#tooMany(MOST_FIELDS, fields);
    this.#begun = true;
    this.#at = this.#sizeEnd;
    Object.assign(this.#frames[0]!, { kind: FIELDS, left: fields, depth: DEPTH, role: 'reply' });
    this.#others.push([this.#at, this.#at]);
    return true;
  }

  /** Reads a field and the beginning of its value. Returns false, with nothing read, when that has not all arrived. */
  #field(top: Frame): boolean {
    const bytes = this.#bytes;
    const name = this.#at + 1;
    const typeAt = name + bytes[this.#at]!;
    // NaN when even the byte with the name's length has not arrived yet: hence not `>=`.
    if (!(typeAt < bytes.length)) return false;
    const type = bytes[typeAt]!;
    if (top.role === 'reply') return this.#rootField(top, latin1(bytes, name, typeAt), type, typeAt + 1);
    const isTxs = top.role === 'block' && typeAt - name === 3 && isNamedTxs(bytes, name);
    return this.#value(top, type, typeAt + 1, isTxs);
  }

  #rootField(top: Frame, name: string, type: number, at: number): boolean {
    const start = this.#at;
    if (POOL_FIELDS.has(name)) return this.#poolField(top, type, at);
    if (name !== 'blocks' && name !== 'output_indices') {
      if (!this.#value(top, type, at, false)) return false;
      this.#otherFields += 1;
      if (KEPT_FIELDS[name] === type) this.#keep(name, at);
      return true;
    }
    if (type !== SECTIONS || (name === 'blocks' ? this.#blocks : this.#indices) !== undefined) throw this.#bad(at);
    const count = this.#size(at, 1);
    if (count === NOT_HERE) return false;
    if (count > this.#limits.blocks) throw this.#tooMany(this.#limits.blocks, count);
    this.#others.at(-1)![1] = start;
    if (name === 'blocks') this.#blocks = [];
    else this.#indices = [];
    top.left -= 1;
    this.#at = this.#sizeEnd;
    // A section in these lists may be nested as deeply as the reply itself.
    this.#open(OBJECT, count, DEPTH + 1, name === 'blocks' ? 'blocks' : 'indices');
    return true;
  }

  #poolField(top: Frame, type: number, at: number): boolean {
    const start = this.#at;
    const level = this.#level;
    if (!this.#value(top, type, at, false)) return false;
    this.#others.at(-1)![1] = start;
    this.#pool.push([start, this.#at]);
    if (this.#level === level) {
      this.#endOfPoolField();
      return true;
    }
    const list = this.#frames[this.#level]!;
    if (list.left > this.#limits.pooled) throw this.#tooMany(this.#limits.pooled, list.left);
    list.role = 'pool';
    return true;
  }

  #endOfPoolField(): void {
    this.#pool.at(-1)![1] = this.#at;
    this.#others.push([this.#at, this.#at]);
  }

  #keep(name: string, at: number): void {
    if (this.#places.has(name)) throw this.#bad(at);
    this.#places.set(name, at);
  }

  /** Reads a value whose type is before `at`. */
  #value(top: Frame, type: number, at: number, isTxs: boolean): boolean {
    if (!(type & ARRAY_FLAG)) return this.#single(top, type, at);
    const element = type & ~ARRAY_FLAG;
    // An unknown type is refused at its first element, so that an empty array of it passes.
    const size = SIZES[element] ?? 0;
    const count = this.#size(at, size || 1);
    if (count === NOT_HERE) return false;
    if (isTxs && (element === OBJECT || element === STRING)) this.#count(count);
    top.left -= 1;
    this.#at = this.#sizeEnd + count * size;
    if (size === 0) this.#open(element, count, top.depth, 'other');
    return true;
  }

  #element(top: Frame): boolean {
    const starts = top.role === 'blocks' ? this.#blocks! : top.role === 'indices' ? this.#indices! : undefined;
    const start = this.#at;
    if (!this.#single(top, top.kind, start)) return false;
    starts?.push(start);
    return true;
  }

  /** Reads a value that is not an array. */
  #single(top: Frame, type: number, at: number): boolean {
    const size = this.#sizeOf(type, at);
    if (size > 0) {
      if (at + size > this.#limits.bytes) throw this.#bad(at);
      this.#at = at + size;
      top.left -= 1;
      return true;
    }
    const count = this.#size(at, type === OBJECT ? 2 : 1);
    if (count === NOT_HERE) return false;
    top.left -= 1;
    if (type === STRING) {
      this.#at = this.#sizeEnd + count;
      return true;
    }
    if (top.depth === 0) throw this.#bad(at);
    this.#at = this.#sizeEnd;
    this.#open(FIELDS, count, top.depth - 1, top.role === 'blocks' ? 'block' : 'other');
    return true;
  }

  /** Bytes of a value of a type, 0 for types that state their size. */
  #sizeOf(type: number, at: number): number {
    const size = SIZES[type] ?? 0;
    if (size === 0 && type !== STRING && type !== OBJECT) throw this.#bad(at);
    return size;
  }

  #open(kind: number, left: number, depth: number, role: Role): void {
    this.#level += 1;
    const next = this.#frames[this.#level]!;
    next.kind = kind;
    next.left = left;
    next.depth = depth;
    next.role = role;
  }

  #end(top: Frame): void {
    this.#level -= 1;
    if (top.role === 'reply') this.#others.at(-1)![1] = this.#at;
    if (top.role === 'pool') this.#endOfPoolField();
    if (top.role !== 'blocks' && top.role !== 'indices') return;
    (top.role === 'blocks' ? this.#blocks! : this.#indices!).push(this.#at);
    this.#others.push([this.#at, this.#at]);
  }

  #count(transactions: number): void {
    this.#transactions += transactions;
    const { transactions: limit } = this.#limits;
    if (this.#transactions > limit) throw this.#tooMany(limit, this.#transactions);
  }

  /**
   * A size whose lowest two bits say how many bytes it takes, 1, 2, 4 or 8; NOT_HERE when they have not all arrived.
   * @param least minimum bytes of each element: more than the reply may have are refused before they arrive
   */
  #size(at: number, least: number): number {
    const bytes = this.#bytes;
    if (at >= bytes.length) return NOT_HERE;
    const first = bytes[at]!;
    const length = 1 << (first & 3);
    if (at + length > bytes.length) return NOT_HERE;
    let value = 0;
    for (let i = length - 1; i > 0; i--) value = value * 256 + bytes[at + i]!;
    const size = value * 64 + (first >>> 2);
    this.#sizeEnd = at + length;
    if (size * least > this.#limits.bytes - this.#sizeEnd) throw this.#bad(at);
    return size;
  }

  #height(name: string): bigint | undefined {
    const at = this.#places.get(name);
    return at === undefined ? undefined : new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at).getBigUint64(0, true);
  }

  #status(): string | undefined {
    const at = this.#places.get('status');
    if (at === undefined) return undefined;
    const size = this.#size(at, 1);
    if (size > LONGEST_STATUS) throw this.#bad(at);
    return latin1(this.#bytes, this.#sizeEnd, this.#sizeEnd + size);
  }

  #bad(offset = this.#at): ScanError {
    return new ScanError('bad-storage', { offset });
  }

  #tooMany(limit: number, got: number): ScanError {
    return new ScanError('too-large', { offset: this.#at, limit, got });
  }
}

/** Fields of the reply whose values are needed, and their types. */
const KEPT_FIELDS: Readonly<Record<string, number>> = { start_height: U64, current_height: U64, status: STRING };

/** Pool fields sent with blocks (core_rpc_server_commands_defs.h, COMMAND_RPC_GET_BLOCKS_FAST). */
const POOL_FIELDS: ReadonlySet<string> = new Set([
  'added_pool_txs',
  'daemon_time',
  'pool_info_extent',
  'remaining_added_pool_txids',
  'removed_pool_txids',
]);

const frame = (): Frame => ({ kind: FIELDS, left: 0, depth: 0, role: 'other' });

const isNamedTxs = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x74 && bytes[at + 1] === 0x78 && bytes[at + 2] === 0x73;

const latin1 = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** The layout of a whole reply. @throws ScanError `bad-storage`, `too-large`, `count-mismatch` */
export function readReplyLayout(reply: Uint8Array, limits: ReplyLimits): ReplyLayout {
  const walk = new ReplyWalk(limits);
  walk.follow(reply);
  return walk.finish();
}
