import type { Unlock, WalletView } from '../../wallet/index.ts';
import { writeAmount, writeDate, writeFacts } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { blocksToTime } from './sync.ts';

type Network = WalletView['network'];

/** When coins can be spent: in so many minutes, at a day, or, on a test chain, which keeps its own time, in so many blocks. */
export function unlockText({ blocks, time }: Unlock, network: Network): string {
  if (time !== undefined) return m.unlock_at({ date: writeDate(time * 1000, 'dayWithYear') });
  return network === 'regtest' ? m.unlock_in_blocks({ count: blocks }) : m.unlock_in({ time: blocksToTime(blocks) });
}

/**
 * When what is locked can be spent: all of it at once, or how much comes next and when that is all. Empty where nothing waits.
 * @param exact with the next amount; without it where amounts are hidden
 */
export function unlocksText({ network, balance }: Pick<WalletView, 'network' | 'balance'>, exact: boolean): string {
  const [next] = balance.unlocks;
  const last = balance.unlocks.at(-1);
  if (next === undefined || last === undefined) return '';
  const when = unlockText(next, network);
  if (next === last) return m.unlock_free({ when });
  const first = exact ? m.unlock_next({ amount: writeAmount(next.amount), when }) : when;
  return writeFacts(first, m.unlock_all({ when: unlockText(last, network) }));
}
