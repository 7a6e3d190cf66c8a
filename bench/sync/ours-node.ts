import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreWallet } from 'nightjar';
import { createNodeScanPool, FileJournalStore } from 'nightjar/node';
import { gateAt } from './gate-client.ts';
import { cpuSeconds, forgetPeak, peakMegabytes, residentMegabytes } from './process.ts';

/**
 * One whole sync of ours in a separate process, with the built library: `ours-node.ts <daemon url> <scan workers> <spend key> <view key>`, with
 * `--expose-gc`. Prints wall and CPU seconds, the peak of resident megabytes over the idle process, and the balance found, on one line. Time begins
 * with the first request for blocks, when the lookahead is ready, as the reference wallet's is before it refreshes. Idle is the process with the
 * library loaded, before there is a wallet; memory left behind by the password hash is collected first.
 */
const [url = '', width = '1', spendKey = '', viewKey = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'nightjar-bench-'));
const idle = residentMegabytes(process.pid);
const wallet = await restoreWallet({
  store: new FileJournalStore(folder),
  scanPool: () => createNodeScanPool(Number(width)),
  name: 'bench',
  password: 'bench',
  network: 'regtest',
  from: { spendKey, viewKey },
  scanFrom: { height: 0 },
});

const gate = gateAt(url);
await gate.hold();
await wallet.setDaemon({ url, trusted: false });
await gate.asked();
gc?.();
forgetPeak(process.pid);
const cpuBefore = cpuSeconds(process.pid);
const began = performance.now();
await gate.go();
await wallet.waitUntilSynced();
const wall = (performance.now() - began) / 1000;
const cpu = cpuSeconds(process.pid) - cpuBefore;
const memory = peakMegabytes(process.pid) - idle;
const { balance } = await wallet.view();
console.log([wall, cpu, memory, balance.total].join(' '));
await wallet.close();
rmSync(folder, { recursive: true });
process.exit(0);
