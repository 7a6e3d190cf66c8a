import { DaemonError } from '../errors.ts';
import type { BlocksReplyOutline } from '../types.ts';
import { ARRAY, ElementsAtHand, INNER_ARRAY, MAX_DEPTH, malformed, OBJECT, SIZES, STRING } from './at-hand.ts';
import { ByteFeed } from './feed.ts';

/** How much a blocks reply may hold (T6). Transactions are counted without coinbases. */
export interface WalkLimits {
  readonly bytes: number;
  readonly blocks: number;
  readonly transactions: number;
}

export interface BlocksWalk extends BlocksReplyOutline {
  /** The daemon's `status`; text of a stranger. */
  readonly status: string;
}

const HEADER = [0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01];
const LONGEST_STATUS = 200;
/** Fields of a reply, whose names are remembered; monerod writes thirteen at most. */
const MOST_FIELDS = 100;

/**
 * Walks a `get_blocks.bin` reply while it streams: structure, counts and sizes only, no block is parsed and no byte kept.
 * A reply that is malformed or holds more than it may is given up at that byte, not at its end.
 */
export class BlocksWalker {
  readonly #limits: WalkLimits;
  readonly #feed = new ByteFeed();
  readonly #atHand: ElementsAtHand;
  readonly #steps: Generator<void, void, void>;
  #done = false;
  #blocks = 0;
  #transactions = 0;
  #status: string | undefined;
  #startHeight: number | undefined;
  #currentHeight: number | undefined;

  constructor(limits: WalkLimits) {
    this.#limits = limits;
    this.#atHand = new ElementsAtHand(this.#feed, limits.bytes);
    this.#steps = this.#document();
  }

  /** @throws DaemonError `malformed`, `too-large` */
  push(chunk: Uint8Array): void {
    this.#feed.push(chunk);
    if (!this.#done) this.#done = this.#steps.next().done === true;
    if (this.#done && this.#feed.leftover > 0) throw malformed('the end of the reply', this.#feed.offset);
  }

  /** Call when the reply has ended. @throws DaemonError `malformed` when it ended too early or lacks a field */
  finish(): BlocksWalk {
    if (!this.#done || this.#feed.leftover !== 0) throw malformed('more bytes', this.#feed.offset);
    if (this.#status === undefined || this.#startHeight === undefined || this.#currentHeight === undefined) {
      throw malformed('the fields status, start_height and current_height', this.#feed.offset);
    }
    return {
      status: this.#status,
      startHeight: this.#startHeight,
      currentHeight: this.#currentHeight,
      blocks: this.#blocks,
      transactions: this.#transactions,
    };
  }

  *#document(): Generator<void, void, void> {
    const header = yield* this.#feed.take(HEADER.length);
    if (!HEADER.every((byte, i) => header[i] === byte)) throw malformed('the signature of portable storage', 0);
    const seen = new Set<string>();
    const count = yield* this.#count(2);
    if (count > MOST_FIELDS) throw tooMany('fields', MOST_FIELDS, count);
    for (let i = 0; i < count; i++) {
      const name = yield* this.#name();
      if (seen.has(name)) throw malformed(`field "${name}" once`, this.#feed.offset);
      seen.add(name);
      yield* this.#rootField(name);
    }
  }

  *#rootField(name: string): Generator<void, void, void> {
    const type = yield* this.#byte();
    if (name === 'blocks') {
      if (type !== (OBJECT | ARRAY)) throw malformed('blocks to be an array of objects', this.#feed.offset);
      yield* this.#blockEntries();
    } else if (name === 'status') {
      if (type !== STRING) throw malformed('status to be a string', this.#feed.offset);
      this.#status = yield* this.#shortText();
    } else if (name === 'start_height') {
      this.#startHeight = yield* this.#height(type);
    } else if (name === 'current_height') {
      this.#currentHeight = yield* this.#height(type);
    } else {
      yield* this.#value(type, 1);
    }
  }

  *#blockEntries(): Generator<void, void, void> {
    const blocks = yield* this.#count(1);
    if (blocks > this.#limits.blocks) throw tooMany('blocks', this.#limits.blocks, blocks);
    for (let block = 0; block < blocks; block++) {
      const fields = yield* this.#count(2);
      for (let i = 0; i < fields; i++) {
        const name = yield* this.#name();
        const type = yield* this.#byte();
        if (name === 'txs') yield* this.#transactionEntries(type);
        else yield* this.#value(type, 3);
      }
    }
    this.#blocks = blocks;
  }

  *#transactionEntries(type: number): Generator<void, void, void> {
    if (type !== (OBJECT | ARRAY) && type !== (STRING | ARRAY)) throw malformed('txs to be an array', this.#feed.offset);
    const count = yield* this.#count(1);
    this.#transactions += count;
    if (this.#transactions > this.#limits.transactions) {
      throw tooMany('transactions', this.#limits.transactions, this.#transactions);
    }
    for (let i = 0; i < count; i++) {
      if (!this.#atHand.skip(type & ~ARRAY, 4)) yield* this.#element(type & ~ARRAY, 4);
    }
  }

  *#value(type: number, depth: number): Generator<void, void, void> {
    if (depth > MAX_DEPTH) throw malformed(`a reply nested at most ${MAX_DEPTH} deep`, this.#feed.offset);
    if (type & ARRAY) yield* this.#array(type & ~ARRAY, depth);
    else yield* this.#element(type, depth);
  }

  *#array(type: number, depth: number): Generator<void, void, void> {
    const size = SIZES[type];
    const count = yield* this.#count(size ?? 1);
    if (size !== undefined) this.#feed.skip(count * size);
    else
      for (let i = 0; i < count; i++) {
        if (!this.#atHand.skip(type, depth)) yield* this.#element(type, depth);
      }
  }

  *#element(type: number, depth: number): Generator<void, void, void> {
    const size = SIZES[type];
    if (size !== undefined) {
      this.#feed.skip(size);
    } else if (type === STRING) {
      this.#feed.skip(yield* this.#count(1));
    } else if (type === OBJECT) {
      const fields = yield* this.#count(2);
      for (let i = 0; i < fields; i++) {
        yield* this.#name();
        yield* this.#value(yield* this.#byte(), depth + 1);
      }
    } else if (type === INNER_ARRAY) {
      yield* this.#value((yield* this.#byte()) | ARRAY, depth + 1);
    } else {
      throw malformed('a type of portable storage', this.#feed.offset);
    }
  }

  *#byte(): Generator<void, number, void> {
    return (yield* this.#feed.take(1))[0]!;
  }

  *#name(): Generator<void, string, void> {
    const length = yield* this.#byte();
    if (length === 0) throw malformed('a field name', this.#feed.offset);
    return String.fromCharCode(...(yield* this.#feed.take(length)));
  }

  *#shortText(): Generator<void, string, void> {
    const length = yield* this.#count(1);
    if (length > LONGEST_STATUS) throw malformed(`a status of at most ${LONGEST_STATUS} bytes`, this.#feed.offset);
    return new TextDecoder().decode(yield* this.#feed.take(length));
  }

  *#height(type: number): Generator<void, number, void> {
    if (type !== 5) throw malformed('a height of 64 bits', this.#feed.offset);
    return this.#safe(littleEndian(yield* this.#feed.take(8)));
  }

  /** A size whose lowest two bits say how many bytes it takes; refused when the cap leaves no room for that much. */
  *#count(minSize: number): Generator<void, number, void> {
    const first = yield* this.#byte();
    const more = 2 ** (first & 3) - 1;
    const rest = more === 0 ? 0 : littleEndian(yield* this.#feed.take(more));
    const count = this.#safe((first + 256 * rest - (first & 3)) / 4);
    if (count * minSize > this.#limits.bytes - this.#feed.offset)
      throw malformed(`no more elements than fit, got ${count}`, this.#feed.offset);
    return count;
  }

  #safe(value: number): number {
    if (!Number.isSafeInteger(value)) throw malformed('a number below 2^53', this.#feed.offset);
    return value;
  }
}

function littleEndian(bytes: Uint8Array): number {
  let value = 0;
  for (let i = bytes.length - 1; i >= 0; i--) value = value * 256 + bytes[i]!;
  return value;
}

function tooMany(what: string, limit: number, got: number): DaemonError {
  return new DaemonError('too-large', `expected a reply of at most ${limit} ${what}, got ${got}`, { limit, got });
}
