import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { newWallet } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { exchangeKeys, firstMessage, makeAccount, nextMessage } from '../../src/wallet/multisig/kex.ts';
import { decodeKexMessage } from '../../src/wallet/multisig/kex-message.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { secretsOf } from '../wallet/multisig/support.ts';

// A signer is killed while it takes a round: it is in the round before it or in the one after, whole, and goes on from there.

const CHEAP = { memory: 8, passes: 1, lanes: 1 };
const NODE_ARGS = ['--import', 'tsx'];
const CHILD = fileURLToPath(new URL('../support/multisig-child.ts', import.meta.url));
const KILLS = process.env.LONG === '1' ? 20 : 1;
/** Longest time from the word to the end, milliseconds: about what a round takes. */
const LIFETIME = 30;

let folder: string;

beforeAll(async () => {
  await loadCrypto();
  folder = await mkdtemp(join(tmpdir(), 'nightjar-multisig-kill-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const environmentOf = (place: string) =>
  environment({ store: new FileJournalStore(place, { kdf: CHEAP }), scanPool: createInlineScanPool });

/** Runs a round in a process that is killed soon after it has opened the wallet. Returns whether it said that the round was done. */
function killed(place: string, threshold: number, messages: readonly string[], lifetime: number): Promise<boolean> {
  const child = spawn(process.execPath, [...NODE_ARGS, CHILD, place, String(threshold), ...messages]);
  let output = '';
  let errors = '';
  let armed = false;
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdout.on('data', (data) => {
    output += data;
    if (!armed) setTimeout(() => child.kill('SIGKILL'), lifetime);
    armed = true;
  });
  return new Promise((resolve, reject) => {
    child.on('exit', () => (armed ? resolve(output.includes('done')) : reject(new Error(errors))));
  });
}

it('T16 crash: between rounds a signer is in one or the other', async () => {
  const sampler = new TestSampler(Number(process.env.KILL_SEED ?? 1));
  const home = join(folder, 'home');
  const start = await Wallet.create(
    environmentOf(home),
    'signer',
    'pw',
    await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  const first = await start.multisig.firstMessage();
  await start.close();
  const others = [0, 1].map(secretsOf);
  const told = others.map((secrets) => firstMessage(secrets, systemRandom));
  const but = (i: number, own: string) => [own, told[1 - i]!].map(decodeKexMessage);
  let accounts = others.map((secrets, i) => makeAccount(secrets, 2, but(i, first)));
  let messages = told;
  for (let round = 1; round <= 3; round++) {
    const threshold = round === 1 ? 2 : 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const place = join(folder, `${round} ${kill}`);
      await cp(home, place, { recursive: true });
      const done = await killed(place, threshold, messages, sampler.below(LIFETIME));
      const wallet = await Wallet.open(environmentOf(place), 'signer', 'pw');
      const reached = wallet.multisig.group?.round ?? 0;
      expect(done ? [round] : [round - 1, round]).toContain(reached);
      expect(inside(wallet).keys.spendKey === undefined).toBe(reached > 0);
      if (reached < round)
        await (threshold === 0 ? wallet.multisig.exchange(messages) : wallet.multisig.make(messages, threshold));
      expect(wallet.multisig.group).toMatchObject({ round, ready: round === 3 });
      expect(decodeKexMessage(await wallet.multisig.message()).keys).toHaveLength(2);
      await wallet.close();
    }
    const wallet = await Wallet.open(environmentOf(home), 'signer', 'pw');
    const result = threshold === 0 ? await wallet.multisig.exchange(messages) : await wallet.multisig.make(messages, threshold);
    await wallet.close();
    messages = accounts.map((account) => nextMessage(account, systemRandom));
    const heard = [result.message, ...messages].map(decodeKexMessage);
    if (round < 3) accounts = accounts.map((account) => exchangeKeys(account, heard));
  }
});
