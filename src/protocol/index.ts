/** The chain's formats and rules. Nothing here knows of daemons or wallets. */
export * from './bytes.ts';
export * from './epee.ts';
export * from './errors.ts';
export * from './json.ts';
export * from './model.ts';
