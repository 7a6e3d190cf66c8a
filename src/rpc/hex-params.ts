import { hexToBytes } from '../base/index.ts';
import { type KeyImage, type TxHash, toKeyImage, toTxHash } from '../protocol/index.ts';
import { RpcError, type RpcErrorName } from './errors.ts';

/** Whether a text is hexadecimal digits of a number of bytes, in either case. */
export function isHex(text: string, bytes: number): boolean {
  return text.length === 2 * bytes && /^[0-9a-fA-F]*$/.test(text);
}

/** Whether a text is hexadecimal digits of whole bytes, in either case. */
export function isWholeHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}

/** Decodes a blob in a request. @throws RpcError `badHex` */
export function requireHex(text: string): Uint8Array {
  if (!isWholeHex(text)) throw new RpcError('badHex', 'Failed to parse hex.');
  return hexToBytes(text);
}

/** A value of a fixed size. @param size bytes */
export function requireFixed(text: string, size: number, kind: RpcErrorName, message: string): Uint8Array {
  if (!isHex(text, size)) throw new RpcError(kind, message);
  return hexToBytes(text);
}

/** @throws RpcError `wrongTxid` */
export const requireTxid = (text: string): TxHash => toTxHash(requireFixed(text, 32, 'wrongTxid', 'TX ID has invalid format'));

/** @throws RpcError `wrongKeyImage` */
export const requireKeyImage = (text: string): KeyImage =>
  toKeyImage(requireFixed(text, 32, 'wrongKeyImage', 'failed to parse key image'));
