import type { Argon2Cost, Argon2Input } from '../src/crypto/argon2.ts';

/** Announces a hash, so that the worker prepares its memory. `expected`: KiB. */
export interface PrepareHash {
  readonly expected: number;
}

/** The request; a password worker serves one. */
export interface HashRequest {
  readonly input: Argon2Input;
  readonly cost: Argon2Cost;
  readonly length: number;
}

export type PasswordWorkerRequest = PrepareHash | HashRequest;

/** The worker's first message: it is running and receives messages. */
export const READY = 'ready';

/** The hash; undefined if the worker failed. */
export type HashAnswer = Uint8Array | undefined;
