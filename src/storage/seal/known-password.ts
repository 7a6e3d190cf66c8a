import { equalBytes } from '../../base/index.ts';
import type { Random } from '../../crypto/random.ts';
import { deriveKey, type KdfParameters } from './kdf.ts';

/** A twentieth of a wallet's cost, which still makes each guess at a copy of this memory expensive. */
const PARAMETERS: KdfParameters = { memory: 8192, passes: 1, lanes: 1 };
const SALT = 16;

/**
 * Recognises a verified password when it is given again: Argon2id with a salt that never leaves memory. It does not check other passwords:
 * the header does that, at full cost.
 */
export class KnownPassword {
  readonly #salt: Uint8Array;
  readonly #hash: Uint8Array;

  private constructor(salt: Uint8Array, hash: Uint8Array) {
    this.#salt = salt;
    this.#hash = hash;
  }

  /** Remembers a password that was verified. */
  static async of(password: string, random: Random): Promise<KnownPassword> {
    const salt = random.bytes(SALT);
    return new KnownPassword(salt, await deriveKey(password, salt, PARAMETERS));
  }

  /** Whether this is that password. Takes a twentieth of the time of the header's check. */
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
