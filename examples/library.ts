// Open or restore a wallet, bring it to a daemon's tip, show its balance and pay.
// node --import tsx examples/library.ts <daemon URL> <folder> <network> <25 words> [address amount]
// Installed as a package, the two modules below are `nightjar` and `nightjar/node`.
import { formatAmount, type Network, openWallet, parseAmount, restoreWallet, StorageError } from '../src/index.ts';
import { FileJournalStore } from '../src/node.ts';

const [url = '', folder = '', network = 'mainnet', seed = '', address, amount] = process.argv.slice(2);
const place = { store: new FileJournalStore(folder), name: 'example', password: 'correct horse battery staple' };

const wallet = await openWallet(place).catch((error: unknown) => {
  if (!(error instanceof StorageError) || error.code !== 'not-found') throw error;
  return restoreWallet({ ...place, network: network as Network, from: { seed }, scanFrom: { height: 0 } });
});

await wallet.subscribe(({ sync }) => console.log(`${sync.phase}: ${sync.height} of ${sync.daemonHeight ?? '?'}`));
await wallet.setDaemon({ url, trusted: false });
await wallet.waitUntilSynced();

const { primaryAddress, balance } = await wallet.view();
console.log(`address ${primaryAddress}`);
console.log(`balance ${formatAmount(balance.total)}, of it unlocked ${formatAmount(balance.unlocked)}`);

if (address !== undefined && amount !== undefined) {
  const destinations = [{ address, amount: parseAmount(amount) }];
  const transfer = await wallet.payments.prepareTransfer({ destinations, account: 0, priority: 0 });
  console.log(`fee ${formatAmount(transfer.totalFee)}`);
  console.log(`sent ${(await wallet.payments.send(transfer.id)).join(' ')}`);
}
await wallet.close();
