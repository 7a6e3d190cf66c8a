// A wallet in a separate process, to be killed: syncs in small steps, writes notes, pays itself, and prints what was acknowledged.
// wallet-child.ts <folder> <daemon URL> <round>

import { toAtomicAmount } from '../../src/protocol/model.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { environment } from '../../src/wallet/environment.ts';
import { SpendError } from '../../src/wallet/spend/index.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from './inside.ts';

const [folder = '', url = '', round = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const sync = { pollEvery: 50, retryFirst: 10, retryMost: 50, blocksPerRequest: 4 };
const env = environment({ store: new FileJournalStore(folder), scanPool: createInlineScanPool, sync });
const wallet = await Wallet.open(env, 'killed', 'pw');
say(`height ${inside(wallet).state.height}`);
await wallet.subscribe(({ sync: { height } }) => say(`height ${height}`));
await wallet.setDaemon({ url, trusted: false });

async function writeNotes(): Promise<never> {
  for (let i = 0; ; i++) {
    const txHash = `${round}${i}`.padStart(64, '0');
    await wallet.notes.write([{ txHash: txHash, note: `note ${i}` }]);
    say(`noted ${txHash}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function payMyself(): Promise<never> {
  await wallet.waitUntilSynced();
  const { primaryAddress } = await wallet.view();
  for (;;) {
    const destinations = [{ address: primaryAddress, amount: toAtomicAmount(1_000_000_000n) }];
    try {
      const prepared = await wallet.payments.prepareTransfer({ destinations, account: 0, priority: 1, acceptHighFee: true });
      for (const hash of await wallet.payments.send(prepared.id)) say(`sent ${hash}`);
    } catch (error) {
      if (!(error instanceof SpendError) || !LOCKED.has(error.code)) throw error;
      const height = inside(wallet).state.height;
      say('poor');
      await risenAbove(height);
    }
  }
}

/** All of the wallet's money is pending change: more blocks will unlock it. */
const LOCKED: ReadonlySet<string> = new Set([
  'not-enough-money',
  'not-enough-unlocked-money',
  'not-possible',
  'no-unlocked-outputs',
]);

function risenAbove(height: number): Promise<void> {
  return new Promise((resolve, reject) => {
    wallet.subscribe(({ sync }) => void (sync.height > height && resolve())).catch(reject);
  });
}

await Promise.all([
  writeNotes(),
  payMyself().catch((error: unknown) => say(`paying ended: ${error instanceof Error ? error.message : error}`)),
]);
