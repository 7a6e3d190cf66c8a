import { utf8FromLatin1 } from '../../base/index.ts';

/**
 * JSON as the reference's daemon reads it (epee, portable_storage_from_json.h): looser than JSON where it may be (a text that ends early, what
 * comes behind the last bracket), stricter where it cannot keep a value (lists of lists, lists of several kinds, `null` in a list).
 */

/** Unsigned and signed integers are told apart by their sign in the text; a number is one with a fraction or an exponent. */
export type EpeeValue = string | boolean | EpeeInteger | number | EpeeSection | EpeeList;

/** Of a list: all of one kind. Empty lists are not kept. */
export type EpeeList = readonly EpeeValue[];
/** An object of a request, as epee's own reader of JSON takes it. */
export type EpeeSection = ReadonlyMap<string, EpeeValue>;

/** Between -2^63 and 2^64-1. */
export interface EpeeInteger {
  readonly integer: bigint;
  /** Written with a minus. */
  readonly signed: boolean;
}

export const isSection = (value: EpeeValue | undefined): value is EpeeSection => value instanceof Map;
export const isList = (value: EpeeValue | undefined): value is EpeeList => Array.isArray(value);
export const isInteger = (value: EpeeValue | undefined): value is EpeeInteger =>
  typeof value === 'object' && !isSection(value) && !isList(value);

const MAX_DEPTH = 100;
const SPACE = /[\t-\r ]/;
const DIGIT = /[0-9]/;
const LETTER = /[A-Za-z]/;
const OF_NUMBER = /[0-9.eE+-]/;

class BadText extends Error {}

/** @returns undefined where the daemon says "Parse error" */
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
    return this.#next((char) => char === '{') === undefined ? new Map() : this.#section(0);
  }

  /** Skips white space up to a character that is wanted, and past it. Undefined at the end of the text. */
  #next(wanted: (char: string) => boolean): string | undefined {
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (wanted(char)) {
        this.#at++;
        return char;
      }
      if (!SPACE.test(char)) throw new BadText();
    }
    return undefined;
  }

  /** Behind its bracket. A text that ends in the middle is a section that ends there. */
  #section(depth: number): EpeeSection {
    if (depth >= MAX_DEPTH) throw new BadText();
    const fields = new Map<string, EpeeValue>();
    for (;;) {
      if (this.#next((char) => char === '"' || char === '}') !== '"') return fields;
      const name = this.#string();
      if (this.#next((char) => char === ':') === undefined) return fields;
      const start = this.#next((char) => !SPACE.test(char));
      if (start === undefined) return fields;
      const value = start === '[' ? this.#list(depth) : this.#value(start, depth);
      if (value !== undefined) fields.set(name, value);
      if (this.#next((char) => char === ',' || char === '}') !== ',') return fields;
    }
  }

  /** Undefined for null, which leaves a field as if it were not there. */
  #value(start: string, depth: number): EpeeValue | undefined {
    if (start === '"') return this.#string();
    if (start === '{') return this.#section(depth + 1);
    if (DIGIT.test(start) || start === '-') return this.#number();
    if (!LETTER.test(start)) throw new BadText();
    const word = this.#run(LETTER).toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    if (word !== 'null') throw new BadText();
    return undefined;
  }

  #list(depth: number): EpeeList | undefined {
    const items: EpeeValue[] = [];
    let kind: string | undefined;
    for (;;) {
      const start = this.#next((char) => !SPACE.test(char));
      if (start === undefined) break;
      if (start === ']' && kind === undefined) return undefined;
      const item = this.#value(start, depth);
      if (item === undefined || (kind !== undefined && kind !== kindOf(item))) throw new BadText();
      kind = kindOf(item);
      items.push(item);
      if (this.#next((char) => char === ',' || char === ']') !== ',') break;
    }
    return items.length === 0 ? undefined : items;
  }

  /** From the character before on, as long as they are of a class. A text must not end in it. */
  #run(of: RegExp): string {
    const from = this.#at - 1;
    while (this.#at < this.#text.length && of.test(this.#text[this.#at]!)) this.#at++;
    if (this.#at >= this.#text.length) throw new BadText();
    return this.#text.slice(from, this.#at);
  }

  #number(): EpeeInteger | number {
    const text = this.#run(OF_NUMBER);
    const isFloat = /[.eE]/.test(text);
    const match = isFloat ? undefined : /^-?\d+/.exec(text)?.[0];
    if (isFloat) {
      // A double is what the reference's storage keeps of it; no field that counts money takes one.
      const value = Number.parseFloat(text);
      if (!Number.isFinite(value)) throw new BadText();
      return value;
    }
    const integer = BigInt(match ?? 0);
    const signed = text.startsWith('-');
    if (signed ? integer < -(1n << 63n) : integer >= 1n << 64n) throw new BadText();
    return { integer, signed };
  }

  #string(): string {
    let raw = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === '"') {
        this.#at++;
        return utf8(raw);
      }
      raw += char === '\\' ? this.#escape() : char;
    }
    throw new BadText();
  }

  #escape(): string {
    const char = this.#text[++this.#at];
    if (char === undefined) throw new BadText();
    if (char !== 'u') return ESCAPES.get(char) ?? char;
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
]);

const ASCII = /^[\0-\x7f]*$/;
const utf8 = (raw: string): string => (ASCII.test(raw) ? raw : utf8FromLatin1(raw));

function kindOf(value: EpeeValue): string {
  if (isSection(value)) return 'section';
  return isInteger(value) ? (value.signed ? 'signed' : 'unsigned') : typeof value;
}
