import { asciiToBytes, bytesToU64, padBytes, requireLength, u64ToBytes, wipe } from '../base/index.ts';
import { hashToScalar, keccak256 } from './hash.ts';
import { G, H, multiScalarMulSecret } from './point.ts';
import { SCALAR_ONE, scalarSub } from './scalar.ts';

const MASK_DOMAIN = asciiToBytes('commitment_mask');
const AMOUNT_DOMAIN = asciiToBytes('amount');

/** mask·G + amount·H: the Pedersen commitment to an amount of atomic units. */
export function commit(amount: bigint, mask: Uint8Array): Uint8Array {
  const scalar = padBytes(u64ToBytes(amount), 32);
  const commitment = multiScalarMulSecret([mask, scalar], [G, H]);
  wipe(scalar);
  return commitment;
}

/** G + amount·H: the commitment of a clear amount, mask 1 (`zeroCommit`, rctOps.cpp). */
export function zeroCommit(amount: bigint): Uint8Array {
  return commit(amount, SCALAR_ONE);
}

/** The mask of an output from its amount key Hs(D ‖ i) (`genCommitmentMask`, rctOps.cpp). */
export function commitmentMask(amountKey: Uint8Array): Uint8Array {
  return hashToScalar(MASK_DOMAIN, requireLength(amountKey, 32));
}

function amountPad(amountKey: Uint8Array): bigint {
  return bytesToU64(keccak256(AMOUNT_DOMAIN, requireLength(amountKey, 32)));
}

/** The 8 bytes that hide an amount on the wire (types 4–6): amount xor the first 8 bytes of Keccak("amount" ‖ key). */
export function encodeAmount8(amountKey: Uint8Array, amount: bigint): Uint8Array {
  return u64ToBytes(amount ^ amountPad(amountKey));
}

/** The amount hidden by {@link encodeAmount8}. Only its commitment shows whether it is true. */
export function decodeAmount8(amountKey: Uint8Array, encoded: Uint8Array): bigint {
  return bytesToU64(requireLength(encoded, 8)) ^ amountPad(amountKey);
}

/** The mask and the amount of the older form (types 1–3), 32 bytes each: `ecdhDecode` (rctOps.cpp). */
export function decodeEcdhLegacy(
  amountKey: Uint8Array,
  encoded: { readonly mask: Uint8Array; readonly amount: Uint8Array },
): { mask: Uint8Array; amount: bigint } {
  const first = hashToScalar(requireLength(amountKey, 32));
  const second = hashToScalar(first);
  return { mask: scalarSub(encoded.mask, first), amount: bytesToU64(scalarSub(encoded.amount, second)) };
}
