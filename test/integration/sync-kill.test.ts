import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { SPENDABLE_AGE } from '../../src/protocol/rewards.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { expectNothingLost } from '../support/settled.ts';

const CHEAP = { memory: 8, passes: 1, lanes: 1 };
const SYNC = { pollEvery: 60_000, retryFirst: 10, retryMost: 50 };
const NODE_ARGS = ['--import', 'tsx'];
/** Longest time from the word to the end, milliseconds. */
const LIFETIME = 900;

let devnet: ServedDevnet;
let folder: string;
const store = () => new FileJournalStore(folder, { kdf: CHEAP });
const env = () => environment({ store: store(), scanPool: createInlineScanPool, sync: SYNC });

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: 220, transactions: 0 } });
  folder = await mkdtemp(join(tmpdir(), 'nightjar-kill-'));
});

afterAll(async () => {
  await devnet?.stop();
  await rm(folder, { recursive: true, force: true });
});

const script = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Runs the wallet until it has said a word and a random time has passed, then kills it. Mines when it says it has sent. */
function killedRun(round: number, after: 'height' | 'sent'): Promise<string[]> {
  const child = spawn(process.execPath, [...NODE_ARGS, script('../support/wallet-child.ts'), folder, devnet.url, String(round)]);
  const lines: string[] = [];
  let errors = '';
  let rest = '';
  let armed = false;
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdout.on('data', (data) => {
    const parts = (rest + data).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      if (!armed && line.startsWith(after)) {
        armed = true;
        setTimeout(() => child.kill('SIGKILL'), (systemRandom.bytes(1)[0]! / 256) * LIFETIME);
      }
      lines.push(line);
      if (line.startsWith('sent ')) devnet.node.mine(devnet.minerWallet);
      if (line === 'poor') for (let i = 0; i < SPENDABLE_AGE; i++) devnet.node.mine(devnet.minerWallet);
      if (line.startsWith('paying ended')) {
        errors += line;
        child.kill();
      }
    }
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (_, signal) =>
      signal === 'SIGKILL' ? resolve(lines) : reject(new Error(`the wallet ended by itself: ${errors}`)),
    );
  });
}

const valuesOf = (lines: readonly string[], word: string): string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe('killed', () => {
  it('T16 at random instants of sync and sends, the wallet reopens with everything it had acknowledged', async () => {
    const made = await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });
    const wallet = await Wallet.create(env(), 'killed', 'pw', made);
    const { primaryAddress } = await wallet.view();
    await wallet.close();
    for (let i = 0; i < 6; i++) {
      devnet.faucet.give(primaryAddress);
      devnet.node.mine(devnet.minerWallet);
    }
    for (let i = 0; i < 70; i++) devnet.node.mine(devnet.minerWallet);
    const notes: string[] = [];
    const sent: string[] = [];
    for (let round = 1; round <= 7; round++) {
      const lines = await killedRun(round, round <= 4 ? 'height' : 'sent');
      notes.push(...valuesOf(lines, 'noted'));
      sent.push(...valuesOf(lines, 'sent'));
      const reopened = await Wallet.open(env(), 'killed', 'pw');
      const { state } = inside(reopened);
      const said = Math.max(...valuesOf(lines, 'height').map(Number));
      expect(state.height).toBeGreaterThanOrEqual(said);
      for (const note of notes) expect(state.notes.has(note as never)).toBe(true);
      for (const hash of sent) expect(state.sent.get(hash as never)?.tx.txKeys.length).toBeGreaterThan(0);
      await reopened.close();
    }
    expect(notes.length).toBeGreaterThan(10);
    expect(sent.length).toBeGreaterThan(0);

    await expectNothingLost(env(), devnet, { name: 'killed', password: 'pw', made });
  });
});

describe('the example of the library', () => {
  it('restores a wallet, follows it to the tip, shows its balance, pays, and opens it again', async () => {
    const made = await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });
    const [created] = made.first;
    if (created?.type !== 'Created') throw new Error('expected a first event');
    const address = created.wallet.primaryAddress;
    devnet.faucet.give(address);
    for (let i = 0; i < 11; i++) devnet.node.mine(devnet.minerWallet);
    const args = [devnet.url, join(folder, 'library'), 'regtest', await wordsOf(made.secrets)];
    const first = await example(args);
    expect(first).toContain(`address ${address}`);
    expect(first).toContain('balance 10.000000000000, of it unlocked 10.000000000000');
    const second = await example([...args, devnet.minerWallet.address, '1.5']);
    const hash = /^sent ([0-9a-f]{64})$/m.exec(second)?.[1];
    expect(devnet.node.pool.visible.map((entry) => entry.id)).toEqual([hash]);
  });
});

function example(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...NODE_ARGS, script('../../examples/library.ts'), ...args]);
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => (code === 0 ? resolve(output) : reject(new Error(output))));
  });
}
