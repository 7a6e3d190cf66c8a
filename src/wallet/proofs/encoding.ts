import { hexToBytes } from '../../base/index.ts';
import { keccak256 } from '../../crypto/index.ts';
import { decodeBase58, encodeBase58, isProtocolError, type TxHash } from '../../protocol/index.ts';
import { ProofError } from './errors.ts';

/** Base58 digits of 32 bytes. */
export const KEY_DIGITS = encodeBase58(new Uint8Array(32)).length;
/** Base58 digits of a signature's 64 bytes: 88. */
export const SIGNATURE_DIGITS = encodeBase58(new Uint8Array(64)).length;

/** @throws ProofError `bad-encoding` unless the digits encode `size` bytes, or any number if it is absent */
export function decodeBase58Field(digits: string, size?: number): Uint8Array {
  const bytes = decoded(digits);
  if (size !== undefined && bytes.length !== size) {
    throw new ProofError('bad-encoding', `expected base58 of ${size} bytes, got ${bytes.length}`);
  }
  return bytes;
}

function decoded(digits: string): Uint8Array {
  try {
    return decodeBase58(digits);
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new ProofError('bad-encoding', 'expected base58', {}, error);
  }
}

const encoder = new TextEncoder();

/** A message as it is hashed. */
export const messageBytes = (message: string): Uint8Array => encoder.encode(message);

/** Hash that proofs about a transaction sign: Keccak of its id and the message, 32 bytes. */
export function proofHash(txHash: TxHash, message: string): Uint8Array {
  return keccak256(hexToBytes(txHash), messageBytes(message));
}
