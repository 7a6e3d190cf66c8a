import { existsSync, readFileSync } from 'node:fs';
import { hexToBytes } from '../../src/base/index.ts';

const WHOLE = new URL('../../../shared/vectors/', import.meta.url);

/** The reference implementation's vectors: all of them where they lie beside the project, else the sample that comes with it. */
const VECTORS = existsSync(new URL('crypto.txt', WHOLE)) ? WHOLE : new URL('../fixtures/vectors/', import.meta.url);

/** The lines of a vector file, each split at its spaces. */
export function vectorLines(name: string): string[][] {
  const text = readFileSync(new URL(name, VECTORS), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line) => line.split(' '));
}

/** Walks one line field by field; complains when a field is missing, malformed or left over. */
export class Fields {
  private at = 0;
  private readonly words: readonly string[];

  constructor(words: readonly string[]) {
    this.words = words;
  }

  word(): string {
    const word = this.words[this.at++];
    if (word === undefined) throw new Error(`expected another field in: ${this.words[0]}`);
    return word;
  }

  bytes(length?: number): Uint8Array {
    const word = this.word();
    const bytes = word === 'x' ? new Uint8Array(0) : hexToBytes(word);
    if (length !== undefined && bytes.length !== length) throw new Error(`expected ${length} bytes in: ${this.words[0]}`);
    return bytes;
  }

  boolean(): boolean {
    const word = this.word();
    if (word !== 'true' && word !== 'false') throw new Error(`expected true or false in: ${this.words[0]}`);
    return word === 'true';
  }

  integer(): number {
    const word = this.word();
    if (!/^\d+$/.test(word)) throw new Error(`expected digits in: ${this.words[0]}`);
    return Number(word);
  }

  end(): void {
    if (this.at !== this.words.length) throw new Error(`expected no further field in: ${this.words[0]}`);
  }
}
