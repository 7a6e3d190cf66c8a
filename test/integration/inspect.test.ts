import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { createSiteServer } from '../../src/cli/http/server.ts';
import { devnetUpstream } from '../../src/cli/http/upstream.ts';
import { type Devnet, openDevnet } from '../../src/devnet/index.ts';
import { createWallet, parseAmount, toAtomicAmount, type Wallet } from '../../src/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { collect } from '../storage/samples.ts';
import { CLI } from '../support/nightjar.ts';

// `nightjar inspect` on the file of a wallet that received, paid, took notes and gave names.

const PASSWORD = 'pä"ss\\wörd';
const LABEL = 'rent of the blue house';
const NOTE = 'for the owl in the garden';
const CONTACT = 'grandmother in Ghent';
const COST = { memory: 8, passes: 1, lanes: 1 };

let folder: string;
let devnet: Devnet;
let server: Server;
let wallet: Wallet;
let words: readonly string[];
let sent: readonly string[];
/** What the journal holds, read past the seals. */
let events: readonly WalletEvent[];
let keys: readonly string[];

const store = () => new FileJournalStore(folder, { kdf: COST });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-inspect-'));
  writeFileSync(join(folder, 'password'), `${PASSWORD}\n`, { mode: 0o600 });
  devnet = await openDevnet({ blockTime: 0.3, history: { blocks: 300, transactions: 4 } });
  server = createSiteServer({ network: 'regtest', regtest: true, upstream: devnetUpstream(devnet.rpc), faucet: devnet.faucet });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  wallet = await createWallet({ store: store(), name: 'did all', password: PASSWORD, network: 'regtest' });
  words = (await wallet.secrets.words()).split(' ');
  await wallet.setDaemon({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/daemon`, trusted: false });
  await wallet.waitUntilSynced();
  devnet.faucet.give((await wallet.view()).primaryAddress);
  await new Promise<void>((resolve, reject) => {
    wallet.subscribe(({ balance }) => void (balance.unlocked > 0n && resolve())).catch(reject);
  });
  await wallet.addresses.make(0, LABEL);
  const destinations = [{ address: devnet.minerWallet.address, amount: toAtomicAmount(parseAmount('1.2345')) }];
  sent = await wallet.payments.send((await wallet.payments.prepareTransfer({ destinations, account: 0, priority: 1 })).id);
  await wallet.notes.write([{ txHash: sent[0]!, note: NOTE }]);
  await wallet.saveContact({ address: devnet.minerWallet.address, description: CONTACT });
  await wallet.close();
  const journal = await store().open('did all', PASSWORD);
  keys = [journal.secrets.viewKey, journal.secrets.spendKey!].map(bytesToHex);
  events = await collect(journal.read());
  await journal.close();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  devnet.close();
  rmSync(folder, { recursive: true, force: true });
});

function inspect(name: string, ...more: string[]): { readonly status: number | null; readonly text: string } {
  const flags = ['--password-file', join(folder, 'password'), ...more];
  const args = [...CLI, 'inspect', join(folder, name), ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

/** All that lies in events under one of these names, as text. */
function held(names: readonly string[]): string[] {
  const found: string[] = [];
  const walk = (value: unknown, wanted: boolean): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, wanted);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) walk(each, names.includes(name));
    else if (wanted && value !== undefined) found.push(String(value));
  };
  walk(events, false);
  return found;
}

/** Of long runs of hex digits, hashes of transactions and blocks are told, and ids of contacts. */
function expectOnlyHashes(text: string): void {
  const known = new Set(held(['txHash', 'parent', 'id']));
  for (const [digits] of text.matchAll(/[0-9a-f]{16,}/g)) expect(known).toContain(digits);
}

describe('a journal laid open', () => {
  it('tells records, kinds, heights and hashes in their order', () => {
    const { status, text } = inspect('did all');
    expect(status).toBe(0);
    expect(text).toMatch(/^full wallet of regtest, \d+ bytes, \d+ records\n/);
    for (const kind of ['Created', 'Synced', 'RingsChosen', 'TransactionBuilt', 'TransactionAccepted', 'Noted', 'ContactSet'])
      expect(text).toContain(`\n  ${kind} `);
    const told = [...text.matchAll(/^ {2}(\w+) /gm)].map(([, kind]) => kind);
    expect(told.filter((kind) => /^[A-Z]/.test(kind!))).toEqual(events.map(({ type }) => type));
    expect(text).toContain(sent[0]);
    expect(text).toMatch(/the end is whole\n$/);
  });

  it('T17 tells no secret, and nothing that the person wrote', () => {
    const { text } = inspect('did all');
    const secrets = [...held(['txKeys', 'mask', 'blob', 'value', 'txPublicKey', 'key']), ...keys, PASSWORD, words.join(' ')];
    expect(held(['txKeys']).length).toBeGreaterThan(0);
    expect(held(['mask']).length).toBeGreaterThan(0);
    const known = new Set(events.flatMap((event) => (event.type === 'AttributeSet' ? [event.key, ''] : [''])));
    for (const secret of secrets.filter((each) => !known.has(each) && each.length > 2)) expect(text).not.toContain(secret);
    for (const address of held(['address', 'primaryAddress'])) expect(text).not.toContain(address);
    for (const written of [LABEL, NOTE, CONTACT]) expect(text).not.toContain(written);
    // Ring members show which output is spent; amounts, what somebody owns.
    for (const [line] of text.matchAll(/^.*RingsChosen.*$/gm))
      expect(line).toMatch(/^ {2}RingsChosen 1 ring: \d+ asked, \d+ chosen$/);
    expect(text).not.toContain('1.2345');
    expectOnlyHashes(text);
  });

  it('tells names and amounts where that is asked for, and still no secret', () => {
    const { text } = inspect('did all.nightjar', '--labels', '--amounts');
    for (const written of [LABEL, NOTE, CONTACT, '1.2345']) expect(text).toContain(written);
    expectOnlyHashes(text);
  });

  it('inspects an open wallet and leaves no trace', async () => {
    const journal = await store().open('did all', PASSWORD);
    const before = readFileSync(join(folder, 'did all.nightjar'));
    expect(inspect('did all').status).toBe(0);
    expect(readFileSync(join(folder, 'did all.nightjar'))).toEqual(before);
    await journal.close();
  });

  it('says damage, a tail that was cut, and a wrong password', () => {
    const whole = readFileSync(join(folder, 'did all.nightjar'));
    writeFileSync(join(folder, 'cut.nightjar'), whole.subarray(0, whole.length - 7));
    expect(inspect('cut')).toMatchObject({ status: 0, text: expect.stringMatching(/a tail of \d+ bytes is cut short/) });
    const bad = Buffer.from(whole);
    bad[bad.length - 30]! ^= 1;
    writeFileSync(join(folder, 'bad.nightjar'), bad);
    const { status, text } = inspect('bad');
    expect(status).toBe(0);
    expect(text).toMatch(/^record 0, /m);
    expect(text).toMatch(/\ndamaged: record \d+ of the wallet is damaged/);
    writeFileSync(join(folder, 'password'), 'another\n');
    expect(inspect('did all')).toEqual({ status: 1, text: 'nightjar: this password does not open the wallet\n' });
    expect(inspect('none').text).toMatch(/^nightjar: there is no wallet .*none\.nightjar\n$/);
  });
});
