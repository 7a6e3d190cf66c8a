import {
  asArray,
  asCount,
  asciiToBytes,
  asObject,
  asText,
  hexToBytes,
  type JsonObject,
  latin1ToBytes,
  messageOf,
  parseJson,
  requireLength,
} from '../../base/index.ts';
import { OfflineSigningError } from './errors.ts';
import type { ExportedKeyImages } from './key-images.ts';

/** Field of monero-wallet-rpc's reply that holds the file in hex. */
type ReplyField = 'outputs_data_hex' | 'unsigned_txset' | 'signed_txset';

const [SPACE, BRACE] = [0x20, asciiToBytes('{')[0]!];
const HEX = /^(?:[0-9a-fA-F]{2})+$/;

/** Markers of monero-wallet-cli's `set export-format ascii`, without their spaces, around Base64. */
const [ARMOUR, ARMOUR_END] = ['-----BEGINMoneroAsciiDataV1-----', '-----END'];

/**
 * Decodes a file in any form a person may have saved: the file itself, its bytes in hex or in armoured Base64, or the JSON reply of
 * monero-wallet-rpc that holds them in hex.
 * @throws OfflineSigningError `damaged-file` for JSON that is no such reply
 */
export function fileBytes(file: Uint8Array, field: ReplyField): Uint8Array {
  const reply = replyIn(file);
  return reply === undefined ? decodeTextFile(file) : readable(() => hexIn(reply[field], field));
}

/** As {@link fileBytes}, for a file that is not a JSON reply. */
export function decodeTextFile(file: Uint8Array): Uint8Array {
  const text = isText(file) ? textOf(file).replaceAll(/\s/g, '') : '';
  return armouredIn(text) ?? (HEX.test(text) ? hexToBytes(text) : file);
}

/** Bytes of armoured Base64; undefined for other text. Without regular expressions: engines run out of stack on megabytes. */
function armouredIn(text: string): Uint8Array | undefined {
  const end = text.startsWith(ARMOUR) ? text.indexOf(ARMOUR_END, ARMOUR.length) : -1;
  if (end < 0) return undefined;
  try {
    return latin1ToBytes(atob(text.slice(ARMOUR.length, end)));
  } catch {
    return undefined;
  }
}

/** The key images in a saved reply of `export_key_images`; undefined for anything else. @throws OfflineSigningError `damaged-file` */
export function keyImagesOfReply(file: Uint8Array): ExportedKeyImages | undefined {
  const reply = replyIn(file);
  if (reply === undefined) return undefined;
  return readable(() => ({
    offset: reply.offset === undefined ? 0 : asCount(reply.offset, 'offset'),
    keyImages: asArray(reply.signed_key_images, 'signed_key_images').map((entry) => {
      const { key_image, signature } = asObject(entry);
      return {
        keyImage: requireLength(hexIn(key_image, 'key_image'), 32),
        signature: requireLength(hexIn(signature, 'signature'), 64),
      };
    }),
  }));
}

/** The result in a reply, or an object that is itself the result. */
function replyIn(file: Uint8Array): JsonObject | undefined {
  const first = file.find((byte) => byte > SPACE);
  if (first !== BRACE) return undefined;
  return readable(() => {
    const reply = asObject(parseJson(textOf(file)));
    return reply.result === undefined ? reply : asObject(reply.result);
  });
}

const hexIn = (value: JsonObject[string] | undefined, name: string): Uint8Array => hexToBytes(asText(value, name));

/** Hex is short: a megabyte of something else is not looked through twice. */
const isText = (file: Uint8Array): boolean => file.subarray(0, 64).every((byte) => byte < 0x80);

const textOf = (file: Uint8Array): string => new TextDecoder().decode(file);

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new OfflineSigningError('damaged-file', 'expected a reply of monero-wallet-rpc', { reason: messageOf(error) });
  }
}
