import type { Log } from '../../base/index.ts';
import { isStorageError, StorageError } from '../../storage/index.ts';
import { opensKeysFile, type Wallet } from '../../wallet/index.ts';

/** The reference's `.keys` file that lies beside a journal of the same name. */
export interface KeysFileBeside {
  readonly name: string;
  readonly file: Uint8Array;
  readonly kdfRounds: number | undefined;
}

/**
 * Opens a wallet's journal where the reference's `.keys` file of the same name lies beside it. That file may have been replaced since it was
 * taken over: whoever did so means the wallet in it, and must not be given addresses of the one before.
 * @param open opens the journal
 * @throws StorageError `exists` if the file is of another wallet, or if the password opens the file and not the journal; as `open`
 */
export async function openBesideKeysFile(
  beside: KeysFileBeside,
  password: string,
  open: () => Promise<Wallet>,
  log: Log,
): Promise<Wallet> {
  const { file, kdfRounds } = beside;
  const wallet = await open().catch(async (error: unknown) => {
    if (!isStorageError(error, 'wrong-password')) throw error;
    throw (await opensKeysFile(file, password, kdfRounds)) ? otherPassword(beside) : error;
  });
  // Undefined if the wallet's password does not open it: the wallet's was changed here, or the file's by the reference.
  const isOwn = await wallet.offline.isOwnKeysFile(file, password, kdfRounds).catch(() => undefined);
  if (isOwn === false) {
    await wallet.close();
    throw otherWallet(beside);
  }
  if (isOwn === undefined) log('WARNING', 'wallet.rpc', "a .keys file of the wallet's name is not read: it has another password");
  return wallet;
}

const otherWallet = ({ name }: KeysFileBeside): StorageError =>
  new StorageError(
    'exists',
    `${name}.keys is not the wallet of ${name}.nightjar, which has the name here: move one of them away`,
  );

const otherPassword = ({ name }: KeysFileBeside): StorageError =>
  new StorageError(
    'exists',
    `${name}.keys has this password, and ${name}.nightjar, which has the name here, another: move one of them away`,
  );
