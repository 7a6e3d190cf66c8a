import type * as KeysFiles from './keys-file.ts';

// The files of the reference's wallets. Their code is loaded on first use: few visits to a page need it.

export type { ReferenceFiles } from './keys-file.ts';

/**
 * A wallet from the `.keys` file of the reference, with its keys, restore height, seed language and lookahead, and from the cache beside it
 * accounts, labels, transaction keys, notes and contacts. The chain is scanned from the restore height.
 * @param now unix seconds
 * @param kdfRounds as the reference's `--kdf-rounds`
 * @param connect reaches the device that holds the keys, if one does: the file then lacks even the view key, for which the device asks its
 *   owner
 * @throws Wallet2Error `wrong-password`, `unsupported-kind`, `keys-do-not-match`; ProtocolError for anything but such a file;
 *   OfflineSigningError `wrong-network`; WalletError `no-device`, `wrong-device`; DeviceError
 */
export const walletFromKeysFile: typeof KeysFiles.walletFromKeysFile = async (...args) =>
  (await import('./keys-file.ts')).walletFromKeysFile(...args);

/**
 * A `.keys` file with which the reference's programs open this wallet: its keys, restore height, seed language, network and lookahead,
 * without accounts, labels and notes. For a wallet on a device it has no keys at all: the programs ask the device.
 * @param password opens the file
 * @param kdfRounds as the reference's `--kdf-rounds`, 1 or more
 */
export const keysFileOf: typeof KeysFiles.keysFileOf = async (...args) => (await import('./keys-file.ts')).keysFileOf(...args);

/**
 * Whether a `.keys` file has the primary address of a wallet, and a spend key if and only if that wallet has one.
 * @param password of the file
 * @param kdfRounds as the reference's `--kdf-rounds`
 * @throws Wallet2Error `wrong-password`, `unsupported-kind`, `keys-do-not-match`; ProtocolError for anything but such a file
 */
export const hasSameKeys: typeof KeysFiles.hasSameKeys = async (...args) => (await import('./keys-file.ts')).hasSameKeys(...args);

/** Whether a password opens a `.keys` file. @param kdfRounds as the reference's `--kdf-rounds`; 1 by default */
export const opensKeysFile: typeof KeysFiles.opensKeysFile = async (...args) =>
  (await import('./keys-file.ts')).opensKeysFile(...args);
