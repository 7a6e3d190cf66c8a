import { asciiToBytes, bytesToHex, concatBytes, wipe } from '../../base/index.ts';
import { keccak256, loadCrypto, type Random } from '../../crypto/index.ts';
import { decodeOwnAddress, encodeAddress, loadAllWordLists, NETWORKS, type Network, sameAddress } from '../../protocol/index.ts';
import { type KeysFile, openKeysFile, sealKeysFile } from '../../wallet2/index.ts';
import { DEFAULT_LANGUAGE, type NewWallet, walletFromKeys, walletFromViewKey } from '../create-wallet.ts';
import { walletFromDevice } from '../device/make-wallet.ts';
import type { DeviceConnector } from '../device/port.ts';
import { WalletError } from '../errors.ts';
import type { WalletDescription } from '../model.ts';
import { accountFromKeysFile, multisigKeysOf } from '../multisig/keys-file.ts';
import { walletOfSigner } from '../multisig/make-wallet.ts';
import { ENABLED } from '../multisig/multisig.ts';
import { backgroundSyncSet } from '../runtime/background.ts';
import { backgroundWalletKeySet, MADE_BACKGROUND_WALLET } from '../runtime/background-wallet.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import type { WalletSecrets } from '../wallet-secrets.ts';
import { OfflineSigningError } from './errors.ts';
import { importCache } from './import-cache.ts';
import { ownKeysFileKnown } from './own-keys-file.ts';

/** Distinguishes what seals a background wallet's journal from the key of the reference's file. */
const COPY_DOMAIN = asciiToBytes('nightjar background wallet key\0');

/** A reference wallet's files. @internal */
export interface ReferenceFiles {
  /** The file that ends in `.keys`. */
  readonly keys: Uint8Array;
  /** The cache file without suffix; undefined if there is none. */
  readonly cache?: Uint8Array | undefined;
}

/** A wallet of the reference's files. @internal */
export interface TakenOver extends NewWallet {
  /**
   * Of a background wallet: what its journal is sealed with beside the wallet that it is a copy of, which knows it. It is no harder to find
   * than the password of the reference's file: only for a journal that lies beside that file.
   */
  readonly copyKey?: Uint8Array | undefined;
}

/** See `reference-files.ts`. */
export async function walletFromKeysFile(
  { keys: file, cache }: ReferenceFiles,
  password: string,
  network: Network,
  now: number,
  random: Random,
  kdfRounds = 1,
  connect?: DeviceConnector,
): Promise<TakenOver> {
  await loadCrypto();
  const keys = await openKeysFile(file, password, kdfRounds);
  // Regtest and mainnet share their addresses, and the reference's wallets on regtest call themselves mainnet's.
  if (keys.network !== undefined && NETWORKS[keys.network] !== NETWORKS[network]) {
    throw new OfflineSigningError('wrong-network', `expected a wallet of ${network}, this one is of ${keys.network}`, {
      network: keys.network,
    });
  }
  const from = { height: keys.restoreHeight };
  const viewKey = bytesToHex(keys.viewKey);
  const address = encodeAddress({ network, kind: 'standard', ...keys.account });
  const made =
    keys.device !== undefined
      ? await walletOnDevice(keys, connect, network, now)
      : keys.multisig !== undefined
        ? walletOfSigner(accountFromKeysFile(keys, keys.multisig), { network, from, now }, keys.multisig.enabled)
        : keys.spendKey === undefined
          ? await walletFromViewKey(address, viewKey, { network, from, now })
          : await walletFromKeys(bytesToHex(keys.spendKey), viewKey, { network, from, now });
  const takenOver = await importCache(keys, { bytes: cache, password, kdfRounds }, network, random);
  const background = backgroundSyncIn(keys);
  if (keys.multisig === undefined) wipe(keys.viewKey, keys.spendKey ?? new Uint8Array());
  wipe(keys.background?.key ?? new Uint8Array());
  const seedLanguage = await languageOf(keys.seedLanguage);
  const first = [...made.first, ...takenOver, ...background.events, ownKeysFileKnown(file)];
  return { secrets: { ...made.secrets, seedLanguage }, first, copyKey: background.key };
}

/**
 * Background sync as it was set up. Both files have the reference's key of the copy: what is derived from it seals the copy's journal, so that
 * the wallet can bring it up to date. That key follows from the password alone; the address keeps apart the copies of two wallets.
 */
function backgroundSyncIn({ background, account }: KeysFile): {
  readonly events: readonly WalletEvent[];
  readonly key?: Uint8Array;
} {
  if (background === undefined) return { events: [] };
  const key = background.key && keccak256(concatBytes(COPY_DOMAIN, background.key, account.spendKey, account.viewKey));
  if (background.isCopy) return { events: [MADE_BACKGROUND_WALLET], ...(key && { key }) };
  return { events: [backgroundSyncSet(background.type), ...(key === undefined ? [] : [backgroundWalletKeySet(key)])] };
}

/** See `reference-files.ts`. */
export async function hasSameKeys(
  file: Uint8Array,
  password: string,
  kdfRounds: number,
  { kind, network, primaryAddress }: Pick<WalletDescription, 'kind' | 'network' | 'primaryAddress'>,
): Promise<boolean> {
  const keys = await openKeysFile(file, password, kdfRounds);
  wipeKeys(keys);
  const isViewOnly = keys.spendKey === undefined && keys.device === undefined;
  return isViewOnly === (kind === 'view') && sameAddress(keys.account, decodeOwnAddress(primaryAddress, network));
}

/** See `reference-files.ts`. */
export async function opensKeysFile(file: Uint8Array, password: string, kdfRounds = 1): Promise<boolean> {
  try {
    wipeKeys(await openKeysFile(file, password, kdfRounds));
    return true;
  } catch {
    return false;
  }
}

function wipeKeys({ viewKey, spendKey = new Uint8Array(), multisig, background }: KeysFile): void {
  wipe(viewKey, spendKey, background?.key ?? new Uint8Array(), ...(multisig?.keyShares ?? []), ...(multisig?.derivations ?? []));
}

/** The wallet of the device that the file belongs to. @throws WalletError `no-device`, `wrong-device`; DeviceError */
async function walletOnDevice(
  { account, restoreHeight }: KeysFile,
  connect: DeviceConnector | undefined,
  network: Network,
  now: number,
): Promise<NewWallet> {
  if (connect === undefined) throw new WalletError('no-device', 'expected the device of this wallet to be connected');
  const device = await connect();
  try {
    if (!sameAddress(device.keys, account))
      throw new WalletError('wrong-device', 'expected the device that this wallet was made from, with the same account chosen');
    return await walletFromDevice(device, { network, from: { height: restoreHeight }, now });
  } finally {
    await device.close();
  }
}

/** The reference writes a language's own name; we use the English one. */
async function languageOf(name: string): Promise<string> {
  if (name === '' || name === DEFAULT_LANGUAGE) return DEFAULT_LANGUAGE;
  const lists = await loadAllWordLists();
  return lists.find((list) => list.name === name || list.englishName === name)?.englishName ?? DEFAULT_LANGUAGE;
}

/** See `reference-files.ts`. */
export async function keysFileOf(
  { spendKey, viewKey, seedLanguage }: WalletSecrets,
  { description, lookahead, multisig, attributes }: Pick<WalletState, 'description' | 'lookahead' | 'multisig' | 'attributes'>,
  password: string,
  random: Random,
  kdfRounds = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const { network, primaryAddress, restoreHeight, createdAt } = description;
  const account = decodeOwnAddress(primaryAddress, network);
  const lists = await loadAllWordLists();
  const language = lists.find((list) => list.englishName === seedLanguage)?.name ?? DEFAULT_LANGUAGE;
  const metadata = { network, restoreHeight, createdAt, lookahead, defaultPriority: 0 };
  const secrets =
    multisig === undefined
      ? { spendKey, viewKey }
      : {
          spendKey: multisig.baseSecret,
          viewKey: multisig.commonSecret,
          multisig: multisigKeysOf(multisig, attributes.get(ENABLED) === '1'),
        };
  const device = description.kind === 'device' ? 'Ledger' : undefined;
  return sealKeysFile({ ...secrets, device, account, seedLanguage: language, ...metadata }, password, random, kdfRounds);
}
