import { FormatError } from './errors.ts';
import { LazyList } from './lazy-list.ts';
import { sameItems } from './lists.ts';

/**
 * JSON values as text or as UTF-8 bytes. Large values are printed piece by piece: neither text nor bytes ever exist as a whole, and the
 * consumer can do other things in between.
 */

/** Input of {@link stringifyJson} and {@link encodeJson}: undefined fields are left out. */
export type JsonInput =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | WithoutEmptyArrays
  | LazyList<JsonInput>
  | readonly JsonInput[]
  | { readonly [key: string]: JsonInput };

/** Printed as its value, but without the fields, at any depth, that hold an array without elements. */
export class WithoutEmptyArrays {
  readonly value: JsonInput;

  constructor(value: JsonInput) {
    this.value = value;
  }
}

/** Whether a field is one that {@link WithoutEmptyArrays} leaves out. */
export const isEmptyArray = (value: unknown): boolean =>
  (Array.isArray(value) || value instanceof LazyList) && value.length === 0;

const DEFAULT_DEPTH = 64;

/**
 * Prints a value as JSON; a bigint is printed as its digits. `indent` is the number of spaces for each level, 0 by default.
 * @throws FormatError `bad-structure` for a number that is not finite, `too-deep` beyond 64 levels
 */
export function stringifyJson(value: JsonInput, indent = 0): string {
  return new Printer(value, indent === 0 ? COMPACT : inLines(indent), DEFAULT_DEPTH).take(Number.POSITIVE_INFINITY);
}

/** How values are laid out. */
interface Layout {
  /** Line ending; if empty, the text is one line. */
  readonly newline: string;
  /** Spaces for each level. */
  readonly indent: number;
  readonly colon: string;
  /** Whether each element of an array has a line of its own, as fields have. */
  readonly elementsInLines: boolean;
  /** As the reference's services print: fields in the order of their names, an object without fields on two lines, `/` escaped. */
  readonly likeEpee: boolean;
}

const COMPACT: Layout = { newline: '', indent: 0, colon: ':', elementsInLines: false, likeEpee: false };
const inLines = (indent: number): Layout => ({ newline: '\n', indent, colon: ': ', elementsInLines: true, likeEpee: false });
const EPEE: Layout = { newline: '\r\n', indent: 2, colon: ': ', elementsInLines: false, likeEpee: true };

/** UTF-8 bytes: the whole of a short text, or the pieces of a long one. */
export type JsonBytes = Uint8Array | JsonPieces;

/** Pieces, to be consumed once, in order. Each is valid until the next is requested, because they share memory. */
export type JsonPieces = Generator<Uint8Array, void>;

/**
 * UTF-8 bytes, laid out as in the reference's services (epee, portable_storage_to_json.h), because there are scripts that match lines; a
 * text longer than {@link PIECE} bytes in pieces of at most that size. The first piece is printed at once, the others on request.
 * @throws FormatError as {@link stringifyJson}, now or while pieces are consumed; `maxDepth` levels, 64 by default
 */
export function encodeJson(value: JsonInput, { maxDepth = DEFAULT_DEPTH }: { readonly maxDepth?: number } = {}): JsonBytes {
  const printer = new Printer(value, EPEE, maxDepth);
  const text = printer.take(TEXT);
  if (printer.done && text.length <= TEXT) return encoder.encode(text);
  const encoding = new Encoding(printer, text);
  const first = encoding.next();
  if (!encoding.done) return rest(encoding, first);
  const whole = first.slice();
  encoding.release();
  return whole;
}

function* rest(encoding: Encoding, first: Uint8Array): JsonPieces {
  yield first;
  while (!encoding.done) yield encoding.next();
  encoding.release();
}

/** Most bytes of a piece: some milliseconds of printing. */
export const PIECE = 262_144;
/** Characters that are encoded together: few enough that the text is collected early. */
const TEXT = 32_768;
/** Most bytes that these characters can take. */
const TEXT_BYTES = 3 * TEXT;
/** Buffers of finished pieces, for reuse: allocating them for each reply would burden the collector. */
const SPARE: Uint8Array<ArrayBuffer>[] = [];
const MOST_SPARE = 8;
const encoder = new TextEncoder();

/** Pieces of what a printer prints, one after the other in the same memory. */
class Encoding {
  readonly #printer: Printer;
  readonly #memory = SPARE.pop() ?? new Uint8Array(PIECE);
  /** Printed text, not encoded from `#at` on. */
  #text: string;
  #at = 0;

  constructor(printer: Printer, text: string) {
    this.#printer = printer;
    this.#text = text;
  }

  get done(): boolean {
    return this.#printer.done && this.#at === this.#text.length;
  }

  next(): Uint8Array {
    let length = 0;
    while (!this.done && length + TEXT_BYTES <= PIECE) {
      if (this.#at === this.#text.length) {
        this.#text = this.#printer.take(TEXT);
        this.#at = 0;
      }
      const end = endOfWindow(this.#text, this.#at);
      length += encoder.encodeInto(this.#text.slice(this.#at, end), this.#memory.subarray(length)).written;
      this.#at = end;
    }
    return this.#memory.subarray(0, length);
  }

  /** Returns the buffer for reuse, after the last piece. */
  release(): void {
    if (SPARE.length < MOST_SPARE) SPARE.push(this.#memory);
  }
}

/** Where the next window of characters ends: not within a surrogate pair. */
function endOfWindow(text: string, from: number): number {
  const end = from + TEXT;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

type JsonFields = { readonly [key: string]: JsonInput };

/** How objects with the same fields at the same depth are printed: lists have many of one shape. */
interface Shape {
  /** Names of the fields in the object's order. */
  readonly keys: readonly string[];
  readonly depth: number;
  /** The names in the order in which they are printed. */
  readonly names: readonly string[];
  /** What precedes each value: comma, line, name, colon. */
  readonly heads: readonly string[];
}

/** An array or object that is being printed. */
interface Level {
  /** The elements of an array. */
  readonly items: readonly JsonInput[] | LazyList<JsonInput> | undefined;
  /** The fields of an object. */
  readonly fields: JsonFields;
  /** The shape of an object. */
  readonly shape: Shape;
  readonly sparse: boolean;
  /** Position of the next element or field. */
  next: number;
  /** Whether an element or field has been printed. */
  begun: boolean;
}

/** Characters that need no escape and are their own UTF-8. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** The same without the slash. */
const PLAIN_TO_EPEE = /^[ !#-.0-[\]-~]*$/;
const NO_FIELDS: JsonFields = {};
const NO_SHAPE: Shape = { keys: [], depth: 0, names: [], heads: [] };

/** Prints a value up to a requested length, and continues from there. */
class Printer {
  readonly #layout: Layout;
  readonly #maxDepth: number;
  /** Shapes by first field, of the object printed last: most objects are like an earlier one. */
  readonly #shapes = new Map<string, Shape>();
  /** The structures around the current position, outermost first. */
  readonly #levels: Level[] = [];
  /** Current depth of indentation. */
  #depth = 0;
  /** Line breaks by depth. */
  readonly #lines: string[] = [];
  #text = '';

  constructor(value: JsonInput, layout: Layout, maxDepth: number) {
    this.#layout = layout;
    this.#maxDepth = maxDepth;
    this.#value(value, false);
  }

  get done(): boolean {
    return this.#levels.length === 0;
  }

  /** Prints at least `enough` characters, or all that are left. */
  take(enough: number): string {
    while (this.#levels.length > 0 && this.#text.length < enough) {
      const level = this.#levels[this.#levels.length - 1]!;
      if (level.items === undefined) this.#fields(level);
      else this.#elements(level, level.items, enough);
    }
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** Continues an array until a structure begins in it, it ends, or there is enough text. */
  #elements(level: Level, items: readonly JsonInput[] | LazyList<JsonInput>, enough: number): void {
    const line = this.#layout.elementsInLines ? this.#line() : '';
    while (level.next < items.length) {
      if (this.#text.length >= enough) return;
      this.#text += level.begun ? `,${line}` : line;
      level.begun = true;
      if (this.#value(items.at(level.next++), level.sparse)) return;
    }
    this.#end(level, ']');
  }

  /** Continues an object until a structure begins in it, or it ends. */
  #fields(level: Level): void {
    const { shape, fields, sparse } = level;
    const { names, heads } = shape;
    while (level.next < names.length) {
      const at = level.next++;
      const value = fields[names[at]!];
      if (value === undefined || (sparse && typeof value === 'object' && isEmptyArray(value))) continue;
      const head = heads[at]!;
      this.#text += level.begun ? head : head.slice(1);
      level.begun = true;
      if (this.#value(value, sparse)) return;
    }
    this.#end(level, '}');
  }

  #end(level: Level, bracket: string): void {
    this.#levels.pop();
    if (!this.#isInLines(level)) {
      this.#text += bracket;
      return;
    }
    this.#depth -= 1;
    const isEmpty = !level.begun && !this.#layout.likeEpee;
    this.#text += isEmpty ? bracket : this.#line() + bracket;
  }

  #isInLines({ items }: Level): boolean {
    return items === undefined || this.#layout.elementsInLines;
  }

  /** Prints a value, or begins it; returns whether it is a structure that continues. */
  #value(value: JsonInput, sparse: boolean): boolean {
    if (this.#levels.length > this.#maxDepth)
      throw new FormatError('too-deep', `expected a value nested at most ${this.#maxDepth} deep`);
    switch (typeof value) {
      case 'string':
        this.#text += this.#quoted(value);
        return false;
      case 'number':
        if (!Number.isFinite(value)) throw new FormatError('bad-structure', 'expected a finite number');
        this.#text += String(value);
        return false;
      case 'bigint':
      case 'boolean':
        this.#text += String(value);
        return false;
      case 'object':
        return this.#structure(value, sparse);
      default:
        this.#text += 'null';
        return false;
    }
  }

  #structure(value: object | null, sparse: boolean): boolean {
    if (value === null) {
      this.#text += 'null';
      return false;
    }
    if (value instanceof WithoutEmptyArrays) return this.#value(value.value, true);
    const items = Array.isArray(value) || value instanceof LazyList ? value : undefined;
    this.#text += items === undefined ? '{' : '[';
    if (items === undefined || this.#layout.elementsInLines) this.#depth += 1;
    const fields = items === undefined ? (value as JsonFields) : NO_FIELDS;
    const shape = items === undefined ? this.#shapeOf(value) : NO_SHAPE;
    this.#levels.push({ items, fields, shape, sparse, next: 0, begun: false });
    return true;
  }

  #shapeOf(value: object): Shape {
    const keys = Object.keys(value);
    const depth = this.#depth;
    const first = keys[0] ?? '';
    const known = this.#shapes.get(first);
    if (known !== undefined && known.depth === depth && sameItems(known.keys, keys)) return known;
    const names = this.#layout.likeEpee ? keys.toSorted() : keys;
    const heads = names.map((name) => `,${this.#line()}${this.#quoted(name)}${this.#layout.colon}`);
    const shape = { keys, depth, names, heads };
    this.#shapes.set(first, shape);
    return shape;
  }

  #quoted(text: string): string {
    if (!this.#layout.likeEpee) return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
    return PLAIN_TO_EPEE.test(text) ? `"${text}"` : JSON.stringify(text).replaceAll('/', '\\/');
  }

  /** A line break at the current depth; empty for text on one line. */
  #line(): string {
    const { newline, indent } = this.#layout;
    if (newline === '') return '';
    this.#lines[this.#depth] ??= newline + ' '.repeat(indent * this.#depth);
    return this.#lines[this.#depth]!;
  }
}
