/** The order of the prime subgroup. */
export const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The residue of an integer, negative ones too, as 32 little-endian bytes. */
export function scalarFromBigint(value: bigint): Uint8Array {
  const residue = ((value % GROUP_ORDER) + GROUP_ORDER) % GROUP_ORDER;
  return Uint8Array.from({ length: 32 }, (_, i) => Number((residue >> BigInt(8 * i)) & 255n));
}

/** The integer that 32 little-endian bytes hold, not reduced. */
export function scalarToBigint(scalar: Uint8Array): bigint {
  return scalar.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
