import type { FileOptions, SetReview } from '../../wallet/index.ts';

/** Files between the two halves of a wallet. The sets are called as monero-wallet-cli calls them, which looks for them by name. */
export const FILES = {
  unsigned: 'unsigned_monero_tx',
  signed: 'signed_monero_tx',
  outputs: 'monero_outputs',
  keyImages: 'monero_key_images',
} as const;

/** How a file is written; `older` where a release of the reference before 0.18.1.1 is to read it. */
export const formOf = (older: boolean): FileOptions => (older ? { compat: '0.18.0' } : {});

/** Atomic units that go to others, change left out. */
export const amountOf = ({ recipients }: SetReview): bigint => recipients.reduce((sum, { amount }) => sum + amount, 0n);
