import { equalBytes } from '../../base/index.ts';
import { secretKeyToPublicKey } from '../../crypto/index.ts';
import { decodeAddress } from '../../protocol/address.ts';
import { isStorageError } from '../../storage/index.ts';
import { BACKGROUND_SYNC_TYPES, type BackgroundSyncType, type Wallet, withoutOffset } from '../../wallet/index.ts';
import { catchUpBriefly } from '../catch-up.ts';
import { RpcError, withErrorsMapped } from '../errors.ts';
import { params, text } from '../fields.ts';
import { MethodGroup, WRITES } from '../method.ts';
import { readSeed } from './files.ts';

export const backgroundSyncMethods = new MethodGroup('Wallet files');

/**
 * Methods that the reference refuses while a wallet syncs without its spend key (wallet_rpc_server.cpp, CHECK_IF_BACKGROUND_SYNCING); also
 * two that send, because payments must be on the disk first, which is locked meanwhile (T16), and a proof that needs the spend key.
 */
const REFUSED: ReadonlySet<string> = new Set([
  ...['create_address', 'label_address', 'create_account', 'label_account', 'set_subaddress_lookahead'],
  ...['get_account_tags', 'tag_accounts', 'untag_accounts', 'set_account_tag_description'],
  ...['freeze', 'thaw', 'frozen', 'transfer', 'transfer_split', 'sign_transfer', 'describe_transfer'],
  ...['sweep_dust', 'sweep_all', 'sweep_single', 'rescan_blockchain', 'rescan_spent', 'scan_tx', 'sign'],
  ...['set_tx_notes', 'set_attribute', 'get_tx_key', 'get_tx_proof', 'get_spend_proof', 'get_reserve_proof'],
  ...['export_outputs', 'import_outputs', 'export_key_images', 'import_key_images', 'change_wallet_password'],
  ...['relay_tx', 'submit_transfer'],
  ...['get_address_book', 'add_address_book', 'edit_address_book', 'delete_address_book', 'prepare_multisig', 'make_multisig'],
]);

/** @param method its own name, whichever alias was used @throws RpcError as {@link requireNoBackground} for one that needs the spend key */
export function refuseInBackground(wallet: Wallet, method: string): void {
  if (REFUSED.has(method)) requireNoBackground(wallet);
}

/**
 * With the reference's messages.
 * @throws RpcError `isBackgroundSyncing` until the spend key is restored, `isBackgroundWallet` for a wallet that never has it
 */
export function requireNoBackground({ backgroundSync }: Wallet): void {
  if (backgroundSync.isBackgroundWallet)
    throw new RpcError('isBackgroundWallet', 'This command is disabled for background wallets.');
  if (backgroundSync.isOn)
    throw new RpcError(
      'isBackgroundSyncing',
      'This command is disabled while background syncing. Stop background syncing to use this command.',
    );
}

/** @throws RpcError `unknown`, `watchOnly` */
function requireFull({ description, multisig, backgroundSync }: Wallet): void {
  if (backgroundSync.isBackgroundWallet) return;
  if (description.kind === 'device') throw new RpcError('unknown', 'Command not supported by HW wallet');
  if (multisig.group !== undefined) throw new RpcError('unknown', 'Multisig wallet cannot enable background sync');
  if (description.kind === 'view') throw new RpcError('watchOnly', 'Watch-only wallet cannot enable background sync');
}

/** @throws RpcError `unknown` */
function requireSetUp(wallet: Wallet): void {
  if (wallet.backgroundSync.type === 'off')
    throw new RpcError('unknown', 'must setup background sync first before using background sync');
}

backgroundSyncMethods.define({
  name: 'setup_background_sync',
  summary:
    'How the wallet may sync without its spend key in memory: off; reuse-wallet-password; or custom-background-password, with a view-only copy beside it that background_cache_password opens as NAME.background.',
  params: params({ background_sync_type: text(), wallet_password: text(), background_cache_password: text() }),
  ...WRITES,
  errors: ['unknown', 'watchOnly', 'invalidPassword', 'walletExists'],
  async handler({ wallet }, { background_sync_type: type, wallet_password, background_cache_password }) {
    requireFull(wallet);
    if (!isType(type)) throw new RpcError('unknown', 'Unknown background sync type');
    const { backgroundSync } = wallet;
    if (backgroundSync.isOn || backgroundSync.isBackgroundWallet)
      throw new RpcError('unknown', "Can't set background sync type from an existing background cache");
    await wallet.checkPassword(wallet_password);
    if (type === 'custom-background-password' && wallet_password === background_cache_password)
      throw new RpcError('unknown', 'custom background password must be different than wallet password');
    const { name } = await wallet.view();
    await withErrorsMapped(
      () => backgroundSync.setUp(type, background_cache_password),
      (error) => (isStorageError(error, 'exists') ? nameTaken(name) : undefined),
    );
  },
});

/** Another wallet's, or a copy whose key went with a journal that was restored from before: both may hold what is nowhere else. */
const nameTaken = (name: string) =>
  new RpcError(
    'walletExists',
    `Another wallet is named ${name}.background, or an earlier copy that this wallet has no key for. Move its file ${name}.background.nightjar out of the wallet folder, then set this up again.`,
  );

const isType = (text: string): text is BackgroundSyncType => BACKGROUND_SYNC_TYPES.some((type) => type === text);

backgroundSyncMethods.define({
  name: 'start_background_sync',
  summary: 'Wipes the spend key from memory; the wallet goes on to follow the chain by its view key.',
  ...WRITES,
  errors: ['unknown', 'watchOnly'],
  async handler({ wallet }) {
    requireFull(wallet);
    if (wallet.backgroundSync.isBackgroundWallet)
      throw new RpcError('unknown', "Can't start background syncing from a background wallet (it is always background syncing)");
    requireSetUp(wallet);
    await wallet.backgroundSync.start();
  },
});

backgroundSyncMethods.define({
  name: 'stop_background_sync',
  summary: 'Takes the spend key back, by the password; what came in meanwhile can be spent.',
  params: params({ wallet_password: text(), seed: text(), seed_offset: text() }),
  ...WRITES,
  errors: ['unknown', 'watchOnly', 'invalidPassword'],
  async handler({ host, wallet }, { wallet_password, seed, seed_offset }) {
    requireFull(wallet);
    const seedBytes = seed === '' ? undefined : await seedOf(seed, seed_offset);
    await wallet.checkPassword(wallet_password);
    if (seedBytes !== undefined) requireOwn(wallet, seedBytes);
    if (wallet.backgroundSync.isBackgroundWallet) throw new RpcError('unknown', 'invalid spend key');
    requireSetUp(wallet);
    if (!wallet.backgroundSync.isOn) return;
    await wallet.backgroundSync.stop(wallet_password);
    // What came in meanwhile is scanned again, so that the next answer includes it.
    await catchUpBriefly(host, wallet);
  },
});

/** The reference accepts the words, too: they must be the wallet's. @throws RpcError `unknown` */
function requireOwn(wallet: Wallet, seed: Uint8Array): void {
  const key = secretKeyToPublicKey(seed);
  seed.fill(0);
  if (key === undefined || !equalBytes(key, decodeAddress(wallet.description.primaryAddress).spendKey))
    throw new RpcError('unknown', 'invalid spend key');
}

async function seedOf(words: string, offset: string): Promise<Uint8Array> {
  const { seed } = await readSeed(words);
  return withoutOffset(seed, offset);
}
