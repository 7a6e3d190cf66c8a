import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';

/** The one question to a password worker. */
export interface HashAsked {
  readonly input: Argon2Input;
  readonly cost: Argon2Cost;
  readonly length: number;
}

/** A worker's first word: it has begun, and what it was asked, or will be, reaches it. */
export const BEGUN = 'begun';

/** The hash; undefined where none could be made. */
export type HashAnswer = Uint8Array | undefined;
