import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { SPENDABLE_AGE } from '../../src/protocol/rewards.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { type NewWallet, newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import {
  AddressWriter,
  AttributeWriter,
  BookWriter,
  type Call,
  callerOf,
  FileWriter,
  NoteWriter,
  PaymentWriter,
  type Writer,
} from '../support/kill/writers.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { RpcFailure } from '../support/rpc.ts';
import { expectNothingLost } from '../support/settled.ts';

// Clients write to a running service at once, and it is killed: eight times, at instants of the chance. Whoever had a reply finds
// what was written; what had none is there whole or not at all.

const SEED = Number(process.env.KILL_SEED ?? 1);
const ROUNDS = 8;
/** Every so many rounds it is wallets that are made, not one that is written to. */
const FILES_EVERY = 4;
/** Longest time from the reply that decides it to the end, milliseconds: less than a payment takes. */
const LIFETIME = 300;
const NAME = 'killed';
const PASSWORD = 'pw';

let folder: string;
let devnet: ServedDevnet;
let made: NewWallet;
let address: string;
let service: NightjarService;

const start = (): Promise<NightjarService> => {
  const flags = ['--wallet-dir', folder, '--disable-rpc-login', '--max-concurrency', '1'];
  return startWalletService([...flags, '--daemon-address', devnet.url.replace('http://', ''), '--trusted-daemon']);
};

const mine = (blocks: number): void => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(devnet.minerWallet);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-kill-'));
  devnet = await serveDevnet({ history: { blocks: 220, transactions: 0 } });
  made = await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });
  const [created] = made.first;
  if (created?.type !== 'Created') throw new Error('expected a first event');
  address = created.wallet.primaryAddress;
  for (let i = 0; i < 8; i++) {
    devnet.faucet.give(address);
    mine(1);
  }
  mine(20);
  service = await start();
  const seed = await wordsOf(made.secrets);
  await callerOf(service.url)('restore_deterministic_wallet', { filename: NAME, password: PASSWORD, seed });
});

afterAll(async () => {
  await service?.kill();
  await devnet?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Ids of all transactions since a height, mined or not: nobody but the wallet sends any. */
function sentSince(height: number): readonly string[] {
  const { chain, pool } = devnet.node;
  const ids = pool.visible.map((entry) => entry.id);
  for (let at = height; at < chain.height; at++) ids.push(...chain.blockAt(at)!.transactions.map((tx) => tx.id));
  return ids;
}

/** All write until the service is killed, a while of the chance after the `replies`th reply to one of them. */
async function killedWhileWriting(
  writers: readonly Writer[],
  decider: Writer,
  replies: number,
  sampler: TestSampler,
): Promise<void> {
  const call = callerOf(service.url);
  let left = replies;
  const write = async (writer: Writer) => {
    try {
      for (;;) {
        await writer.write(call);
        if (writer !== decider) continue;
        left -= 1;
        if (left === 0) setTimeout(() => service.child.kill('SIGKILL'), sampler.below(LIFETIME));
      }
    } catch (error) {
      // An error that the service answered with is no kill.
      if (error instanceof RpcFailure) throw error;
    }
  };
  await Promise.all(writers.map(write));
  expect(await service.ended).toBe('SIGKILL');
}

async function openKilled(): Promise<Call> {
  const call = callerOf(service.url);
  await call('open_wallet', { filename: NAME, password: PASSWORD });
  return call;
}

describe('kill -9 of the service', () => {
  it(`loses nothing that was acknowledged, in ${ROUNDS} kills`, async () => {
    const sampler = new TestSampler(SEED);
    const begun = devnet.node.chain.height;
    const payments = new PaymentWriter(
      devnet.minerWallet.address,
      () => sentSince(begun),
      () => mine(1),
      () => mine(SPENDABLE_AGE),
    );
    const writers = [new AttributeWriter(), new NoteWriter(), new AddressWriter(sampler), new BookWriter(address), payments];
    const files = new FileWriter();
    for (const writer of writers) await writer.check(callerOf(service.url));
    for (let round = 1; round <= ROUNDS; round++) {
      const next = start();
      const makesFiles = round % FILES_EVERY === 0;
      if (makesFiles) await killedWhileWriting([files], files, sampler.between(1, 2), sampler);
      else if (round % 2 === 0) await killedWhileWriting(writers, payments, 1, sampler);
      else await killedWhileWriting(writers, writers[0]!, sampler.between(1, 60), sampler);
      service = await next;
      if (makesFiles) await files.check(callerOf(service.url));
      const call = await openKilled();
      for (const writer of writers) await writer.check(call);
    }
    await service.kill();
    const counts = [...writers, files].map(({ acknowledged }) => acknowledged);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
    const sync = { pollEvery: 60_000, retryFirst: 10, retryMost: 50 };
    const env = environment({ store: new FileJournalStore(folder), scanPool: createInlineScanPool, sync });
    await expectNothingLost(env, devnet, { name: NAME, password: PASSWORD, made });
  });
});
