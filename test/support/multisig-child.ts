// A signer in a separate process, to be killed while it processes a round.
// multisig-child.ts <folder> <threshold, 0 after the first round> <messages of the others>…

import { createInlineScanPool } from '../../src/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';

const [folder = '', threshold = '', ...messages] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const env = environment({ store: new FileJournalStore(folder), scanPool: createInlineScanPool });
const wallet = await Wallet.open(env, 'signer', 'pw');
say('open');
if (threshold === '0') await wallet.multisig.exchange(messages);
else await wallet.multisig.make(messages, Number(threshold));
say('done');
await wallet.close();
