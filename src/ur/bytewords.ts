import { concatBytes, crc32, equalBytes } from '../base/index.ts';
import { UrError } from './errors.ts';

/** First and last letter of each of the 256 words (BCR-2020-012): their minimal form, two letters per byte. */
const LETTERS =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenemetesftfrfnfs' +
  'fmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhehnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkg' +
  'kekikblblalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorh' +
  'rdrkrfryrnrsrtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueurvtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynyl' +
  'yaytzszoztzczezm';

const PAIRS: readonly string[] = LETTERS.match(/../g) ?? [];
const BYTES: ReadonlyMap<string, number> = new Map(PAIRS.map((pair, byte) => [pair, byte]));
/** Bytes of the CRC-32 at the end, the most significant first. */
const SUM = 4;

function sumOf(bytes: Uint8Array): Uint8Array {
  const sum = new Uint8Array(SUM);
  new DataView(sum.buffer).setUint32(0, crc32(bytes));
  return sum;
}

/** Bytes and their CRC-32 as lower-case letters, two per byte. */
export function toBytewords(bytes: Uint8Array): string {
  let text = '';
  for (const byte of concatBytes(bytes, sumOf(bytes))) text += PAIRS[byte];
  return text;
}

/** Decodes lower-case letters. @throws UrError `torn` for other letters, and when the checksum does not match */
export function fromBytewords(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const byte = BYTES.get(text.slice(2 * i, 2 * i + 2));
    if (byte === undefined) throw new UrError('torn', 'expected two letters a byte');
    bytes[i] = byte;
  }
  const end = bytes.length - SUM;
  if (text.length % 2 !== 0 || end < 0) throw new UrError('torn', 'expected whole bytes and their sum');
  const body = bytes.subarray(0, end);
  if (!equalBytes(sumOf(body), bytes.subarray(end))) throw new UrError('torn', 'expected the bytes to fit their sum');
  return body;
}
