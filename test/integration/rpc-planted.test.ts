import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { keysFromSeed, loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { wordsToSeed } from '../../src/protocol/index.ts';
import { newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { type HostileProxy, startHostileProxy } from '../support/hostile.ts';
import { exchangeInfo, makeGroup, type Seat } from '../support/multisig-group.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { callRpc, RpcFailure } from '../support/rpc.ts';

// Secrets that are known to the test, given to two services that log all they can: looked for in what they log, print, refuse, keep and
// send. One is the hot half and a group's first member; the other the cold half and the second.

const PASSWORDS = ['first planted password', 'second planted password'];
const WRONG_PASSWORD = 'planted but mistyped';
const OFFSET = 'planted passphrase';
const XMR = 1_000_000_000_000n;

let folder: string;
let devnet: ServedDevnet;
let proxy: HostileProxy;
const services: NightjarService[] = [];
/** By name, the text of each: keys in hex. */
const secrets = new Map<string, string>();
const refusals: string[] = [];

const folderOf = (name: string) => join(folder, name);

async function start(name: string, flags: readonly string[]): Promise<Seat> {
  const log = ['--log-level', '4', '--log-file', join(folder, `${name}.log`)];
  const service = await startWalletService(['--wallet-dir', folderOf(name), '--disable-rpc-login', ...log, ...flags]);
  services.push(service);
  return { rpc: (method, params) => callRpc(service.url, method, params) };
}

/** Asks what is refused, and keeps the words. */
async function refused(seat: Seat, method: string, params: object): Promise<void> {
  const answer = await seat.rpc(method, params).catch((error: unknown) => error);
  expect(answer, method).toBeInstanceOf(RpcFailure);
  refusals.push(String((answer as RpcFailure).message));
}

const keyOf = async (seat: Seat, key_type: string) => (await seat.rpc<{ key: string }>('query_key', { key_type })).key;
const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(devnet.minerWallet);
};

beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-planted-'));
  devnet = await serveDevnet({ history: { blocks: 220, transactions: 0 } });
  proxy = await startHostileProxy(devnet.url);
});

afterAll(async () => {
  for (const service of services) await service.kill();
  await proxy?.stop();
  await devnet?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The forms that a secret could lie in, and its halves. */
function formsOf(secret: string): Buffer[] {
  const isKey = /^[0-9a-f]{64}$/.test(secret);
  const raw = Buffer.from(secret, isKey ? 'hex' : 'utf8');
  const base64 = [0, 1, 2].map((skip) => raw.subarray(skip).toString('base64').slice(0, 14));
  const texts = [secret, raw.toString('hex'), ...base64, ...(isKey ? [secret.slice(0, 20), secret.slice(-20)] : [])];
  return [raw, ...(isKey ? [raw.subarray(0, 16), raw.subarray(16)] : []), ...texts.map((text) => Buffer.from(text))];
}

function expectNone(where: string, said: Uint8Array | string): void {
  const bytes = Buffer.from(said);
  const found = [...secrets].filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)));
  expect(
    found.map(([name]) => name),
    where,
  ).toEqual([]);
}

function expectNoneAnywhere(): void {
  for (const log of readdirSync(folder).filter((name) => name.includes('.log'))) {
    const said = readFileSync(join(folder, log));
    expect(said.length, log).toBeGreaterThan(1_000);
    expectNone(log, said);
  }
  for (const [i, { lines }] of services.entries()) expectNone(`what service ${i} printed`, lines.join('\n'));
  expectNone('what was refused', refusals.join('\n'));
  for (const { path, body } of proxy.asked) expectNone(`what ${path} was asked`, Buffer.concat([Buffer.from(path), body]));
  for (const name of ['hot', 'cold'])
    for (const file of readdirSync(folderOf(name)))
      if (!file.startsWith('.')) expectNone(`${name}/${file}`, readFileSync(join(folderOf(name), file)));
}

/** Words of a wallet and its keys, whoever holds it. */
function plant(name: string, words: string): void {
  const split = words.split(' ');
  for (let i = 0; i + 3 <= split.length; i += 3) secrets.set(`words ${i} of ${name}`, split.slice(i, i + 3).join(' '));
  const { spendKey, viewKey } = keysFromSeed(wordsToSeed(words).seed);
  secrets.set(`spend key of ${name}`, bytesToHex(spendKey));
  secrets.set(`view key of ${name}`, bytesToHex(viewKey));
}

async function restoreAndPay(hot: Seat): Promise<string> {
  const seed = await wordsOf((await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 })).secrets);
  plant('a seed', seed);
  const [first, second] = PASSWORDS as [string, string];
  const restore = { filename: 'one', password: first, seed, seed_offset: OFFSET };
  await refused(hot, 'restore_deterministic_wallet', { ...restore, seed: seed.replace(/ \S+$/, ' zzzz') });
  await refused(hot, 'restore_deterministic_wallet', { ...restore, seed: seed.split(' ').slice(3).join(' ') });
  const { address } = await hot.rpc<{ address: string }>('restore_deterministic_wallet', restore);
  await refused(hot, 'restore_deterministic_wallet', restore);
  for (const type of ['spend_key', 'view_key']) secrets.set(`${type} behind the passphrase`, await keyOf(hot, type));
  await refused(hot, 'change_wallet_password', { old_password: WRONG_PASSWORD, new_password: second });
  await hot.rpc('change_wallet_password', { old_password: first, new_password: second });
  await refused(hot, 'open_wallet', { filename: 'one', password: WRONG_PASSWORD });
  await hot.rpc('open_wallet', { filename: 'one', password: second });
  const viewkey = await keyOf(hot, 'view_key');
  const spendkey = await keyOf(hot, 'spend_key');
  const foreign = devnet.minerWallet.address;
  const keys = { filename: 'no', password: first, viewkey, spendkey };
  await refused(hot, 'generate_from_keys', { ...keys, address: foreign });
  await refused(hot, 'generate_from_keys', { ...keys, address, viewkey: `${viewkey}00` });
  await refused(hot, 'generate_from_keys', { ...keys, address, spendkey: `${spendkey.slice(0, -2)}ff` });
  devnet.faucet.give(address);
  mine(20);
  await hot.rpc('refresh');
  const destinations = [{ address: foreign, amount: XMR }];
  const { tx_hash, tx_key } = await hot.rpc<{ tx_hash: string; tx_key: string }>('transfer', { destinations, get_tx_key: true });
  secrets.set('a transaction’s key', tx_key);
  await hot.rpc('get_tx_proof', { txid: tx_hash, address: foreign });
  await refused(hot, 'check_tx_key', { txid: '00'.repeat(32), tx_key, address: foreign });
  // The refusal says which address was wrong, as the reference's does; the log may not.
  await expect(hot.rpc('transfer', { destinations: [{ address: spendkey, amount: XMR }] })).rejects.toThrow(spendkey);
  mine(20);
  return address;
}

async function signOffline(hot: Seat, cold: Seat, address: string): Promise<void> {
  const [first, second] = PASSWORDS as [string, string];
  const viewkey = await keyOf(hot, 'view_key');
  const spendkey = await keyOf(hot, 'spend_key');
  await cold.rpc('generate_from_keys', { filename: 'cold', password: first, address, viewkey, spendkey });
  await hot.rpc('generate_from_keys', { filename: 'view', password: second, address, viewkey, restore_height: 0 });
  await hot.rpc('refresh');
  const { outputs_data_hex } = await hot.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
  await cold.rpc('import_outputs', { outputs_data_hex });
  const images = await cold.rpc<{ signed_key_images: object[] }>('export_key_images', { all: true });
  await hot.rpc('import_key_images', { signed_key_images: images.signed_key_images });
  const destinations = [{ address: devnet.minerWallet.address, amount: XMR }];
  const { unsigned_txset } = await hot.rpc<{ unsigned_txset: string }>('transfer', { destinations });
  await refused(cold, 'sign_transfer', { unsigned_txset: unsigned_txset.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
  const params = { unsigned_txset, get_tx_keys: true };
  const signed = await cold.rpc<{ signed_txset: string; tx_key_list: string[] }>('sign_transfer', params);
  for (const [i, key] of signed.tx_key_list.entries()) secrets.set(`key ${i} of a set`, key);
  expectNone('a signed set', signed.signed_txset);
  await hot.rpc('submit_transfer', { tx_data_hex: signed.signed_txset });
}

async function payAsGroup(seats: readonly Seat[]): Promise<void> {
  for (const [i, seat] of seats.entries()) {
    await seat.rpc('create_wallet', { filename: 'member', password: '', language: 'English' });
    plant(`member ${i}`, await keyOf(seat, 'mnemonic'));
  }
  const address = await makeGroup(seats, 2);
  for (const [i, seat] of seats.entries()) {
    const seed = await keyOf(seat, 'mnemonic');
    // Two counts, then keys: what is secret of them, and the signers' public ones at the end.
    const keys = seed.slice(16).match(/.{64}/g)!.slice(0, -2);
    for (const at of [0, 2, 4]) secrets.set(`key ${at} of member ${i}`, keys[at]!);
  }
  devnet.faucet.give(address);
  mine(20);
  for (const seat of seats) await seat.rpc('refresh').catch(() => undefined);
  await refused(seats[0]!, 'exchange_multisig_keys', { multisig_info: ['MultisigxV2Rn'], password: WRONG_PASSWORD });
  await refused(seats[0]!, 'import_multisig_info', { info: ['00'] });
  await exchangeInfo(seats);
  const destinations = [{ address: devnet.minerWallet.address, amount: XMR }];
  const { multisig_txset } = await seats[0]!.rpc<{ multisig_txset: string }>('transfer', { destinations });
  const { tx_data_hex } = await seats[1]!.rpc<{ tx_data_hex: string }>('sign_multisig', { tx_data_hex: multisig_txset });
  await refused(seats[1]!, 'sign_multisig', { tx_data_hex: multisig_txset });
  await seats[0]!.rpc('submit_multisig', { tx_data_hex });
}

it('T19 words, keys and passwords are in no log, refusal, file or request', { timeout: 300_000 }, async () => {
  for (const [i, text] of [...PASSWORDS, WRONG_PASSWORD, OFFSET].entries()) secrets.set(`text ${i}`, text);
  const network = ['--daemon-address', proxy.url, '--trusted-daemon'];
  const hot = await start('hot', network);
  const cold = await start('cold', ['--offline']);
  const address = await restoreAndPay(hot);
  await signOffline(hot, cold, address);
  await payAsGroup([hot, await start('second', network)]);
  expectNoneAnywhere();
});
