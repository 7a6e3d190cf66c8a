import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToWalletRpc } from 'monero-ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, quickReference } from '../support/child.ts';
import { liveDay, type Outcome, type Plan } from '../support/client/day.ts';
import { STEPS } from '../support/client/steps.ts';
import { CLI } from '../support/nightjar.ts';
import { MINER_ADDRESS } from '../support/premined.ts';
import { type Monerod, startMonerod, startWalletRpc } from '../support/programs.ts';

// A client that no one here wrote, monero-ts, starts monero-wallet-rpc by its command, does a day's work with it, and then the same day
// with ours: the same seed, and the chain taken back to where it was in between. What it cannot do with the reference is no measure. That is
// the one of release 0.18.0.0: amounts, which this client sends as texts, are refused by the build of 0.18.5.3 that tests have.

const USER = 'till';
const PASSWORD = 'a pass word';

let folder: string;
let daemon: Monerod;
const started: ChildProcess[] = [];
let withReference: ReadonlyMap<string, Outcome>;
let withOurs: ReadonlyMap<string, Outcome>;

/** A seed with mined coins that are old enough to spend, and an address to pay. */
async function prepare(): Promise<Pick<Plan, 'seed' | 'stranger'>> {
  const maker = await startWalletRpc();
  try {
    const address = await maker.createWallet('day');
    const seed = await maker.seed();
    await daemon.generateBlocks(12, address);
    for (let mined = 0; mined < 80; mined += 40) await daemon.generateBlocks(40, MINER_ADDRESS);
    return { seed, stranger: MINER_ADDRESS };
  } finally {
    await maker.stop();
  }
}

/** @param program started by the client itself, which waits for what it prints */
async function dayWith(plan: Omit<Plan, 'url'>, program: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
  const wallets = mkdtempSync(join(folder, 'wallets-'));
  const where = ['--rpc-bind-port', String(await freePort()), '--wallet-dir', wallets, '--rpc-login', `${USER}:${PASSWORD}`];
  const reached = ['--daemon-address', plan.daemon.url.replace('http://', ''), '--trusted-daemon'];
  const log = ['--log-file', join(wallets, 'log')];
  const wallet = await connectToWalletRpc([...program, ...where, ...reached, ...log]);
  started.push(wallet.getProcess());
  const uri = wallet.getRpcConnection()?.getConfig().uri;
  return liveDay({ ...plan, url: String(uri), wallet, fees: 0n, hashes: new Map() }, STEPS);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-client-'));
  daemon = await startMonerod({ premined: true });
  const base = { ...(await prepare()), user: USER, password: PASSWORD, daemon };
  const height = await daemon.height();
  withReference = await dayWith(base, quickReference('monero-wallet-rpc', '0.18.0.0'));
  await daemon.popBlocks((await daemon.height()) - height);
  await daemon.flushPool();
  withOurs = await dayWith(base, [process.execPath, ...CLI, 'wallet-rpc']);
}, 900_000);

afterAll(async () => {
  for (const program of started) program.kill('SIGKILL');
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What release 0.18.5.3 answers in other words, and ours with it. */
const SINCE: Readonly<Record<string, unknown>> = {
  version: { isRelease: false, number: 65_568 },
  'a wallet that is not there': {
    code: -1,
    message: expect.stringMatching(/^Failed to open wallet : file not found ".*\/nobody\.keys"$/),
  },
  'another password': expect.arrayContaining([{ code: -1, message: 'Failed to open wallet : Invalid password.' }]),
};

describe("monero-ts's day with ours, beside its day with monero-wallet-rpc", () => {
  it.each(STEPS.map(([name]) => name))('%s', (name) => {
    const measure = withReference.get(name);
    const outcome = withOurs.get(name);
    if (name in SINCE) expect(outcome).toEqual({ done: SINCE[name] });
    else if (measure !== undefined && 'done' in measure) expect(outcome).toEqual(measure);
    else expect(outcome).toBeDefined();
  });

  it('misses little with the reference', () => {
    const missed = [...withReference].filter(([, outcome]) => 'failed' in outcome).map(([name]) => name);
    expect(missed.length, missed.join(', ')).toBeLessThan(5);
  });

  it('ends our service when it asks for that', async () => {
    const ours = started[1]!;
    if (ours.exitCode === null) await once(ours, 'exit');
    expect(ours.exitCode).toBe(0);
  });
});
