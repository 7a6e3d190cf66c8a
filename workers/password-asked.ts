import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';

/** Said to a password worker before its question: a hash of so many KiB is going to be asked for. */
export interface HashExpected {
  readonly expected: number;
}

/** The one question to a password worker. */
export interface HashAsked {
  readonly input: Argon2Input;
  readonly cost: Argon2Cost;
  readonly length: number;
}

export type PasswordAsked = HashExpected | HashAsked;

/** A worker's first word: it has begun, and what it was asked, or will be, reaches it. */
export const BEGUN = 'begun';

/** The hash; undefined where none could be made. */
export type HashAnswer = Uint8Array | undefined;
