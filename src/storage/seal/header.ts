import { sha256 } from '@noble/hashes/sha2.js';
import type { Random } from '../../crypto/random.ts';
import { ByteReader, ByteWriter } from '../../protocol/bytes.ts';
import type { WalletSecrets } from '../../wallet/wallet-secrets.ts';
import { DecodeError } from '../codec/decode.ts';
import { decodeSecrets, encodeSecrets } from '../codec/events.ts';
import { damagedError, StorageError } from '../errors.ts';
import { cipher } from './cipher.ts';
import { deriveKey, isAffordable, type KdfParameters, type PasswordHash } from './kdf.ts';

/** "nightjar" in ASCII. */
const MAGIC = Uint8Array.of(0x6e, 0x69, 0x67, 0x68, 0x74, 0x6a, 0x61, 0x72);
const VERSION = 1;
const NONCE = 24;
const TAG = 16;
const SALT = 16;
const KEY = 32;
const CHECKSUM = 8;
/** Magic, version, length: enough to know the header's length. */
export const HEADER_PREAMBLE = MAGIC.length + 2 + 4;
const MAX_HEADER = 4096;

/** Header of a wallet. Everything except the two sealed parts is readable without the password. */
export interface Header {
  /** 16 random bytes, the wallet's own: part of every seal. */
  readonly walletId: Uint8Array;
  /** Counts compactions: part of every record's seal, so that records of different generations cannot be mixed. */
  readonly generation: number;
  readonly network: string;
  readonly kind: string;
  readonly kdf: KdfParameters;
  readonly salt: Uint8Array;
  /** Nonce and the master key sealed under the password's key, 72 bytes. */
  readonly sealedKey: Uint8Array;
  /** Nonce and the secrets sealed under the master key. */
  readonly sealedSecrets: Uint8Array;
}

/** What sealing needs besides keys. */
export interface SealTools {
  /** Cost of hashing new passwords. */
  readonly kdf: KdfParameters;
  readonly random: Random;
  readonly hash: PasswordHash;
}

/** Secrets that a password unseals. Their holder wipes both when the journal is closed. */
export interface OpenedHeader {
  readonly masterKey: Uint8Array;
  readonly secrets: WalletSecrets;
}

/** Encodes a header as in `docs/storage.md`, with its checksum at the end. */
export function encodeHeader(header: Header): Uint8Array<ArrayBuffer> {
  const body = new ByteWriter(256);
  body.bytes(header.walletId).u32(header.generation);
  writeText(body, header.network);
  writeText(body, header.kind);
  body.u32(header.kdf.memory).u32(header.kdf.passes).u32(header.kdf.lanes);
  body.bytes(header.salt).bytes(header.sealedKey);
  body.u16(header.sealedSecrets.length).bytes(header.sealedSecrets);
  const bytes = body.finish();
  const whole = new ByteWriter(bytes.length + HEADER_PREAMBLE + CHECKSUM);
  whole.bytes(MAGIC).u16(VERSION).u32(bytes.length).bytes(bytes);
  whole.bytes(sha256(whole.finish()).subarray(0, CHECKSUM));
  return whole.finish();
}

/** Whether bytes begin as every wallet of this program does. */
export const hasMagic = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/**
 * Length of the whole header in bytes, from its first {@link HEADER_PREAMBLE}.
 * @throws StorageError `damaged`, `newer-version`
 */
export function headerLength(bytes: Uint8Array): number {
  if (bytes.length < HEADER_PREAMBLE || !hasMagic(bytes)) {
    throw damagedError(-1, 'a wallet of this program');
  }
  const reader = new ByteReader(bytes, MAGIC.length);
  const version = reader.u16();
  const length = reader.u32();
  if (version > VERSION && version < 256) {
    throw new StorageError('newer-version', 'this wallet was written by a later version of the program: update it', { version });
  }
  if (version !== VERSION || length > MAX_HEADER) throw damagedError(-1, `a header of version ${VERSION}`);
  return HEADER_PREAMBLE + length + CHECKSUM;
}

/** Decodes a header of exactly these bytes. @throws StorageError `damaged`, `newer-version` */
export function decodeHeader(bytes: Uint8Array): Header {
  const length = headerLength(bytes);
  if (bytes.length !== length) throw damagedError(-1, `a header of ${length} bytes`);
  const end = length - CHECKSUM;
  const sum = sha256(bytes.subarray(0, end));
  if (!bytes.subarray(end).every((byte, i) => byte === sum[i])) throw damagedError(-1, 'its checksum to match');
  try {
    return readHeader(new ByteReader(bytes, HEADER_PREAMBLE, end));
  } catch {
    throw damagedError(-1, 'its fields');
  }
}

function readHeader(reader: ByteReader): Header {
  const header = {
    walletId: reader.bytes(16),
    generation: reader.u32(),
    network: readText(reader),
    kind: readText(reader),
    kdf: { memory: reader.u32(), passes: reader.u32(), lanes: reader.u32() },
    salt: reader.bytes(SALT),
    sealedKey: reader.bytes(NONCE + KEY + TAG),
    sealedSecrets: reader.bytes(reader.u16()),
  };
  reader.expectEnd('the header');
  if (!isAffordable(header.kdf)) throw damagedError(-1, 'bearable costs of the password');
  return header;
}

function writeText(writer: ByteWriter, text: string): void {
  const bytes = new TextEncoder().encode(text);
  writer.u8(bytes.length).bytes(bytes);
}

function readText(reader: ByteReader): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(reader.bytes(reader.u8()));
}

/** Data that both seals of the header are bound to: the wallet, and which of the two it is. */
function aad(walletId: Uint8Array, part: 'key' | 'secrets'): Uint8Array {
  return new ByteWriter(32).bytes(walletId).bytes(new TextEncoder().encode(part)).finish();
}

/** Seals with a new 24-byte nonce, with which the result begins (XChaCha20-Poly1305). @param bound data that the seal is bound to */
export function seal(key: Uint8Array, plain: Uint8Array, bound: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const nonce = random.bytes(NONCE);
  const sealed = new Uint8Array(NONCE + plain.length + TAG);
  sealed.set(nonce);
  sealed.set(cipher.encrypt(key, nonce, bound, plain), NONCE);
  return sealed;
}

/** The plain bytes; undefined if the seal is broken. */
export function unseal(key: Uint8Array, sealed: Uint8Array, bound: Uint8Array): Uint8Array | undefined {
  if (sealed.length < NONCE + TAG) return undefined;
  return cipher.decrypt(key, sealed.subarray(0, NONCE), bound, sealed.subarray(NONCE));
}

/** Seals the master key under a password, with a salt of its own. */
export async function sealKey(
  masterKey: Uint8Array,
  walletId: Uint8Array,
  password: string,
  { kdf, random, hash }: SealTools,
): Promise<Pick<Header, 'kdf' | 'salt' | 'sealedKey'>> {
  const salt = random.bytes(SALT);
  const key = await deriveKey(password, salt, kdf, hash);
  const sealedKey = seal(key, masterKey, aad(walletId, 'key'), random);
  key.fill(0);
  return { kdf, salt, sealedKey };
}

/** The secrets of a wallet, sealed by its master key and bound to its id. */
export function sealSecrets(masterKey: Uint8Array, walletId: Uint8Array, secrets: WalletSecrets, random: Random): Uint8Array {
  const plain = encodeSecrets(secrets);
  const sealed = seal(masterKey, plain, aad(walletId, 'secrets'), random);
  plain.fill(0);
  return sealed;
}

/** The master key. @throws StorageError `wrong-password`: the checksum has ruled out damage by accident */
export async function unsealKey(header: Header, password: string, hash?: PasswordHash): Promise<Uint8Array> {
  const key = await deriveKey(password, header.salt, header.kdf, hash);
  const masterKey = unseal(key, header.sealedKey, aad(header.walletId, 'key'));
  key.fill(0);
  if (masterKey === undefined) throw new StorageError('wrong-password', 'this password does not open the wallet');
  return masterKey;
}

/** @throws StorageError `wrong-password`, `damaged` */
export async function openHeader(header: Header, password: string, hash?: PasswordHash): Promise<OpenedHeader> {
  const masterKey = await unsealKey(header, password, hash);
  const secrets = openSecrets(header, masterKey);
  if (secrets === undefined) throw damagedError(-1, 'the seal of the secrets to hold');
  return { masterKey, secrets };
}

/** The secrets by the master key itself; undefined when it is not this wallet's. @throws StorageError `damaged` */
export function openSecrets(header: Header, masterKey: Uint8Array): WalletSecrets | undefined {
  const plain = unseal(masterKey, header.sealedSecrets, aad(header.walletId, 'secrets'));
  if (plain === undefined) return undefined;
  try {
    return decodeSecrets(plain);
  } catch (error) {
    if (error instanceof DecodeError) throw damagedError(-1, 'secrets of this program');
    throw error;
  } finally {
    plain.fill(0);
  }
}
