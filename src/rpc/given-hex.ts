import { hexToBytes } from '../base/index.ts';
import type { KeyImage, TxHash } from '../protocol/index.ts';
import { RpcError, type RpcErrorName } from './errors.ts';

/** Whether a text is hexadecimal digits of a number of bytes, in either case. */
export function isHex(text: string, bytes: number): boolean {
  return text.length === 2 * bytes && /^[0-9a-fA-F]*$/.test(text);
}

/** Whether a text is hexadecimal digits of whole bytes, in either case. */
export function isWholeHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}

/** A blob as requests carry it. @throws RpcError `badHex` */
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
export function requireTxid(text: string): TxHash {
  if (!isHex(text, 32)) throw new RpcError('wrongTxid', 'TX ID has invalid format');
  return text.toLowerCase() as TxHash;
}

/** @throws RpcError `wrongKeyImage` */
export function requireKeyImage(text: string): KeyImage {
  if (!isHex(text, 32)) throw new RpcError('wrongKeyImage', 'failed to parse key image');
  return text.toLowerCase() as KeyImage;
}
