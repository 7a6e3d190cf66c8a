import { asciiToBytes, concatBytes, equalBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { decryptWithSecret, encryptWithSecret } from './cipher.ts';
import { Wallet2Error } from './errors.ts';

/** Prefix of a file: a text, then one byte with the format's version. */
export interface Magic {
  readonly words: string;
  readonly version: number;
}

/** Contents after the prefix. @throws Wallet2Error `bad-magic` */
export function contentsAfterMagic(file: Uint8Array, words: string): Uint8Array {
  const expected = asciiToBytes(words);
  if (equalBytes(file.subarray(0, expected.length), expected)) return file.subarray(expected.length);
  throw new Wallet2Error('bad-magic', `expected a file or message that begins with "${words.trim()}"`, { expected: words });
}

/**
 * Files of one kind, which the halves of a wallet exchange: only its secret view key, 32 bytes, opens them. `Form` selects how one is
 * written, if there are several ways.
 */
export interface SealedFile<T, Form extends readonly unknown[]> {
  seal(value: T, viewKey: Uint8Array, random: Random, ...form: Form): Promise<Uint8Array>;
  /** @throws Wallet2Error `bad-magic`, `unsupported-version`, `not-authentic`; ProtocolError and Wallet2Error of its contents */
  open(file: Uint8Array, viewKey: Uint8Array): Promise<T>;
}

/** Files with this prefix, whose unencrypted contents these functions write and read. */
export const sealedFile = <T, Form extends readonly unknown[]>(
  { words, version }: Magic,
  encode: (value: T, ...form: Form) => Uint8Array,
  decode: (bytes: Uint8Array) => T,
): SealedFile<T, Form> => ({
  async seal(value, viewKey, random, ...form) {
    const sealed = await encryptWithSecret(encode(value, ...form), viewKey, random);
    return concatBytes(asciiToBytes(words), Uint8Array.of(version), sealed);
  },
  async open(file, viewKey) {
    const rest = contentsAfterMagic(file, words);
    const found = rest[0] ?? 0;
    if (found !== version)
      throw new Wallet2Error('unsupported-version', `expected version ${version} of the file`, { version: found });
    return decode(await decryptWithSecret(rest.subarray(1), viewKey));
  },
});
