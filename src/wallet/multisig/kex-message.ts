import { asciiToBytes, bytesToHex, concatBytes, equalBytes, u32ToBytes } from '../../base/index.ts';
import {
  areInMainSubgroup,
  checkSignature,
  generateSignature,
  IDENTITY,
  isCanonicalScalar,
  keccak256,
  type Random,
  scalarIsZero,
  secretKeyToPublicKey,
} from '../../crypto/index.ts';
import { ByteReader, ByteWriter, decodeBase58, encodeBase58, isProtocolError } from '../../protocol/index.ts';
import { MultisigError } from './errors.ts';

/**
 * Messages of the key exchange (multisig_kex_msg.cpp): a prefix with kind and version, then base58 of the content and of a signature
 * over prefix and content.
 */

const FIRST = 'MultisigxV2R1';
const LATER = 'MultisigxV2Rn';
const OLD = ['MultisigV1', 'MultisigxV1'];
/** Most characters of a message. The largest possible one, of 16 signers, has a third of that. */
const MOST_LENGTH = 1_000_000;
const SIGNATURE = 64;

/** One signer's message of a round. Keys have 32 bytes. */
export interface KexMessage {
  /** 1 or more. */
  readonly round: number;
  /** The sender's base public key, which signs the message. */
  readonly signer: Uint8Array;
  /** The keys proposed; none in the first round. */
  readonly keys: readonly Uint8Array[];
  /** The signer's part of the common secret view key. First round only. */
  readonly commonSecret: Uint8Array | undefined;
}

/** Signs a message and encodes it as text. @param baseSecret the signer's, 32 bytes */
export function encodeKexMessage(message: Omit<KexMessage, 'signer'>, baseSecret: Uint8Array, random: Random): string {
  const signer = secretKeyToPublicKey(baseSecret);
  if (signer === undefined) throw new MultisigError('bad-account', 'expected a base secret below the group order');
  const signed = { ...message, signer };
  const signature = generateSignature(hashOf(signed), signer, baseSecret, random);
  const writer = new ByteWriter(128 + 32 * signed.keys.length);
  if (signed.round === 1) writer.bytes(signed.commonSecret!);
  else writer.varint(signed.round).varint(signed.keys.length).keys(signed.keys);
  writer.bytes(signer).bytes(signature);
  return wordOf(signed) + encodeBase58(writer.finish());
}

/** Decodes several messages; a key that occurs in many of them is checked once. @throws MultisigError as {@link decodeKexMessage} */
export function decodeKexMessages(texts: readonly string[]): KexMessage[] {
  const checked = new Set<string>();
  return texts.map((text) => decode(text, checked));
}

/**
 * Reads a message and checks its keys and its signature.
 * @throws MultisigError `bad-message`, `old-version`, `unknown-version`, `bad-key`, `bad-signature`
 */
export const decodeKexMessage = (text: string): KexMessage => decode(text, new Set());

/** @param checked keys that were checked before, hex; this message's keys are added */
function decode(text: string, checked: Set<string>): KexMessage {
  if (new TextEncoder().encode(text).length < FIRST.length)
    throw new MultisigError('bad-message', 'expected a longer message', { short: true });
  if (text.length > MOST_LENGTH) throw new MultisigError('bad-message', `expected at most ${MOST_LENGTH} characters`);
  if (OLD.some((word) => text.startsWith(word)))
    throw new MultisigError('old-version', 'expected a message of the second version: groups of the first are not safe');
  const word = text.slice(0, FIRST.length);
  const content = bytesOf(text.slice(FIRST.length));
  if (word !== FIRST && word !== LATER)
    throw new MultisigError('unknown-version', 'expected a message of a key exchange, of the second version');
  const { message, signature } = read(content, word === FIRST ? readFirst : readLater);
  requireKeys(message.keys, 'message', checked);
  requireKeys([message.signer], 'signer', checked);
  if (!checkSignature(hashOf(message), message.signer, signature))
    throw new MultisigError('bad-signature', 'expected a message as its signer made it');
  return message;
}

interface Signed {
  readonly message: KexMessage;
  readonly signature: Uint8Array;
}

function bytesOf(text: string): Uint8Array {
  try {
    return decodeBase58(text);
  } catch (error) {
    if (isProtocolError(error)) throw new MultisigError('bad-message', 'expected base58', { base58: false });
    throw error;
  }
}

const readFirst = (reader: ByteReader): KexMessage => ({
  ...{ round: 1, keys: [], commonSecret: reader.key(), signer: reader.key() },
});

const readLater = (reader: ByteReader): KexMessage => ({
  round: reader.varintNumber(32),
  keys: reader.list(32, (r) => r.key()),
  commonSecret: undefined,
  signer: reader.key(),
});

function read(content: Uint8Array, fields: (reader: ByteReader) => KexMessage): Signed {
  const reader = new ByteReader(content);
  try {
    const message = fields(reader);
    const signature = reader.bytes(SIGNATURE);
    reader.expectEnd('a message of a key exchange');
    return { message: requireContent(message), signature };
  } catch (error) {
    if (isProtocolError(error)) throw new MultisigError('bad-message', 'expected the fields of a message');
    throw error;
  }
}

function requireContent(message: KexMessage): KexMessage {
  const { round, commonSecret } = message;
  if (commonSecret === undefined) {
    if (round < 2) throw new MultisigError('bad-message', 'expected a later round than the first', { round });
  } else if (!isCanonicalScalar(commonSecret) || scalarIsZero(commonSecret)) {
    throw new MultisigError('bad-message', 'expected a part of the common secret other than zero, below the group order');
  }
  return message;
}

/** Requires points of the prime subgroup other than the neutral one: with others, a sender could learn about a secret. */
function requireKeys(all: readonly Uint8Array[], of: 'signer' | 'message', checked: Set<string>): void {
  const names = all.map(bytesToHex);
  const keys = all.filter((_, i) => !checked.has(names[i]!));
  if (keys.some((key) => equalBytes(key, IDENTITY) || scalarIsZero(key)))
    throw new MultisigError('bad-key', 'expected keys other than the neutral one', { of, neutral: true });
  if (!areInMainSubgroup(keys)) throw new MultisigError('bad-key', 'expected keys of the prime subgroup', { of, neutral: false });
  for (const name of names) checked.add(name);
}

const wordOf = ({ round }: Pick<KexMessage, 'round'>): string => (round === 1 ? FIRST : LATER);

/** The signed hash: Keccak of the magic, the round in four bytes, the signer, and the secret or the keys. */
function hashOf({ round, signer, keys, commonSecret }: KexMessage): Uint8Array {
  const rest = round === 1 ? commonSecret! : concatBytes(...keys);
  return keccak256(asciiToBytes(wordOf({ round })), u32ToBytes(round), signer, rest);
}
