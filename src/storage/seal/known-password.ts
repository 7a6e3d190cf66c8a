import { equalBytes } from '../../base/index.ts';
import type { Random } from '../../crypto/random.ts';
import { deriveKey, type KdfParameters } from './kdf.ts';

/** A twentieth of a wallet's own cost, and still a price for each guess at a copy of this memory. */
const PARAMETERS: KdfParameters = { memory: 8192, passes: 1, lanes: 1 };
const SALT = 16;

/**
 * A password that was right, recognised when the same is given again: Argon2id of it under a salt that never leaves memory. Of another one it
 * says nothing: whether that is right is for the header to say, at its full cost.
 */
export class KnownPassword {
  readonly #salt: Uint8Array;
  readonly #hash: Uint8Array;

  private constructor(salt: Uint8Array, hash: Uint8Array) {
    this.#salt = salt;
    this.#hash = hash;
  }

  /** Remembers a password that was found right. */
  static async of(password: string, random: Random): Promise<KnownPassword> {
    const salt = random.bytes(SALT);
    return new KnownPassword(salt, await deriveKey(password, salt, PARAMETERS));
  }

  /** Whether this is that password. Takes a twentieth of what the header takes. */
  async is(password: string): Promise<boolean> {
    const hash = await deriveKey(password, this.#salt, PARAMETERS);
    const same = equalBytes(hash, this.#hash);
    hash.fill(0);
    return same;
  }

  /** Overwrites what was remembered. */
  wipe(): void {
    this.#hash.fill(0);
    this.#salt.fill(0);
  }
}
