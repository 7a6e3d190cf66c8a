import type * as KeysFiles from './keys-file.ts';

// The files of the reference's wallets. What reads and writes them is loaded when it is first asked for: few visits to a page need it.

export type { ReferenceFiles } from './keys-file.ts';

/**
 * A wallet from the `.keys` file of the reference, its keys, restore height, seed language and lookahead, and from the cache beside it
 * accounts, labels, transaction keys, notes and contacts. The chain is scanned from the restore height.
 * @param now unix seconds
 * @param kdfRounds as the reference's `--kdf-rounds`
 * @param connect reaches the device that holds the keys, where one does: the file does not even tell the view key, which the device asks its owner for
 * @throws Wallet2Error `wrong-password`, `unsupported-kind`, `keys-do-not-match`; ProtocolError for bytes that are no such file;
 *   OfflineSigningError `wrong-network`; WalletError `no-device`, `wrong-device`; DeviceError
 */
export const walletFromKeysFile: typeof KeysFiles.walletFromKeysFile = async (...asked) =>
  (await import('./keys-file.ts')).walletFromKeysFile(...asked);

/**
 * The `.keys` file that the reference's programs open this wallet with: its keys, restore height, seed language, network and lookahead. Accounts,
 * labels and notes are in no such file. Of a wallet on a device it holds no key at all: the programs ask the device.
 * @param password opens the file
 * @param kdfRounds as the reference's `--kdf-rounds`, 1 or more
 */
export const keysFileOf: typeof KeysFiles.keysFileOf = async (...asked) => (await import('./keys-file.ts')).keysFileOf(...asked);
