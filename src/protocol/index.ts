/** The chain's formats and rules. Nothing here knows of daemons or wallets. */

export * from './address.ts';
export * from './amount.ts';
export * from './base58.ts';
export * from './block.ts';
export * from './bytes.ts';
export * from './epee.ts';
export * from './errors.ts';
export * from './extra.ts';
export * from './json.ts';
export * from './model.ts';
export * from './network.ts';
export * from './transaction.ts';
export * from './transaction-hash.ts';
export * from './tree-hash.ts';
export * from './weights.ts';
