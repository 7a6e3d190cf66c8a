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
export function behindWords(file: Uint8Array, words: string): Uint8Array {
  const expected = asciiToBytes(words);
  if (equalBytes(file.subarray(0, expected.length), expected)) return file.subarray(expected.length);
  throw new Wallet2Error('bad-magic', `expected a file or message that begins with "${words.trim()}"`, { expected: words });
}

/** @param viewKey secret view key, 32 bytes */
export async function sealFile(
  { words, version }: Magic,
  plain: Uint8Array,
  viewKey: Uint8Array,
  random: Random,
): Promise<Uint8Array> {
  return concatBytes(asciiToBytes(words), Uint8Array.of(version), await encryptWithSecret(plain, viewKey, random));
}

/** @throws Wallet2Error `bad-magic`, `unsupported-version`, `not-authentic` */
export async function openFile({ words, version }: Magic, file: Uint8Array, viewKey: Uint8Array): Promise<Uint8Array> {
  const rest = behindWords(file, words);
  const found = rest[0] ?? 0;
  if (found !== version) {
    throw new Wallet2Error('unsupported-version', `expected version ${version} of the file`, { version: found });
  }
  return decryptWithSecret(rest.subarray(1), viewKey);
}
