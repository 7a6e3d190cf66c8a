import { bytesToHex, loadCrypto, type Random, wipe } from '../../crypto/index.ts';
import { decodeAddress, encodeAddress } from '../../protocol/address.ts';
import { loadAllWordLists } from '../../protocol/mnemonic.ts';
import type { Network } from '../../protocol/model.ts';
import { NETWORKS } from '../../protocol/network.ts';
import { openKeysFile, sealKeysFile } from '../../protocol/wallet2/index.ts';
import { DEFAULT_LANGUAGE, type NewWallet, walletFromKeys, walletFromViewKey } from '../make.ts';
import type { WalletDescription, WalletSecrets } from '../model.ts';
import { ExchangeError } from './errors.ts';

/**
 * A wallet from the `.keys` file of the reference: its keys, restore height and seed language. Labels, notes and history are in
 * another file, which is not read: the chain is scanned from the restore height.
 * @param now unix seconds
 * @param kdfRounds as the reference's `--kdf-rounds`
 * @throws Wallet2Error `wrong-password`, `unsupported-kind`, `keys-do-not-match`; ProtocolError for bytes that are no such file;
 *   ExchangeError `wrong-network`
 */
export async function walletFromKeysFile(
  file: Uint8Array,
  password: string,
  network: Network,
  now: number,
  kdfRounds = 1,
): Promise<NewWallet> {
  await loadCrypto();
  const keys = await openKeysFile(file, password, kdfRounds);
  // Regtest and mainnet share their addresses, and the reference's wallets on regtest call themselves mainnet's.
  if (keys.network !== undefined && NETWORKS[keys.network] !== NETWORKS[network]) {
    throw new ExchangeError('wrong-network', `expected a wallet of ${network}, this one is of ${keys.network}`, {
      network: keys.network,
    });
  }
  const from = { height: keys.restoreHeight };
  const viewKey = bytesToHex(keys.viewKey);
  const address = encodeAddress({ network, kind: 'standard', ...keys.account });
  const made =
    keys.spendKey === undefined
      ? await walletFromViewKey(address, viewKey, network, from, now)
      : await walletFromKeys(bytesToHex(keys.spendKey), viewKey, network, from, now);
  wipe(keys.viewKey, keys.spendKey ?? new Uint8Array());
  const seedLanguage = await languageOf(keys.seedLanguage);
  return { secrets: { ...made.secrets, seedLanguage }, first: made.first };
}

/** The reference writes the language's own name; ours is the English one. */
async function languageOf(name: string): Promise<string> {
  if (name === '' || name === DEFAULT_LANGUAGE) return DEFAULT_LANGUAGE;
  const lists = await loadAllWordLists();
  return lists.find((list) => list.name === name || list.englishName === name)?.englishName ?? DEFAULT_LANGUAGE;
}

/**
 * The `.keys` file that the reference's programs open this wallet with: its keys, restore height, seed language and network. Accounts,
 * labels and notes are in no such file.
 * @param password opens the file
 * @param kdfRounds as the reference's `--kdf-rounds`, 1 or more
 */
export async function keysFileOf(
  { spendKey, viewKey, seedLanguage }: WalletSecrets,
  { network, primaryAddress, restoreHeight, createdAt }: WalletDescription,
  password: string,
  random: Random,
  kdfRounds = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const account = decodeAddress(primaryAddress, network);
  const lists = await loadAllWordLists();
  const language = lists.find((list) => list.englishName === seedLanguage)?.name ?? DEFAULT_LANGUAGE;
  const said = { network, restoreHeight, createdAt, lookahead: undefined, defaultPriority: 0 };
  return sealKeysFile({ spendKey, viewKey, account, seedLanguage: language, ...said }, password, random, kdfRounds);
}
