import type { Log } from '../../base/index.ts';
import type { Wallet } from '../../wallet/index.ts';

/** Blocks between two lines about a long sync. */
const STRIDE = 1000;

/** Logs a wallet's events: its daemon's connection, and the progress of the scan. Ends with the wallet. */
export function logWallet(wallet: Wallet, log: Log): void {
  let before = '';
  let logged = 0;
  wallet.watch(() => {
    const { phase, height, daemonHeight, error } = wallet.sync;
    const state = `${phase} ${error?.code ?? ''}`;
    if (state !== before && error !== undefined) {
      log(phase === 'stopped' ? 'ERROR' : 'WARNING', 'wallet.wallet2', `Refresh: ${phase}: ${error.code}: ${error.message}`);
    } else if (state !== before) {
      log('INFO', 'wallet.wallet2', `Refresh: ${phase}, at block ${height} of ${daemonHeight ?? 'an unknown height'}`);
    } else if (Math.abs(height - logged) >= STRIDE || (phase === 'live' && height !== logged)) {
      log('INFO', 'wallet.wallet2', `Processed blocks up to ${height} of ${daemonHeight ?? height}`);
    } else return;
    before = state;
    logged = height;
  });
}
