import { asCount, asText, hexToBytes, type JsonObject, type JsonValue } from '../../base/index.ts';
import { type BlockHash, ProtocolError, type TxHash } from '../../protocol/index.ts';

const HASH = /^[0-9a-f]{64}$/;

function asHex32(value: JsonValue | undefined, path: string): string {
  const text = asText(value, path);
  if (!HASH.test(text)) throw new ProtocolError('unexpected-type', `expected ${path} to be 64 lower-case hex digits`, { path });
  return text;
}

/** 64 lower-case hex digits. @param path for the error @throws ProtocolError `unexpected-type` */
export const asBlockHash = (value: JsonValue | undefined, path: string) => asHex32(value, path) as BlockHash;
/** As {@link asBlockHash}. */
export const asTxHash = (value: JsonValue | undefined, path: string) => asHex32(value, path) as TxHash;

/** Bytes written as hex digits. @throws FormatError */
export const asHexBytes = (value: JsonValue | undefined, path: string): Uint8Array => hexToBytes(asText(value, path));

/** A field that old or restricted daemons omit. */
export const optionalCount = (object: JsonObject, name: string) => (object[name] === undefined ? 0 : asCount(object[name], name));
/** Empty if the field is missing. @throws FormatError for anything but text */
export const optionalText = (object: JsonObject, name: string) => (object[name] === undefined ? '' : asText(object[name], name));
/** Absent means false. */
export const isTrue = (object: JsonObject, name: string) => object[name] === true;
