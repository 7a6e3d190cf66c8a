import { ProtocolError } from './errors.ts';

/**
 * CryptoNote's base58: blocks of 8 bytes become 11 digits, big-endian, and a shorter last block a fixed number of digits, so that the
 * length of the text follows from that of the bytes (common/base58.cpp).
 */

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS = new Map([...ALPHABET].map((letter, value) => [letter, BigInt(value)]));
const BLOCK = 8;
const ENCODED_SIZES: readonly number[] = [0, 2, 3, 5, 6, 7, 9, 10, 11];
const ENCODED_BLOCK = 11;

/** Encodes bytes of any length; no bytes give an empty text. */
export function encodeBase58(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BLOCK) text += encodeBlock(bytes.subarray(at, at + BLOCK));
  return text;
}

function encodeBlock(block: Uint8Array): string {
  let value = 0n;
  for (const byte of block) value = (value << 8n) | BigInt(byte);
  let digits = '';
  while (value > 0n) {
    digits = ALPHABET[Number(value % 58n)]! + digits;
    value /= 58n;
  }
  return digits.padStart(ENCODED_SIZES[block.length]!, '1');
}

/**
 * Decodes a base58 text.
 * @throws ProtocolError `bad-base58` for an impossible length, a letter outside the alphabet, or a block that overflows
 */
export function decodeBase58(text: string): Uint8Array {
  const lastSize = ENCODED_SIZES.indexOf(text.length % ENCODED_BLOCK);
  if (lastSize < 0) throw new ProtocolError('bad-base58', `expected a length that base58 texts have, got ${text.length}`);
  const bytes = new Uint8Array(Math.floor(text.length / ENCODED_BLOCK) * BLOCK + lastSize);
  for (let from = 0, to = 0; from < text.length; from += ENCODED_BLOCK, to += BLOCK) {
    decodeBlock(text.slice(from, from + ENCODED_BLOCK), from, bytes.subarray(to, to + BLOCK));
  }
  return bytes;
}

function decodeBlock(letters: string, position: number, target: Uint8Array): void {
  let value = 0n;
  for (let i = 0; i < letters.length; i++) {
    const digit = DIGITS.get(letters[i]!);
    if (digit === undefined) {
      throw new ProtocolError('bad-base58', `expected a letter of base58 at position ${position + i + 1}`, {
        position: position + i + 1,
      });
    }
    value = value * 58n + digit;
  }
  for (let i = target.length - 1; i >= 0; i--) {
    target[i] = Number(value & 0xffn);
    value >>= 8n;
  }
  if (value !== 0n) throw new ProtocolError('bad-base58', `expected a smaller block of base58 at position ${position + 1}`);
}
