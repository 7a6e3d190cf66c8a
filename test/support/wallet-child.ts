// A wallet in a process of its own, to be killed: syncs in small steps, writes notes, pays itself, and says what it was told is safe.
// wallet-child.ts <folder> <daemon URL> <round>
import { toAtomicAmount } from '../../src/protocol/model.ts';
import { createInlineScanPool } from '../../src/protocol/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';

const [folder = '', url = '', round = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const sync = { pollEvery: 50, retryFirst: 10, retryMost: 50, blocksPerRequest: 4 };
const env = environment({ store: new FileJournalStore(folder), scanPool: createInlineScanPool, sync });
const wallet = await Wallet.open(env, 'killed', 'pw');
say(`height ${wallet.state.height}`);
await wallet.subscribe(({ sync: { height } }) => say(`height ${height}`));
await wallet.setDaemon({ url, trusted: false });

async function writeNotes(): Promise<never> {
  for (let i = 0; ; i++) {
    const txHash = `${round}${i}`.padStart(64, '0');
    await wallet.note(txHash, `note ${i}`);
    say(`noted ${txHash}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function payMyself(): Promise<never> {
  await wallet.synced();
  const { primaryAddress } = await wallet.view();
  for (;;) {
    const destinations = [{ address: primaryAddress, amount: toAtomicAmount(1_000_000_000n) }];
    const prepared = await wallet.prepareTransfer({ destinations, account: 0, priority: 1, acceptHighFee: true });
    for (const hash of await wallet.send(prepared.id)) say(`sent ${hash}`);
  }
}

await Promise.all([
  writeNotes(),
  payMyself().catch((error: unknown) => say(`paying ended: ${error instanceof Error ? error.message : error}`)),
]);
