/** XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), which seals the records of a journal if the engine has no native one. Works in place. */
import { chachaXor, hchacha } from './chacha';
import { polyBegin, polyEnd, polyLengths, polyText } from './poly1305';

const SUBKEY: usize = memory.data(32, 16);
/** The first block of the stream: its first half is the Poly1305 key. */
const FIRST: usize = memory.data(64, 16);
const TAG: usize = memory.data(16, 16);

/** Derives the keys for a nonce of 24 bytes. */
function begin(key: usize, nonce: usize): void {
  hchacha(SUBKEY, key, nonce);
  memory.fill(FIRST, 0, 64);
  chachaXor(FIRST, 64, SUBKEY, nonce + 16, 0);
}

function tagOf(to: usize, at: usize, size: usize, bound: usize, boundSize: usize): void {
  polyBegin(FIRST);
  polyText(bound, boundSize);
  polyText(at, size);
  polyLengths(boundSize, size);
  polyEnd(to);
  memory.fill(FIRST, 0, 64);
}

/** Encrypts `size` bytes and writes their tag after them. */
export function xchachaSeal(at: usize, size: usize, key: usize, nonce: usize, bound: usize, boundSize: usize): void {
  begin(key, nonce);
  chachaXor(at, size, SUBKEY, nonce + 16, 1);
  memory.fill(SUBKEY, 0, 32);
  tagOf(at + size, at, size, bound, boundSize);
}

/** Decrypts `size` bytes that are followed by their tag; returns 0 and leaves them unchanged if the tag is wrong. */
export function xchachaOpen(at: usize, size: usize, key: usize, nonce: usize, bound: usize, boundSize: usize): bool {
  begin(key, nonce);
  tagOf(TAG, at, size, bound, boundSize);
  const different = v128.any_true(v128.xor(v128.load(TAG), v128.load(at + size)));
  if (!different) chachaXor(at, size, SUBKEY, nonce + 16, 1);
  memory.fill(SUBKEY, 0, 32);
  memory.fill(TAG, 0, 16);
  return !different;
}
