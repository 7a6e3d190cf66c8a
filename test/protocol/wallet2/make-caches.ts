/**
 * Makes caches.json: wallets of monero-wallet-rpc, 0.18.5.3 and 0.18.0.0, as they lie on the disk after some use, with what the program
 * says of them, so that the reading of caches is held against them where the programs are missing. Run with
 * `npx tsx test/protocol/wallet2/make-caches.ts`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyJson } from '../../../src/protocol/json.ts';
import { findReference, type ReferenceRelease } from '../../support/child.ts';
import { answerOf, furnish } from '../../support/native-wallet.ts';
import { type MoneroWalletRpc, startMonerod, startWalletRpc } from '../../support/programs.ts';
import type { Comparable } from '../../support/rpc-both.ts';

const XMR = 1_000_000_000_000n;
const PASSWORD = 'pässword';

async function main(): Promise<void> {
  const made = [await usedWallet('0.18.5.3'), await usedWallet('0.18.0.0')];
  writeFileSync(new URL('./caches.json', import.meta.url), `${stringifyJson({ password: PASSWORD, wallets: made.flat() }, 1)}\n`);
}

/** Makes a wallet with a short table of subaddresses, which keeps its cache short. */
function shortSighted(release: ReferenceRelease, args: readonly string[], input = ''): void {
  const common = [
    '--offline',
    '--subaddress-lookahead',
    '2:3',
    '--password',
    PASSWORD,
    '--log-file',
    '/dev/null',
    '--command',
    'exit',
  ];
  spawnSync(findReference('monero-wallet-cli', release), [...args, ...common], {
    input,
    env: { HOME: tmpdir(), LANG: 'C.UTF-8' },
  });
}

async function usedWallet(release: ReferenceRelease) {
  const daemon = await startMonerod({ release });
  const start = () => startWalletRpc({ release, daemon: daemon.url });
  const [full, watching] = await Promise.all([start(), start()]);
  try {
    shortSighted(release, ['--generate-new-wallet', join(full.walletDir, 'full'), '--mnemonic-language', 'English']);
    await full.rpc('open_wallet', { filename: 'full', password: PASSWORD });
    const primary = await full.address();
    const mine = async (blocks: number) => {
      await daemon.generateBlocks(blocks, primary);
      await full.refreshToHeight(daemon);
    };
    for (let mined = 0; mined < 420; mined += 60) await mine(60);
    await furnish(full.url, { accounts: 3, subaddresses: 12 });
    const sent = await spend(full);
    await daemon.minePool(primary);
    await mine(2);
    // One that no block holds when the wallet is stored.
    sent.push((await full.transfer([{ address: primary, amount: XMR }])).tx_hash);
    const { transfers } = await full.rpc<{ transfers: { key_image: string }[] }>('incoming_transfers', {
      transfer_type: 'available',
    });
    const frozen = transfers[5]!.key_image;
    await full.rpc('freeze', { key_image: frozen });
    await full.rpc('store');
    const whole = { release, frozen, ...files(full, 'full'), ...(await saidOf(full, sent)) };
    if (release === '0.18.0.0') return [whole];
    const { key: viewkey } = await full.rpc<{ key: string }>('query_key', { key_type: 'view_key' });
    shortSighted(release, ['--generate-from-view-key', join(watching.walletDir, 'watching')], `${primary}\n${viewkey}\n0\n\n`);
    await watching.rpc('open_wallet', { filename: 'watching', password: PASSWORD });
    await watching.refreshToHeight(daemon);
    const { signed_key_images } = await full.rpc<{ signed_key_images: unknown[] }>('export_key_images', { all: true });
    await watching.rpc('import_key_images', { signed_key_images });
    await watching.rpc('store');
    return [whole, { release, frozen: '', ...files(watching, 'watching'), ...(await saidOf(watching, [])) }];
  } finally {
    await Promise.all([full.stop(), watching.stop()]);
    await daemon.stop();
  }
}

/** To an address, to an integrated one, and to several subaddresses, which takes keys of their own. */
async function spend(full: MoneroWalletRpc): Promise<string[]> {
  const { entries } = await full.rpc<{ entries: { address: string }[] }>('get_address_book');
  const { addresses } = await full.rpc<{ addresses: { address: string }[] }>('get_address', { account_index: 1 });
  const own = addresses.map(({ address }) => address);
  const sent: string[] = [];
  for (const paid of [[entries[0]!.address], [entries[1]!.address], [own[0]!, own[1]!]]) {
    sent.push((await full.transfer(paid.map((address) => ({ address, amount: XMR })))).tx_hash);
  }
  return sent;
}

function files(rpc: MoneroWalletRpc, name: string) {
  const read = (file: string) => readFileSync(join(rpc.walletDir, file)).toString('base64');
  return { name, keys: read(`${name}.keys`), cache: read(name) };
}

async function saidOf(rpc: MoneroWalletRpc, sent: readonly string[]) {
  const txKeys: Record<string, Comparable> = {};
  for (const txid of sent) txKeys[txid] = await answerOf(rpc.url, 'get_tx_key', { txid });
  const accounts = Number((await rpc.rpc<{ subaddress_accounts: unknown[] }>('get_accounts')).subaddress_accounts.length);
  const addresses = [];
  for (let i = 0; i < accounts; i++) addresses.push(await answerOf(rpc.url, 'get_address', { account_index: i }));
  const out = await answerOf(rpc.url, 'get_transfers', { out: true, pending: true, all_accounts: true });
  return {
    txKeys,
    addresses,
    tags: await answerOf(rpc.url, 'get_account_tags'),
    book: await answerOf(rpc.url, 'get_address_book'),
    out,
  };
}

await main();
