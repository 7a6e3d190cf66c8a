import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { startWalletRpc } from '../../test/support/programs.ts';
import { recipient, recipientAddress } from './chain.ts';
import { cpuSeconds } from './process.ts';

/** One whole sync: wall seconds, CPU seconds of the scanning process, and the balance found. */
export interface SyncRun {
  readonly wall: number;
  readonly cpu: number;
  readonly total: bigint;
}

/** monero-wallet-rpc's `refresh` from height 0, timed from the call to its reply. */
export async function nativeSync(daemon: string, tipHeight: number, oneThread: boolean): Promise<SyncRun> {
  await loadCrypto();
  const wallet = await startWalletRpc({ daemon, extraArgs: oneThread ? ['--max-concurrency', '1'] : [] });
  try {
    const { spendKey, viewKey } = recipient();
    await wallet.restoreFromKeys('bench', {
      address: recipientAddress(),
      viewKey: bytesToHex(viewKey),
      spendKey: bytesToHex(spendKey),
      restoreHeight: 0,
    });
    const cpuBefore = cpuSeconds(wallet.pid);
    const began = performance.now();
    await wallet.rpc('refresh', { start_height: 0 }, { timeout: 600_000 });
    const wall = (performance.now() - began) / 1000;
    const cpu = cpuSeconds(wallet.pid) - cpuBefore;
    const height = await wallet.height();
    if (height !== tipHeight) throw new Error(`the reference wallet stopped at ${height} of ${tipHeight}`);
    return { wall, cpu, total: (await wallet.balance()).total };
  } finally {
    await wallet.stop();
  }
}
