import type { SetReview } from '../../wallet/offline-api.ts';

/** Files between the two halves of a wallet. The sets are called as monero-wallet-cli calls them, which looks for them by name. */
export const FILES = {
  unsigned: 'unsigned_monero_tx',
  signed: 'signed_monero_tx',
  outputs: 'monero_outputs',
  keyImages: 'monero_key_images',
} as const;

/** What goes to others. */
export const amountOf = ({ recipients }: SetReview): bigint => recipients.reduce((sum, { amount }) => sum + amount, 0n);
