import { openWallet } from 'nightjar';
import { FileJournalStore } from 'nightjar/node';

/** A separate process: `unlock-node.ts <folder> <name> <password>`. Prints milliseconds from the password to the balance, and the balance. */
const [folder = '', name = '', password = ''] = process.argv.slice(2);
const began = performance.now();
const wallet = await openWallet({ store: new FileJournalStore(folder), name, password });
const { balance } = await wallet.view();
console.log(`${performance.now() - began} ${balance.total}`);
await wallet.close();
process.exit(0);
