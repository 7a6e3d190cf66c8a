import type { DevnetNode } from '../../devnet/index.ts';
import type { Notify } from '../notify.ts';

/** Runs the programs of `--block-notify` and `--reorg-notify` on events (cryptonote_core.cpp, blockchain.cpp). */
export function runNotifyPrograms(node: DevnetNode, onBlock: Notify | undefined, onReorganisation: Notify | undefined): void {
  node.subscribe((event) => {
    if (event.type === 'block') onBlock?.({ '%s': event.block.id });
    if (event.type !== 'reorganised') return;
    const { height, came, left } = event;
    onReorganisation?.({ '%s': `${height}`, '%h': `${height + came}`, '%n': `${came}`, '%d': `${left}` });
  });
}
