/**
 * Primitives on bytes, scalars and points, without knowledge of the chain. Everything is synchronous once {@link loadCrypto} has resolved,
 * except the memory-hard hash.
 */
export * from './argon2.ts';
export * from './commitment.ts';
export * from './cryptonight.ts';
export * from './errors.ts';
export * from './hash.ts';
export * from './keys.ts';
export { loadCrypto } from './load.ts';
export * from './point.ts';
export * from './random.ts';
export * from './ringct/bulletproof-plus.ts';
export { type ClsagClaim, type ClsagRequest, clsagSign, clsagVerify, INV_EIGHT } from './ringct/clsag.ts';
export * from './ringct/clsag-shares.ts';
export * from './ringct/types.ts';
export * from './scalar.ts';
export * from './signature.ts';
export * from './tx-proof.ts';
