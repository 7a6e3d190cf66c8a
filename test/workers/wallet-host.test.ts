import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { asObject, parseJson, stringifyJson } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { DaemonClient, DaemonError } from '../../src/daemon/index.ts';
import { makeWalletUri, type Network, parseWalletUri, type WalletUriStart } from '../../src/protocol/index.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { joinContainer, splitContainer } from '../../src/storage/container.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { decodeHeader, encodeHeader } from '../../src/storage/seal/header.ts';
import type { DaemonSettings } from '../../src/wallet/api.ts';
import { environment } from '../../src/wallet/environment.ts';
import { type JournalStore, newWallet } from '../../src/wallet/index.ts';
import type { EventOf, WalletEvent } from '../../src/wallet/state/events.ts';
import type { WalletForm } from '../../workers/host.ts';
import { Host } from '../../workers/wallet-host.ts';
import { CHEAP_KDF, created, noted, secrets } from '../storage/samples.ts';

// The one place where wallets are opened and closed, over a journal in memory and a daemon that is not there.

const PASSWORD = 'a password';
const ADDRESS = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
let host: Host;
/** Under which name the store has what is asked for as another: somebody exchanged its records. */
const exchanged = new Map<string, string>();
let journals: MemoryJournalStore;

const made = (daemon: Partial<DaemonSettings> = {}): WalletForm => ({
  name: 'mine',
  password: PASSWORD,
  network: 'regtest',
  daemon: { url: '/daemon', trusted: false, ...daemon },
});

const SEED = { form: '25-words', language: 'English' } as const;
const create = (daemon?: Partial<DaemonSettings>): Promise<void> => host.create(made(daemon), SEED);

/** Words that no wallet here has. */
async function someWords(): Promise<string> {
  await host.create({ ...made(), name: 'another' }, SEED);
  const words = await host.wallet.secrets.words();
  await host.lock();
  await host.remove('another', PASSWORD);
  return words;
}

/** Whether the page came over https: then it may not reach every daemon that was named elsewhere. */
let secure: boolean;
/** How many daemons were connected to. */
let connected = 0;

function connect({ url }: DaemonSettings): DaemonClient {
  connected += 1;
  if (secure && url.startsWith('http://plain')) throw new DaemonError('mixed-content', 'expected https');
  return DaemonClient.connect({ url: 'http://127.0.0.1:1' });
}

beforeEach(() => {
  secure = true;
  exchanged.clear();
  journals = new MemoryJournalStore({ kdf: CHEAP_KDF });
  const lying = (name: string): string => exchanged.get(name) ?? name;
  const store: JournalStore = {
    list: () => journals.list(),
    create: (...asked) => journals.create(...asked),
    restore: (...asked) => journals.restore(...asked),
    open: (name, password) => journals.open(lying(name), password),
    openByKey: (name, key) => journals.openByKey(lying(name), key),
    remove: (name) => journals.remove(lying(name)),
  };
  host = new Host(environment({ store, scanPool: createInlineScanPool, connect }));
});

describe('a host of one wallet', () => {
  it('T16 a wallet that was given another label in the list is listed as what it is once it was opened', async () => {
    await create();
    const { header, records } = splitContainer(await host.wallet.backup());
    await host.lock();
    const relabelled = encodeHeader({ ...decodeHeader(header), network: 'mainnet', kind: 'view' });
    await host.restoreFromBackup('other', PASSWORD, joinContainer(relabelled, records));
    const label = { network: 'regtest', kind: 'full' };
    expect(await host.list()).toEqual(['mine', 'other'].map((name) => ({ name, ...label })));
    await host.lock();
    await host.open('other', PASSWORD);
    expect((await host.wallet.view()).network).toBe('regtest');
  });

  it('T17 a wallet unlocked while it is still being locked waits its turn, and is not taken for a second tab’s', async () => {
    await create();
    const locked = host.lock();
    await host.open('mine', PASSWORD);
    await locked;
    expect((await host.wallet.view()).name).toBe('mine');
    await host.lock();
    expect(() => host.wallet).toThrow('expected an open wallet');
  });

  it('a wallet whose daemon cannot be named here does not stay open behind a page that shows it closed', async () => {
    await expect(create({ url: 'http://plain.example' })).rejects.toMatchObject({ code: 'mixed-content' });
    expect(() => host.wallet).toThrow('expected an open wallet');
    await host.open('mine', PASSWORD);
    await host.lock();
  });

  it('a wallet whose saved daemon this page may not use opens all the same, says why, and takes another one', async () => {
    const plain = 'http://plain.example';
    secure = false;
    await create({ url: plain });
    await host.lock();
    secure = true;
    await host.open('mine', PASSWORD);
    const { sync } = await host.wallet.view();
    expect(sync).toMatchObject({ phase: 'offline', height: 0, error: { code: 'mixed-content' } });
    expect((await host.daemon()).url).toBe(plain);
    await expect(host.wallet.setDaemon({ url: plain, trusted: false })).rejects.toMatchObject({ code: 'mixed-content' });
    await host.wallet.setDaemon({ url: '/daemon', trusted: false });
    expect((await host.wallet.view()).sync.error?.code).not.toBe('mixed-content');
    expect((await host.daemon()).url).toBe('/daemon');
    await host.lock();
  });

  it('T16 a backup that is whole and comes to no wallet takes no name, and one that does comes back', async () => {
    await create();
    const good = await host.wallet.backup();
    await host.lock();
    const theirs = new MemoryJournalStore({ kdf: CHEAP_KDF });
    const other = { ...created, wallet: { ...(created as EventOf<'Created'>).wallet, primaryAddress: ADDRESS } };
    for (const [i, first] of [[noted(1)], [created, { type: 'Later' }], [other]].entries()) {
      const journal = await theirs.create(String(i), PASSWORD, secrets(), first as WalletEvent[]);
      const backup = await journal.backup();
      await journal.close();
      await expect(host.restoreFromBackup('back', PASSWORD, backup), String(i)).rejects.toThrow();
      expect((await host.list()).map(({ name }) => name)).toEqual(['mine']);
    }
    await host.restoreFromBackup('back', PASSWORD, good);
    expect((await host.wallet.view()).name).toBe('back');
    await host.lock();
  });

  it('keys come back as the wallet of the address beside them, or as none', async () => {
    const point = { kind: 'height', height: 0 } as const;
    const keys = { spendKey: '01'.padEnd(64, '0'), viewKey: undefined };
    await host.restoreFromKeys(made(), { ...keys, address: undefined }, point);
    const { primaryAddress: address } = await host.wallet.view();
    await host.lock();
    await host.remove('mine', PASSWORD);

    const mistyped = { spendKey: '02'.padEnd(64, '0'), viewKey: undefined, address };
    await expect(host.restoreFromKeys(made(), mistyped, point)).rejects.toMatchObject({ code: 'keys-of-other-wallet' });
    const damaged = `${address.slice(0, 40)}x${address.slice(41)}`;
    await expect(host.restoreFromKeys(made(), { ...keys, address: damaged }, point)).rejects.toMatchObject({
      name: 'ProtocolError',
    });
    expect(await host.list()).toEqual([]);

    await host.restoreFromKeys(made(), { ...keys, address }, point);
    expect((await host.wallet.view()).primaryAddress).toBe(address);
    await host.lock();
  });

  it('words with a passphrase are another wallet than without it', async () => {
    const words = await someWords();
    const point = { kind: 'height', height: 0 } as const;
    await host.restoreFromSeed(made(), words, '', point);
    const { primaryAddress } = await host.wallet.view();
    await host.restoreFromSeed({ ...made(), name: 'hidden' }, words, 'a passphrase', point);
    const hidden = await host.wallet.view();
    expect(hidden.primaryAddress).not.toBe(primaryAddress);
    // It has words of its own, which need no passphrase.
    const own = await host.wallet.secrets.words();
    await host.restoreFromSeed({ ...made(), name: 'own words' }, own, '', point);
    expect((await host.wallet.view()).primaryAddress).toBe(hidden.primaryAddress);
    await host.lock();
  });

  it('shows the words for the password alone', async () => {
    await create();
    const { words, code } = await host.revealSeed(PASSWORD, '25-words');
    expect(words.split(' ')).toHaveLength(25);
    const { seed, start } = parseWalletUri(code, 'regtest');
    expect(seed).toBe(words);
    // With the margin of a new wallet, which reaches into the day before shortly after midnight.
    const days = [0, 86_400_000].map((ago) => ({ date: new Date(Date.now() - ago).toISOString().slice(0, 10) }));
    expect(days).toContainEqual(start);
    await expect(host.revealSeed('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    await host.lock();
    await expect(host.revealSeed(PASSWORD)).rejects.toMatchObject({ code: 'not-open' });
  });

  it('T24 a daemon that is not trusted is asked about no single payment', async () => {
    await create();
    const { primaryAddress: address } = await host.wallet.view();
    const claim = { txHash: '00'.repeat(32), address, message: '' };
    await expect(host.provePayment(claim)).rejects.toMatchObject({ code: 'daemon-not-trusted' });
    await expect(host.checkPayment(claim, 'OutProofV2')).rejects.toMatchObject({ code: 'daemon-not-trusted' });
    await host.lock();
  });

  it.each([
    [16, { form: 'polyseed', language: 'Korean' }],
    [25, { form: '25-words', language: 'German' }],
  ] as const)(
    'a new wallet has %i words in the language asked for, and says so until they are written down',
    async (count, seed) => {
      expect(await host.seedLanguages(seed.form)).toContain(seed.language);
      await host.create(made(), seed);
      expect((await host.wallet.view()).seedToWrite).toBe(true);
      const words = await host.wallet.secrets.words();
      expect(await host.checkSeed(words)).toMatchObject({ unknown: [], checksum: true, words: { length: count } });
      await host.lock();
      await host.open('mine', PASSWORD);
      expect((await host.wallet.view()).seedToWrite).toBe(true);
      await host.wallet.seedWritten();
      await host.lock();
      await host.open('mine', PASSWORD);
      expect((await host.wallet.view()).seedToWrite).toBe(false);
      await host.lock();
    },
  );

  it('sixteen words bring back their wallet, from their own month', async () => {
    await host.create(made(), { form: 'polyseed', language: 'English' });
    const { primaryAddress } = await host.wallet.view();
    const words = await host.wallet.secrets.words();
    const birthday = (await host.checkSeed(words)).polyseed?.birthday ?? 0;
    expect(Math.abs(Date.now() / 1000 - birthday)).toBeLessThan(32 * 86_400);
    await host.restoreFromSeed({ ...made(), name: 'again' }, words, '', undefined);
    const view = await host.wallet.view();
    expect([view.primaryAddress, view.seedToWrite]).toEqual([primaryAddress, false]);
    expect(view.restore.date).toBe(birthday - 2 * 60 * 60);
    await host.lock();
  });

  it('words of an old wallet are known while they are written: thirteen check themselves, twelve and 24 say that nothing does', async () => {
    const thirteen = 'slid otherwise jeers lurk swung tawny zodiac tusks twang cajun swagger peaches tawny'.split(' ');
    expect(await host.checkSeed(thirteen.join(' '))).toMatchObject({ unknown: [], checksum: true, polyseed: undefined });
    expect(await host.checkSeed([...thirteen.slice(1), thirteen[0]].join(' '))).toMatchObject({ checksum: false });
    expect(await host.checkSeed(thirteen.slice(0, 12).join(' '))).toMatchObject({ unknown: [], checksum: 'none' });
    const long = (await someWords()).split(' ').slice(0, 24);
    expect(await host.checkSeed(long.join(' '))).toMatchObject({ unknown: [], checksum: 'none' });
    expect(await host.checkSeed(long.slice(0, 20).join(' '))).toMatchObject({ unknown: [], checksum: undefined });
  });

  it('a wallet is removed for its password, or without any where the person has none', async () => {
    for (const password of [PASSWORD, undefined]) {
      await create();
      await host.lock();
      await expect(host.remove('mine', 'wrong')).rejects.toMatchObject({ code: 'wrong-password' });
      expect(await host.list()).toHaveLength(1);
      await host.remove('mine', password);
      expect(await host.list()).toEqual([]);
    }
  });

  it('recognises one wallet under two names by a fingerprint that is new each time and useless without the view key', async () => {
    const tip = { kind: 'tip' } as const;
    const named = (name: string): WalletForm => ({ ...made(), name, network: 'mainnet' });
    const words = await someWords();
    await host.restoreFromSeed(named('mine'), words, '', tip);
    const { fingerprint, same } = await host.recognise([]);
    expect(same).toEqual([]);
    const { fingerprint: next } = await host.recognise([]);
    for (let at = 0; at < 96; at += 32) expect(next.slice(at, at + 32)).not.toBe(fingerprint.slice(at, at + 32));
    const others = [
      { name: 'mine', fingerprint },
      { name: 'damaged', fingerprint: fingerprint.slice(1) },
      { name: 'another', fingerprint: `${next.slice(0, 32)}${fingerprint.slice(32)}` },
    ];
    await host.restoreFromSeed(named('again'), words, '', tip);
    expect((await host.recognise(others)).same).toEqual(['mine']);
    await host.restoreFromSeed(named('hidden'), words, 'a passphrase', tip);
    expect((await host.recognise(others)).same).toEqual([]);
    await host.restoreFromSeed({ ...named('elsewhere'), network: 'stagenet' }, words, '', tip);
    expect((await host.recognise(others)).same).toEqual([]);
    await host.lock();
    await expect(host.recognise(others)).rejects.toMatchObject({ code: 'not-open' });
  });

  it('T18 keeps what the person calls a wallet in the wallet, and removes none that is shown by another name than its own', async () => {
    await create();
    await host.rename('Savings');
    const backup = await host.wallet.backup();
    await host.lock();
    await host.open('mine', PASSWORD);
    expect(await host.recognise([])).toMatchObject({ displayName: 'Savings', otherName: undefined });
    await host.restoreFromBackup('again', PASSWORD, backup);
    expect((await host.recognise([])).displayName, 'a backup is called as it is restored').toBeUndefined();
    await host.lock();
    await expect(host.remove('mine', PASSWORD, 'Daily')).rejects.toMatchObject({ code: 'other-name', data: { name: 'Savings' } });
    await expect(host.remove('again', PASSWORD, 'Savings')).rejects.toMatchObject({
      code: 'other-name',
      data: { name: 'again' },
    });
    await host.remove('mine', PASSWORD, 'Savings');
    await host.open('again', PASSWORD);
    await host.rename('Daily');
    await host.rename('');
    expect((await host.recognise([])).displayName).toBeUndefined();
  });

  it('T18 says that wallets were exchanged in the store, and removes none of them for the other', async () => {
    const nameTold = async (name: string): Promise<string | undefined> => {
      await host.open(name, PASSWORD);
      const { otherName } = await host.recognise([]);
      await host.lock();
      return otherName;
    };
    await create();
    const backup = await host.wallet.backup();
    await host.restoreFromBackup('again', PASSWORD, backup);
    await host.lock();
    // Of a version that kept no names.
    const { secrets: keys, first } = await newWallet(systemRandom, { network: 'regtest', now: 1_700_000_000 }, 'English');
    await (await journals.create('old', PASSWORD, keys, first)).close();
    for (const name of ['mine', 'again', 'old']) expect(await nameTold(name), name).toBeUndefined();
    for (const [name, other] of [['mine', 'old'] as const, ['old', 'again'] as const, ['again', 'mine'] as const]) {
      exchanged.set(name, other);
      expect(await nameTold(name)).toBe(other);
      await expect(host.remove(name, PASSWORD)).rejects.toMatchObject({ code: 'other-name', data: { name: other } });
    }
    expect(await host.list()).toHaveLength(3);
    // One whose records cannot be read is removed for its password all the same.
    exchanged.clear();
    await (await journals.create('broken', PASSWORD, secrets(), [noted(1)])).close();
    await host.remove('broken', PASSWORD);
    expect(await host.list()).toHaveLength(3);
  });

  it('T24 a daemon’s login is for that daemon, and its password not for the page', async () => {
    const logins: string[] = [];
    const challenge = 'Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="abc",stale=false';
    const asking = (): Server =>
      createServer(({ headers }, response) => {
        if (headers.authorization !== undefined) logins.push(headers.authorization);
        response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
      });
    const servers = [asking(), asking()];
    const [own, other] = await Promise.all(
      servers.map(async (server) => {
        await once(server.listen(0, '127.0.0.1'), 'listening');
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      }),
    );
    try {
      await create({ url: own!, username: 'me', password: 'a secret' });
      expect(await host.daemon()).toEqual({ url: own, trusted: false, username: 'me' });
      await expect(host.askNode(other!, 'get_info', {})).rejects.toMatchObject({ code: 'login-needed' });
      expect(logins).toEqual([]);
      await expect(host.askNode(own!, 'get_info', {})).rejects.toMatchObject({ code: 'login-refused' });
      expect(logins.join()).toContain('username="me"');
      await host.lock();
    } finally {
      for (const server of servers) server.close();
    }
  });

  it('T24 a secret key that is given to a question by hand is not asked for, whatever field it is in', async () => {
    await create();
    const secret = (await host.wallet.secrets.spendKey())!;
    const byHand = (call: string, given: Record<string, string>) => host.askNode('http://127.0.0.1:1', call, given);
    const own = { code: 'own-secret' };
    await expect(byHand('get_transactions', { txs_hashes: `${'0'.repeat(64)},\n${secret} ` })).rejects.toMatchObject(own);
    await expect(byHand('banned', { address: secret })).rejects.toMatchObject(own);
    await expect(byHand('get_transactions', { txs_hashes: '0'.repeat(64) })).rejects.toMatchObject({ code: 'unreachable' });
    await host.lock();
  });

  it('a page whose server has no gateway makes and opens wallets without a daemon, until one is chosen', async () => {
    vi.stubGlobal('self', { location: { href: 'https://wallet.example/app/assets/wallet.worker-1.js' } });
    const answer = vi.spyOn(globalThis, 'fetch');
    const answers = (status: number, body: string) => answer.mockImplementation(async () => new Response(body, { status }));
    const site = async () => (await host.site())?.daemon ?? (await host.site())?.faucet;
    answers(500, 'busy');
    expect(await site(), 'a server that cannot say').toBeUndefined();
    answers(200, '{"network":"mainnet","daemon":{"url":"https://node.example"}}');
    expect(await site()).toEqual({ url: 'https://node.example', kind: 'monerod' });
    answers(200, '<!doctype html>');
    expect(await site(), 'the page for every path').toBe(false);
    answers(404, '');
    expect(await site()).toBe(false);
    expect(String(answer.mock.lastCall?.[0])).toBe('https://wallet.example/app/nightjar.json');

    const before = connected;
    await host.create({ ...made(), daemon: undefined }, SEED);
    const status = async () => (await host.wallet.view()).sync;
    expect(await status()).toMatchObject({ phase: 'offline', error: { code: 'no-daemon' } });
    await host.lock();
    await host.open('mine', PASSWORD);
    expect(await status()).toMatchObject({ phase: 'offline', error: { code: 'no-daemon' } });
    await expect(host.wallet.setDaemon({ url: '/daemon', trusted: false })).rejects.toMatchObject({ code: 'no-daemon' });
    expect(connected).toBe(before);
    await host.wallet.setDaemon({ url: 'https://node.example', trusted: false });
    expect((await status()).error?.code).not.toBe('no-daemon');
    expect(connected).toBe(before + 1);
    await host.lock();
    vi.unstubAllGlobals();
    answer.mockRestore();
  });

  it('an offline device connects to no daemon, whatever a wallet remembers, and asks no site', async () => {
    vi.stubGlobal('self', { location: { href: 'https://wallet.example/' } });
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('asked'));
    const askedOfSite = () => fetched.mock.calls.map(([url]) => String(url)).filter((url) => /nightjar.json|faucet/.test(url));
    await host.site();
    expect(askedOfSite(), 'with a network it is asked').toEqual(['https://wallet.example/nightjar.json']);
    await create();
    await host.lock();
    const before = connected;
    await host.setOffline(true);
    expect(await host.site()).toBeUndefined();
    await host.open('mine', PASSWORD);
    expect((await host.wallet.view()).sync.phase).toBe('idle');
    await expect(host.wallet.setDaemon({ url: '/daemon', trusted: false })).rejects.toMatchObject({ code: 'offline-device' });
    await expect(host.wallet.tryDaemon({ url: '/daemon', trusted: false })).rejects.toMatchObject({ code: 'offline-device' });
    await host.wallet.setSecondDaemon('http://other.example').catch(() => undefined);
    await expect(host.faucet('nobody')).rejects.toMatchObject({ code: 'offline-device' });
    const byHand = host.askNode('http://other.example', 'get_info', {});
    await expect(byHand).rejects.toMatchObject({ code: 'offline-device' });
    await host.create({ ...made(), name: 'made here' }, SEED);
    expect((await host.wallet.view()).network).toBe('regtest');
    expect(connected).toBe(before);
    await host.lock();
    expect(askedOfSite(), 'offline nothing more is').toHaveLength(1);
    fetched.mockRestore();
    vi.unstubAllGlobals();
    await host.setOffline(false);
    await host.open('mine', PASSWORD);
    expect(connected).toBe(before + 1);
    await host.lock();
  });
});

describe('pairing', () => {
  const tip = { kind: 'tip' } as const;
  const mainnet = (): WalletForm => ({ ...made(), network: 'mainnet' });
  const codeOf = async (): Promise<Record<string, unknown>> => asObject(parseJson(await host.pairingCode(PASSWORD)));

  it('shows address, view key and height for the password, and never the spend key; another host reads it', async () => {
    const words = await someWords();
    await host.restoreFromSeed(mainnet(), words, '', { kind: 'height', height: 3_000_000 });
    await expect(host.pairingCode('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    const text = await host.pairingCode(PASSWORD);
    const { primaryAddress } = await host.wallet.view();
    const viewKey = await host.wallet.secrets.viewKey();
    expect(asObject(parseJson(text))).toEqual({ primaryAddress, privateViewKey: viewKey, restoreHeight: 3_000_000 });
    expect(text).not.toContain(await host.wallet.secrets.spendKey());
    const read = await host.readPairing(text, 'mainnet');
    expect(read).toEqual({ address: primaryAddress, viewKey, height: 3_000_000 });
    await host.restoreViewOnly({ ...mainnet(), name: 'watched' }, read.address, read.viewKey, {
      kind: 'height',
      height: read.height,
    });
    expect(await host.wallet.view()).toMatchObject({ kind: 'view', primaryAddress, restore: { height: 3_000_000 } });
    await host.lock();
  });

  it('where only a day is known the height is guessed low on the main chain, and nothing on others', async () => {
    const words = await someWords();
    const heightOn = async (form: WalletForm, date: string): Promise<unknown> => {
      await host.restoreFromSeed(form, words, '', { kind: 'date', date });
      return (await codeOf()).restoreHeight;
    };
    // Its block of that day was 3,051,900 or so.
    const guessed = Number(await heightOn(mainnet(), '2024-01-01'));
    expect(guessed).toBeLessThan(3_050_000);
    expect(guessed).toBeGreaterThan(3_010_000);
    expect(await heightOn({ ...mainnet(), name: 'old' }, '2014-05-01')).toBe(0);
    expect(await heightOn({ ...made(), name: 'test chain' }, '2024-01-01')).toBe(0);
    await host.lock();
  });

  it('reads pairing codes of other wallets, and refuses other codes', async () => {
    const words = await someWords();
    await host.restoreFromSeed(mainnet(), words, '', tip);
    const { primaryAddress, privateViewKey } = await codeOf();
    const read = (more: object, network: 'mainnet' | 'stagenet' = 'mainnet') =>
      host.readPairing(stringifyJson({ primaryAddress, privateViewKey, ...more } as never), network);
    expect(await read({ restoreHeight: '12345', version: 0 })).toMatchObject({ height: 12_345 });
    expect(await read({})).toMatchObject({ height: 0 });
    expect(await read({ privateViewKey: ` ${String(privateViewKey).toUpperCase()} ` })).toMatchObject({
      viewKey: privateViewKey,
    });
    await expect(read({ privateSpendKey: '00'.repeat(32) })).rejects.toMatchObject({ code: 'pairing-spends' });
    await expect(read({}, 'stagenet')).rejects.toMatchObject({ code: 'wrong-network' });
    for (const key of [`${'ab'.repeat(31)}0b`, '00'.repeat(32), 'ff'.repeat(32)])
      await expect(read({ privateViewKey: key })).rejects.toMatchObject({ code: 'pairing-key' });
    // Nothing could be found from there on: coins would be hidden.
    for (const restoreHeight of [-5, 1.5, 'soon', ' ', [7], 90_000_000, 600_000_000, 2 ** 60])
      await expect(read({ restoreHeight }), String(restoreHeight)).rejects.toMatchObject({ code: 'pairing-height' });
    for (const more of [{ privateViewKey: 'ab' }, { privateViewKey: 5 }, { primaryAddress: undefined }])
      await expect(read(more)).rejects.toMatchObject({ code: 'not-a-pairing' });
    for (const text of ['', 'null', '[]', '{', 'monero:4abc', `{"primaryAddress":"${'4'.repeat(5_000)}"}`])
      await expect(host.readPairing(text, 'mainnet')).rejects.toMatchObject({ code: 'not-a-pairing' });
    await host.lock();
  });
});

describe('a paper wallet beside the open one', () => {
  const paper = async () => ({ words: await someWords(), passphrase: '' });
  const START = { kind: 'height', height: 0 } as const;

  it('needs an open wallet, and is another one', async () => {
    await expect(host.paper.open(await paper(), START, () => undefined)).rejects.toMatchObject({ code: 'not-open' });
    await create();
    const words = await host.wallet.secrets.words();
    const own = host.paper.open({ words, passphrase: '' }, START, () => undefined);
    await expect(own).rejects.toMatchObject({ code: 'same-wallet' });
    await expect(host.paper.price()).rejects.toMatchObject({ code: 'not-open' });
  });

  it('T19 is stored nowhere, and closed with the wallet, also while it is being opened', async () => {
    const secret = await paper();
    await create();
    const views: unknown[] = [];
    await host.paper.open(secret, START, (view) => views.push(view));
    expect(views).not.toEqual([]);
    expect((await journals.list()).map(({ name }) => name)).toEqual(['mine']);
    expect(await host.paper.price()).toEqual({ amount: 0n, fee: 0n });
    await host.lock();
    await expect(host.paper.price()).rejects.toMatchObject({ code: 'not-open' });

    await host.open('mine', PASSWORD);
    const opening = host.paper.open(secret, START, () => undefined);
    await expect(Promise.all([opening, host.paper.close()])).rejects.toMatchObject({ name: 'AbortError' });
    await expect(host.paper.price()).rejects.toMatchObject({ code: 'not-open' });
  });

  it('is refused if its keys are of another address than the one on it', async () => {
    await create();
    const keys = { spendKey: '01'.padEnd(64, '0'), viewKey: undefined, address: ADDRESS };
    const opening = host.paper.open({ keys }, START, () => undefined);
    await expect(opening).rejects.toMatchObject({ code: 'keys-of-other-wallet' });
  });
});

describe('codes that restore a wallet', () => {
  const someKeys = async (network: 'mainnet' | 'stagenet' = 'mainnet') => {
    await host.restoreFromSeed({ ...made(), network }, await someWords(), '', { kind: 'height', height: 5 });
    const { primaryAddress: address } = await host.wallet.view();
    const keys = { address, spendKey: await host.wallet.secrets.spendKey(), viewKey: await host.wallet.secrets.viewKey() };
    await host.lock();
    return keys;
  };
  const read = (text: string) => host.readWalletCode(text, 'mainnet');

  it('are words alone, or a wallet URI with a seed or with keys; where to scan from is told', async () => {
    const words = await someWords();
    expect(await read(` ${words.replaceAll(' ', '\n')} `)).toMatchObject({ kind: 'words', from: undefined });
    const date = '2026-06-01';
    const uri = makeWalletUri({ seed: words, label: 'Savings', start: { date } }, 'mainnet');
    expect(await read(uri)).toEqual({ kind: 'words', words, from: { kind: 'date', date }, label: 'Savings' });
    const keys = await someKeys();
    expect(await read(makeWalletUri({ ...keys, start: { height: 7 } }, 'mainnet'))).toEqual({
      kind: 'keys',
      keys,
      from: { kind: 'height', height: 7 },
      label: '',
    });
  });

  it('name the transactions that paid a gift card', async () => {
    const txids = ['ab'.repeat(32), 'cd'.repeat(32)];
    const { spendKey, address } = await someKeys();
    expect(await read(makeWalletUri({ spendKey, txids }, 'mainnet'))).toMatchObject({ kind: 'keys', txHashes: txids });
    const words = await someWords();
    expect(await read(makeWalletUri({ seed: words, address, txids: [txids[0]!] }, 'mainnet'))).toMatchObject({
      kind: 'words',
      txHashes: [txids[0]],
    });
  });

  it('T23 with a height or a day that is still to come say nothing of where to scan from; chains of tests are as long as they are', async () => {
    const seed = await someWords();
    const from = async (start: WalletUriStart, network: Network = 'mainnet') => {
      const code = await host.readWalletCode(makeWalletUri({ seed, start }, network), network);
      return code.kind === 'words' ? code.from : code;
    };
    expect(await from({ height: 90_000_000 })).toBeUndefined();
    expect(await from({ date: '2999-01-01' })).toBeUndefined();
    expect(await from({ height: 3_000_000 })).toEqual({ kind: 'height', height: 3_000_000 });
    expect(await from({ height: 90_000_000 }, 'stagenet')).toEqual({ kind: 'height', height: 90_000_000 });
  });

  it('without a spend key are for pairing, and checked as such', async () => {
    const { address, viewKey, spendKey } = await someKeys();
    const uri = makeWalletUri({ address, viewKey, start: { height: 7 } }, 'mainnet');
    expect(await read(uri)).toEqual({ kind: 'pairing' });
    expect(await read('{"primaryAddress":""}')).toEqual({ kind: 'pairing' });
    expect(await host.readPairing(uri, 'mainnet')).toEqual({ address, viewKey, height: 7 });
    const dated = makeWalletUri({ address, viewKey, start: { date: '2024-01-01' } }, 'mainnet');
    const { height } = await host.readPairing(dated, 'mainnet');
    expect(height).toBeGreaterThan(3_010_000);
    expect(height).toBeLessThan(3_050_000);
    const refused = (wallet: object) => host.readPairing(makeWalletUri({ address, viewKey, ...wallet }, 'mainnet'), 'mainnet');
    await expect(refused({ spendKey })).rejects.toMatchObject({ code: 'pairing-spends' });
    await expect(refused({ viewKey: spendKey })).rejects.toMatchObject({ code: 'pairing-key' });
    await expect(refused({ start: { height: 90_000_000 } })).rejects.toMatchObject({ code: 'pairing-height' });
    await expect(host.readPairing(`monero-wallet:${address}`, 'mainnet')).rejects.toMatchObject({ code: 'not-a-pairing' });
  });

  it('that are not wallet codes are refused as that, and those of another network by its name', async () => {
    const { address, viewKey } = await someKeys('stagenet');
    const stagenet = makeWalletUri({ address, viewKey }, 'stagenet');
    await expect(read(stagenet)).rejects.toMatchObject({ code: 'wrong-network' });
    await expect(host.readPairing(stagenet, 'mainnet')).rejects.toMatchObject({ code: 'wrong-network' });
    for (const text of [
      '',
      'monero:4abc',
      'monero-wallet:',
      'a word',
      '1 2 3 4 5 6 7 8 9 10 11 12 13',
      'word '.repeat(2_000),
      `${'w'.repeat(400)} `.repeat(12),
    ])
      await expect(read(text)).rejects.toMatchObject({ code: 'not-a-wallet-code' });
  });
});
