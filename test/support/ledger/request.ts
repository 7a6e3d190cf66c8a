import { cbc } from '@noble/ciphers/aes.js';
import { concatBytes, equalBytes } from '../../../src/base/index.ts';
import { isCanonicalScalar, isPoint } from '../../../src/crypto/index.ts';
import type { Chance, SecretType } from './chance.ts';
import { demand } from './refusal.ts';
import type { AppKeys } from './seed.ts';

const IV = new Uint8Array(16);
export const VIEW_SLOT = new Uint8Array(32);
export const SPEND_SLOT = new Uint8Array(32).fill(0xff);

/** The encryption of values that pass through the host: AES-128 in two chained blocks, deterministic. */
export class Seal {
  readonly #key: Uint8Array;

  constructor({ sealing }: AppKeys) {
    this.#key = sealing;
  }

  close(secret: Uint8Array): Uint8Array {
    return cbc(this.#key, IV, { disablePadding: true }).encrypt(secret);
  }

  open(sealed: Uint8Array): Uint8Array {
    return cbc(this.#key, IV, { disablePadding: true }).decrypt(sealed);
  }
}

/** Reads a request and writes its reply. */
export interface Desk {
  readonly keys: AppKeys;
  readonly seal: Seal;
  readonly chance: Chance;
  /** Whether a transaction is open: then secrets have HMACs. */
  readonly macs: boolean;
  /** Signatures so far in this transaction. */
  readonly count: number;
}

/** Values a slot accepts besides sealed secrets: placeholders for the wallet's own keys. `key`: a slot for keys that accepts neither. */
export interface StandIns {
  readonly view?: boolean;
  readonly spend?: boolean;
  readonly key?: boolean;
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Fields of a request, in order. */
export class Request {
  readonly #desk: Desk;
  readonly #data: Uint8Array;
  #at = 0;
  readonly out: Uint8Array[] = [];

  constructor(desk: Desk, data: Uint8Array) {
    this.#desk = desk;
    this.#data = data;
  }

  get left(): number {
    return this.#data.length - this.#at;
  }

  bytes(length: number): Uint8Array {
    // No status of the app stands for a request that is too short.
    demand(length <= this.left, 0x0000);
    this.#at += length;
    return this.#data.slice(this.#at - length, this.#at);
  }

  rest(): Uint8Array {
    return this.bytes(this.left);
  }

  byte(): number {
    return this.bytes(1)[0]!;
  }

  u32be(): number {
    return new DataView(this.bytes(4).buffer).getUint32(0);
  }

  u32le(): number {
    return new DataView(this.bytes(4).buffer).getUint32(0, true);
  }

  point(): Uint8Array {
    const bytes = this.bytes(32);
    demand(isPoint(bytes), 0x6919);
    return bytes;
  }

  /** A sealed secret of these types, or a placeholder for the wallet's own keys if accepted. */
  secret(types: readonly SecretType[], standIns: StandIns = {}): Uint8Array {
    const { keys, seal, chance, macs, count } = this.#desk;
    const sealed = this.bytes(32);
    if (macs) demand(chance.isMac(sealed, types, types.includes(4) ? count : 0, this.bytes(32)), 0x6917);
    if (standIns.view === true && equalBytes(sealed, VIEW_SLOT)) return keys.viewKey;
    if (standIns.spend === true && equalBytes(sealed, SPEND_SLOT)) return keys.spendKey;
    const isKeySlot = standIns.key === true || standIns.view === true;
    demand(!isKeySlot || !equalBytes(sealed, SPEND_SLOT), 0x6984);
    const secret = seal.open(sealed);
    demand(!isZero(secret), 0x6985);
    demand(!types.every((type) => type === 1) || isCanonicalScalar(secret), 0x6985);
    return secret;
  }

  put(...parts: readonly Uint8Array[]): void {
    this.out.push(...parts);
  }

  /** Seals a secret into the reply. */
  putSecret(secret: Uint8Array, type: SecretType): void {
    this.putSealed(this.#desk.seal.close(secret), type);
  }

  putSealed(sealed: Uint8Array, type: SecretType): void {
    const { chance, macs, count } = this.#desk;
    this.out.push(sealed);
    const at = this.out.reduce((length, part) => length + part.length, 0);
    if (macs) this.out.push(chance.mac(sealed, type, type === 4 ? count : 0, at));
  }

  reply(): Uint8Array {
    return concatBytes(...this.out);
  }
}
