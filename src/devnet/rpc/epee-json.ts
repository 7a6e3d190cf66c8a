import { utf8FromLatin1 } from '../../base/index.ts';

/**
 * JSON as the reference's daemon reads it (epee, portable_storage_from_json.h): looser than JSON in places (a text that ends early, text
 * after the last bracket), stricter where it cannot store a value (lists of lists, lists of several kinds, `null` in a list, an object or a
 * list in a field without a name). A single value in such a field is dropped.
 */

/** Signed integers have a minus sign in the text; a `number` has a fraction or an exponent. */
export type EpeeValue = string | boolean | EpeeInteger | number | EpeeSection | EpeeList;

/** Items are all of one kind. Empty lists are dropped. */
export type EpeeList = readonly EpeeValue[];
/** An object of a request, as read by epee's own JSON reader. */
export type EpeeSection = ReadonlyMap<string, EpeeValue>;

/** Between -2^63 and 2^64-1. */
export interface EpeeInteger {
  readonly integer: bigint;
  /** Whether it was written with a minus. */
  readonly signed: boolean;
}

export const isSection = (value: EpeeValue | undefined): value is EpeeSection => value instanceof Map;
export const isList = (value: EpeeValue | undefined): value is EpeeList => Array.isArray(value);
export const isInteger = (value: EpeeValue | undefined): value is EpeeInteger =>
  typeof value === 'object' && !isSection(value) && !isList(value);

const MAX_DEPTH = 100;
/** For the reference's `strtod`, nonzero numbers closer to zero are out of range. */
const LEAST_NORMAL = 2 ** -1022;
/** Digits of the largest allowed integer, without leading zeros. */
const MAX_DIGITS = 20;

const code = (char: string): number => char.charCodeAt(0);
const END = -1;
const [OPEN, CLOSE, QUOTE, COLON, COMMA] = [code('{'), code('}'), code('"'), code(':'), code(',')];
const [LIST, LIST_END, BACKSLASH, MINUS] = [code('['), code(']'), code('\\'), code('-')];

// Up to a megabyte of characters is checked one by one: by their codes, which is ten times as fast as with patterns.
const isSpace = (char: number): boolean => char === 0x20 || (char >= 0x09 && char <= 0x0d);
const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39;
const isLetter = (char: number): boolean => (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
const isOfNumber = (char: number): boolean => isDigit(char) || '.eE+-'.includes(String.fromCharCode(char));

class BadText extends Error {}

/** @returns undefined when the daemon says "Parse error" */
export function parseEpeeJson(body: Uint8Array): EpeeSection | undefined {
  try {
    return new Reader(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')).document();
  } catch (error) {
    if (error instanceof BadText) return undefined;
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): EpeeSection {
    return this.#next(OPEN) === END ? new Map() : this.#section(0, new Map());
  }

  /** Skips white space and returns the next character; END if there is none. */
  #start(): number {
    const text = this.#text;
    let at = this.#at;
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    this.#at = at + 1;
    return at < text.length ? text.charCodeAt(at) : END;
  }

  /** Like `#start`, but the character must be one of two. */
  #next(wanted: number, other = wanted): number {
    const char = this.#start();
    if (char !== wanted && char !== other && char !== END) throw new BadText();
    return char;
  }

  /**
   * Reads what follows its bracket. If the text ends in the middle, the section ends there.
   * @param fields of an earlier object with the same name, to which the new ones are added
   */
  #section(depth: number, fields: Map<string, EpeeValue>): EpeeSection {
    if (depth >= MAX_DEPTH) throw new BadText();
    for (;;) {
      if (this.#next(QUOTE, CLOSE) !== QUOTE) return fields;
      const name = this.#string();
      if (this.#next(COLON) === END) return fields;
      const start = this.#start();
      if (start === END) return fields;
      const value = start === LIST ? this.#list(depth) : this.#value(start, depth, fields.get(name));
      if (name === '' && (isSection(value) || isList(value))) throw new BadText();
      if (value !== undefined && name !== '') fields.set(name, value);
      if (this.#next(COMMA, CLOSE) !== COMMA) return fields;
    }
  }

  /** Undefined for null, which counts as a missing field. */
  #value(start: number, depth: number, before?: EpeeValue): EpeeValue | undefined {
    if (start === QUOTE) return this.#string();
    if (start === OPEN) return this.#section(depth + 1, new Map(isSection(before) ? before : []));
    if (isDigit(start) || start === MINUS) return this.#number();
    if (!isLetter(start)) throw new BadText();
    const word = this.#run(isLetter).toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    if (word !== 'null') throw new BadText();
    return undefined;
  }

  #list(depth: number): EpeeList | undefined {
    const items: EpeeValue[] = [];
    let kind: string | undefined;
    for (;;) {
      const start = this.#start();
      if (start === END) break;
      if (start === LIST_END && kind === undefined) return undefined;
      const item = this.#value(start, depth);
      if (item === undefined || (kind !== undefined && kind !== kindOf(item))) throw new BadText();
      kind = kindOf(item);
      items.push(item);
      if (this.#next(COMMA, LIST_END) !== COMMA) break;
    }
    return items.length === 0 ? undefined : items;
  }

  /** Reads characters of a class, from the previous one on. The text must not end there. */
  #run(isOf: (char: number) => boolean): string {
    const from = this.#at - 1;
    while (this.#at < this.#text.length && isOf(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at >= this.#text.length) throw new BadText();
    return this.#text.slice(from, this.#at);
  }

  #number(): EpeeInteger | number {
    const text = this.#run(isOfNumber);
    if (/[.eE]/.test(text)) {
      // The reference stores it as a double; no field for an amount accepts one.
      const [digits] = text.split(/[eE]/) as [string];
      const parsed = Number.parseFloat(text);
      const value = Number.isNaN(parsed) ? 0 : parsed;
      const isTiny = Math.abs(value) < LEAST_NORMAL && /[1-9]/.test(digits);
      if (!Number.isFinite(value) || isTiny) throw new BadText();
      return value;
    }
    const signed = text.startsWith('-');
    const [, digits = ''] = /^-?0*(\d*)/.exec(text)!;
    if (digits.length > MAX_DIGITS) throw new BadText();
    const integer = signed ? -BigInt(digits) : BigInt(digits);
    if (signed ? integer < -(1n << 63n) : integer >= 1n << 64n) throw new BadText();
    return { integer, signed };
  }

  #string(): string {
    const text = this.#text;
    let raw = '';
    let from = this.#at;
    for (; this.#at < text.length; this.#at++) {
      const char = text.charCodeAt(this.#at);
      if (char !== QUOTE && char !== BACKSLASH) continue;
      raw += text.slice(from, this.#at);
      if (char === QUOTE) {
        this.#at++;
        return utf8(raw);
      }
      raw += this.#escape();
      from = this.#at + 1;
    }
    throw new BadText();
  }

  #escape(): string {
    const char = this.#text[++this.#at];
    if (char !== 'u') {
      const escaped = ESCAPES.get(char ?? '');
      if (escaped === undefined) throw new BadText();
      return escaped;
    }
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new BadText();
    this.#at += 4;
    return Buffer.from(String.fromCharCode(Number.parseInt(digits, 16)), 'utf8').toString('latin1');
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ...Array.from('\'"\\/', (char): [string, string] => [char, char]),
]);

const ASCII = /^[\0-\x7f]*$/;
const utf8 = (raw: string): string => (ASCII.test(raw) ? raw : utf8FromLatin1(raw));

function kindOf(value: EpeeValue): string {
  if (isSection(value)) return 'section';
  return isInteger(value) ? (value.signed ? 'signed' : 'unsigned') : typeof value;
}
