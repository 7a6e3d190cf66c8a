import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToWalletRpc } from 'monero-ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveDay, type Outcome, type Plan } from '../support/client/day.ts';
import { STEPS } from '../support/client/steps.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';

// A client that no one here wrote, monero-ts, does a day's work with monero-wallet-rpc and then the same day with ours: the same
// seed, and the chain taken back to where it was in between. What it cannot do with the reference is no measure of ours.

const USER = 'till';
const PASSWORD = 'a pass word';

let folder: string;
let daemon: Monerod;
let reference: MoneroWalletRpc;
let ours: NightjarService;
let withReference: ReadonlyMap<string, Outcome>;
let withOurs: ReadonlyMap<string, Outcome>;

/** A seed with mined coins that are old enough to spend, and an address to pay. */
async function prepare(): Promise<Pick<Plan, 'seed' | 'stranger'>> {
  const maker = await startWalletRpc();
  try {
    const stranger = await maker.createWallet('stranger');
    const address = await maker.createWallet('day');
    const seed = await maker.seed();
    await daemon.generateBlocks(12, address);
    for (let mined = 0; mined < 400; mined += 40) await daemon.generateBlocks(40, stranger);
    return { seed, stranger };
  } finally {
    await maker.stop();
  }
}

async function dayWith(plan: Plan): Promise<ReadonlyMap<string, Outcome>> {
  const wallet = await connectToWalletRpc({ uri: plan.url, username: plan.user, password: plan.password });
  return liveDay({ ...plan, wallet, fees: 0n, hashes: new Map() }, STEPS);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-client-'));
  daemon = await startMonerod();
  const base = { ...(await prepare()), user: USER, password: PASSWORD, daemon };
  const height = await daemon.height();
  reference = await startWalletRpc({ daemon: daemon.url, login: `${USER}:${PASSWORD}` });
  withReference = await dayWith({ ...base, url: reference.url });
  await daemon.popBlocks((await daemon.height()) - height);
  await daemon.flushPool();
  const flags = ['--wallet-dir', folder, '--daemon-address', daemon.url.replace('http://', ''), '--trusted-daemon'];
  ours = await startWalletService([...flags, '--rpc-login', `${USER}:${PASSWORD}`]);
  withOurs = await dayWith({ ...base, url: ours.url });
}, 900_000);

afterAll(async () => {
  await reference?.stop();
  await ours?.kill();
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("monero-ts's day with ours, beside its day with monero-wallet-rpc", () => {
  it.each(STEPS.map(([name]) => name))('%s', (name) => {
    const measure = withReference.get(name);
    const outcome = withOurs.get(name);
    if (measure !== undefined && 'done' in measure) expect(outcome).toEqual(measure);
    else expect(outcome).toBeDefined();
  });

  it('misses little with the reference', () => {
    const missed = [...withReference].filter(([, outcome]) => 'failed' in outcome).map(([name]) => name);
    expect(missed.length, missed.join(', ')).toBeLessThan(5);
  });

  it('ends our service when it asks for that', async () => {
    expect(await ours.ended).toBe(0);
  });
});
