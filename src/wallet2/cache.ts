import { type AddressKeys, ByteReader, isProtocolError, ProtocolError, readTransaction } from '../protocol/index.ts';
import { bool } from './archive.ts';
import {
  type CachedContact,
  type CachedOutput,
  type CachedSend,
  hex,
  MIN_CONTACT,
  MIN_OUTPUT,
  MIN_PAYMENT,
  MIN_SEND,
  passPayment,
  passPoolPayment,
  readConfirmed,
  readContact,
  readHexMap,
  readIndex,
  readMap,
  readOutput,
  readPair,
  readText,
  readUnconfirmed,
  readVersion,
} from './cache-entries.ts';
import { passBytes, passMany, passVarint } from './cache-prefix.ts';
import { Wallet2Error } from './errors.ts';

/** Contents of a reference wallet's cache that cannot be found from its keys and the chain. Maps are in the file's order. */
export interface WalletCache {
  /** Public keys of the wallet that it belongs to. */
  readonly account: AddressKeys;
  /** Labels by account and address index, for all created or used addresses. An account's label is that of its first address. */
  readonly labels: readonly (readonly string[])[];
  readonly outputs: readonly CachedOutput[];
  /** Transactions that the wallet made: pending or failed ones, then those on the chain. */
  readonly sends: readonly CachedSend[];
  /** Secret keys by transaction: the main one, then one for each output if there are any. 64 hex digits each. */
  readonly txKeys: ReadonlyMap<string, readonly string[]>;
  /** Notes by transaction id. */
  readonly notes: ReadonlyMap<string, string>;
  readonly contacts: readonly CachedContact[];
  readonly attributes: ReadonlyMap<string, string>;
  /** Descriptions by tag, and the tag of each account. */
  readonly tags: { readonly descriptions: ReadonlyMap<string, string>; readonly tags: readonly string[] };
  /** Key images that the cold half announced for future outputs, by one-time key; 64 hex digits. Only view-only wallets have them. */
  readonly coldKeyImages: ReadonlyMap<string, string>;
}

const MAGIC = 'monero wallet cache';
const NEWEST = 2;

/**
 * Reads a decrypted cache (`wallet2::serialize`, wallet2.h): versions 0 (0.18.0), 1 (0.18.2) and 2 (0.18.4 on). Every count is checked
 * against the remaining bytes before anything is allocated.
 * @throws Wallet2Error `bad-magic`, `unsupported-version`; ProtocolError
 */
export function decodeCache(bytes: Uint8Array): WalletCache {
  try {
    return decode(bytes, false);
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    // Before 0.18, builds in which size_t is not uint64_t wrote positions in full width.
    return decode(bytes, true);
  }
}

function decode(bytes: Uint8Array, widePositions: boolean): WalletCache {
  const reader = new ByteReader(bytes);
  if (reader.remaining < MAGIC.length || reader.latin1(MAGIC.length) !== MAGIC)
    throw new Wallet2Error('bad-magic', 'expected the cache of a wallet', { expected: MAGIC });
  const version = reader.varintNumber(32);
  if (version > NEWEST)
    throw new Wallet2Error('unsupported-version', `expected version ${NEWEST} of the cache or an older one`, { version });
  const cache = new CacheReader(reader, widePositions).read(version);
  reader.expectEnd('the cache');
  return cache;
}

/** Reads the fields in their order. */
class CacheReader {
  readonly #reader: ByteReader;
  readonly #widePositions: boolean;

  constructor(reader: ByteReader, widePositions: boolean) {
    this.#reader = reader;
    this.#widePositions = widePositions;
  }

  read(version: number): WalletCache {
    const reader = this.#reader;
    this.#passChain();
    const outputs = reader.list(MIN_OUTPUT, readOutput);
    const account = { spendKey: reader.key(), viewKey: reader.key() };
    this.#passPositions(outputs.length);
    const unconfirmed = readHexMap(reader, MIN_SEND, readUnconfirmed);
    this.#passPayments(passPayment);
    const mainKeys = readHexMap(reader, 32, hex);
    const confirmed = readHexMap(reader, MIN_SEND, readConfirmed);
    const notes = new Map(readHexMap(reader, 1, readText));
    this.#passPayments(passPoolPayment);
    this.#passPositions(outputs.length);
    const contacts = reader.list(MIN_CONTACT, readContact);
    for (let i = 0; i < 2; i++) this.#passHashes();
    readHexMap(reader, 8, readIndex); // which addresses are watched
    const labels = reader.list(1, (r) => r.list(1, readText));
    const otherKeys = readHexMap(reader, 1, (r) => r.list(32, hex));
    const attributes = new Map(readMap(reader, 2, readText, readText));
    const tags = this.#readTags();
    bool.read(reader); // whether old rings are in the shared database
    reader.skip(8); // last block reward
    readHexMap(reader, 1, passBytes); // what devices store about transactions
    reader.skip(8); // last exchange with a device
    const coldKeyImages = new Map(readHexMap(reader, 32, hex));
    reader.skip(32); // identity for daemons that are paid
    if (version >= 1) bool.read(reader); // whether it ever asked a daemon
    if (version >= 2) this.#passBackground();
    const sends = [...unconfirmed, ...confirmed].map(([txHash, send]) => ({ txHash, ...send }));
    const txKeys = keysByTransaction(mainKeys, otherKeys);
    return { account, labels, outputs, sends, txKeys, notes, contacts, attributes, tags, coldKeyImages };
  }

  /** Skips block ids: offset of the first one, the genesis block's, then all others (`hashchain`). */
  #passChain(): void {
    readVersion(this.#reader, 0);
    this.#reader.varint();
    this.#reader.skip(32);
    this.#passHashes();
  }

  #passHashes(): void {
    this.#reader.skip(32 * this.#reader.count(32));
  }

  /** Key images or one-time keys, each with its position among the outputs, which the reference checks too. */
  #passPositions(outputs: number): void {
    const readPosition = this.#widePositions ? (r: ByteReader) => r.u64() : (r: ByteReader) => r.varint();
    for (const [, position] of readHexMap(this.#reader, 1, readPosition)) {
      if (position >= BigInt(outputs)) throw new ProtocolError('bad-structure', 'expected positions of outputs that are there');
    }
  }

  #passPayments(pass: (reader: ByteReader) => void): void {
    passMany(this.#reader, 1 + 32 + MIN_PAYMENT, (r) => {
      readPair(r);
      r.skip(32);
      pass(r);
    });
  }

  #readTags(): WalletCache['tags'] {
    const reader = this.#reader;
    readPair(reader);
    const descriptions = new Map(readMap(reader, 2, readText, readText));
    return { descriptions, tags: reader.list(1, readText) };
  }

  /** Skips results of a scan without the spend key that are not merged yet (`background_sync_data_t`). */
  #passBackground(): void {
    const reader = this.#reader;
    readVersion(reader, 0);
    bool.read(reader);
    reader.skip(8);
    readHexMap(reader, 10, passBackgroundTransaction);
    reader.skip(8);
    for (let i = 0; i < 3; i++) reader.varint(); // lookahead of accounts and addresses, what is scanned
  }
}

function passBackgroundTransaction(reader: ByteReader): void {
  readVersion(reader, 0);
  reader.varint();
  readTransaction(reader, { pruned: true });
  passMany(reader, 1, passVarint);
  reader.varint();
  reader.varint();
  bool.read(reader);
}

function keysByTransaction(
  main: readonly (readonly [string, string])[],
  others: readonly (readonly [string, readonly string[]])[],
): Map<string, readonly string[]> {
  const additional = new Map(others);
  return new Map(main.map(([txHash, key]) => [txHash, [key, ...(additional.get(txHash) ?? [])]]));
}
