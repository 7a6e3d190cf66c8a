/** Bytes to a multiple of which a password is filled up before it is sealed: what is stored then tells nothing of the length of a usual one. */
const BLOCK = 128;
/** Comes after the password; zeros follow. */
const END = 0x80;

/** A password as the bytes that are sealed. */
export function paddedPassword(password: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(password);
  const padded = new Uint8Array(Math.ceil((text.length + 1) / BLOCK) * BLOCK);
  padded.set(text);
  padded[text.length] = END;
  return padded;
}

/**
 * The password in such bytes. Those sealed before 28 November 2026 are the password alone: told by their length, since its last byte may be
 * the same as the end's, as of Hangul “가”.
 */
export function passwordIn(padded: Uint8Array): string {
  const end = padded.length % BLOCK === 0 ? padded.findLastIndex((byte) => byte !== 0) : -1;
  return new TextDecoder().decode(padded[end] === END ? padded.subarray(0, end) : padded);
}
