import { DaemonClient } from '../../src/daemon/index.ts';
import { genesisIdOf } from '../../src/wallet/sync/genesis.ts';

/** Seconds to fetch every block of a daemon in the wallet's way, only counting them. */
export async function downloadSeconds(url: string): Promise<number> {
  const daemon = DaemonClient.connect({ url });
  const began = performance.now();
  let next = 0;
  for (let tip = 1; next < tip; ) {
    const from = next === 0 ? { blockIds: [genesisIdOf('regtest')] } : { startHeight: next };
    const { outline, tip: claimed } = await daemon.getBlocks({ ...from, prune: true });
    next = outline.startHeight + outline.blocks;
    tip = claimed.acceptUnverified('claimed-tip');
  }
  return (performance.now() - began) / 1000;
}
