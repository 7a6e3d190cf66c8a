import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, equalBytes, u32ToBytes } from '../../../src/base/index.ts';
import { type Random, randomScalar } from '../../../src/crypto/index.ts';

/** The kind of a secret, which its HMAC covers. */
export type SecretType = 1 | 2 | 3 | 4;
export const SCALAR = 1;
export const DERIVATION = 2;
export const AMOUNT_KEY = 3;
export const NONCE = 4;

/** The app's random values, and the HMACs by a random key: the only bytes not determined by the seed and the requests. */
export interface Chance {
  /** A scalar of 32 bytes: r, a key pair, a nonce. */
  scalar(): Uint8Array;
  /** A new HMAC key. */
  newMacs(): void;
  /** The HMAC of a sealed secret. @param at its position in the reply */
  mac(sealed: Uint8Array, type: SecretType, count: number, at: number): Uint8Array;
  /** Whether a returned HMAC is valid. */
  isMac(sealed: Uint8Array, types: readonly SecretType[], count: number, mac: Uint8Array): boolean;
  /** A message in the mode that signs nothing: not a function of the request. */
  idleMessage(): Uint8Array;
}

export function liveChance(random: Random): Chance {
  let key = random.bytes(32);
  const mac = (sealed: Uint8Array, type: SecretType, count: number) =>
    hmac(sha256, key, concatBytes(sealed, Uint8Array.of(type), u32ToBytes(count)));
  return {
    scalar: () => randomScalar(random),
    newMacs: () => {
      key = random.bytes(32);
    },
    mac,
    isMac: (sealed, types, count, given) => types.some((type) => equalBytes(mac(sealed, type, count), given)),
    idleMessage: () => random.bytes(32),
  };
}

/**
 * Random values taken from a recorded reply. HMACs cannot be predicted: within a transaction each must be the same for the same secret, and be
 * returned unchanged.
 */
export class RecordedChance implements Chance {
  readonly #macs = new Map<string, Uint8Array>();
  /** Scalars in the recorded reply, decrypted. */
  scalars: Uint8Array[] = [];
  /** Data of the recorded reply. */
  recorded: Uint8Array = new Uint8Array();

  scalar(): Uint8Array {
    const next = this.scalars.shift();
    if (next === undefined) throw new Error('the recorded reply shows nothing drawn here');
    return next;
  }

  newMacs(): void {
    this.#macs.clear();
  }

  mac(sealed: Uint8Array, _type: SecretType, _count: number, at: number): Uint8Array {
    const id = bytesToHex(sealed);
    const known = this.#macs.get(id) ?? this.recorded.slice(at, at + 32);
    this.#macs.set(id, known);
    return known;
  }

  isMac(sealed: Uint8Array, _types: readonly SecretType[], _count: number, mac: Uint8Array): boolean {
    const known = this.#macs.get(bytesToHex(sealed));
    return known !== undefined && equalBytes(known, mac);
  }

  idleMessage(): Uint8Array {
    return this.recorded;
  }
}
