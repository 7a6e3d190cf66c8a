import type { SetReview } from '../../wallet/offline-api.ts';

/** Files between the two halves of a wallet. The sets are called as monero-wallet-cli calls them, which looks for them by name. */
export const FILES = {
  unsigned: 'unsigned_monero_tx',
  signed: 'signed_monero_tx',
  outputs: 'monero_outputs',
  keyImages: 'monero_key_images',
} as const;

/** More than a wallet with a hundred thousand outputs says. */
const MOST_BYTES = 64_000_000;

/** The bytes of a chosen file; of one that is too large to be ours, only the beginning, which is refused for what it is. */
export const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());

/** What goes to others. */
export const amountOf = ({ recipients }: SetReview): bigint => recipients.reduce((sum, { amount }) => sum + amount, 0n);
