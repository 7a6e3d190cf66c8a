/**
 * Makes caches.json: wallets of monero-wallet-rpc, 0.18.5.3 and 0.18.0.0, as they lie on the disk with labels, tags and contacts in them
 * and no transactions, with what the program says of them, so that the reading of caches is held against them where the programs are missing. Run with
 * `npx tsx test/wallet2/make-caches.ts`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyJson } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { findReference, type ReferenceRelease } from '../support/child.ts';
import { answerOf, furnish } from '../support/native-wallet.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';

const PASSWORD = 'pässword';

async function main(): Promise<void> {
  await loadCrypto();
  const wallets = [await storedWallet('0.18.5.3'), await storedWallet('0.18.0.0')];
  writeFileSync(new URL('./caches.json', import.meta.url), `${stringifyJson({ password: PASSWORD, wallets }, 1)}\n`);
}

/** Runs the command line program once. It keeps a short table of subaddresses, which keeps the cache short. */
function cli(release: ReferenceRelease, args: readonly string[], command: string, input = ''): void {
  const common = [
    '--offline',
    '--subaddress-lookahead',
    '2:3',
    '--password',
    PASSWORD,
    '--log-file',
    '/dev/null',
    '--command',
    command,
  ];
  const { status, stdout } = spawnSync(findReference('monero-wallet-cli', release), [...args, ...common], {
    input,
    env: { HOME: tmpdir(), LANG: 'C.UTF-8' },
  });
  if (status !== 0) throw new Error(`monero-wallet-cli ${release}: ${String(stdout)}`);
}

/** A wallet of fresh words that scans from the first block. */
async function create(release: ReferenceRelease, path: string): Promise<void> {
  const words = await wordsOf((await newWallet(systemRandom, { network: 'mainnet', from: { height: 0 }, now: 0 })).secrets);
  const restore = ['--restore-deterministic-wallet', '--electrum-seed', words, '--restore-height', '0'];
  cli(release, ['--generate-new-wallet', path, ...restore], 'help', '\n\n\n');
}

async function storedWallet(release: ReferenceRelease) {
  const rpc = await startWalletRpc({ release });
  try {
    await create(release, join(rpc.walletDir, 'full'));
    await rpc.rpc('open_wallet', { filename: 'full', password: PASSWORD });
    await furnish(rpc.url, { accounts: 3, subaddresses: 12 });
    await rpc.rpc('store');
    return { release, ...files(rpc, 'full'), ...(await saidOf(rpc)) };
  } finally {
    await rpc.stop();
  }
}

function files(rpc: MoneroWalletRpc, name: string) {
  const read = (file: string) => readFileSync(join(rpc.walletDir, file)).toString('base64');
  return { keys: read(`${name}.keys`), cache: read(name) };
}

async function saidOf(rpc: MoneroWalletRpc) {
  const { subaddress_accounts } = await rpc.rpc<{ subaddress_accounts: unknown[] }>('get_accounts');
  const addresses = [];
  for (let i = 0; i < subaddress_accounts.length; i++)
    addresses.push(await answerOf(rpc.url, 'get_address', { account_index: i }));
  return { addresses, tags: await answerOf(rpc.url, 'get_account_tags'), book: await answerOf(rpc.url, 'get_address_book') };
}

await main();
