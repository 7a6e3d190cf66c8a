import type { Unlock, WalletView } from '../../wallet/index.ts';
import { writeAmount, writeDate } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { blocksToTime } from './sync.ts';

/**
 * When what is locked can be spent: how much comes next, and when that is all, where there is more to wait for. Empty where nothing waits.
 * @param exact with the amount; without it where amounts are hidden
 */
export function unlocksText({ network, balance }: Pick<WalletView, 'network' | 'balance'>, exact: boolean): string {
  const [next] = balance.unlocks;
  const last = balance.unlocks.at(-1);
  if (next === undefined || last === undefined) return '';
  const amount = writeAmount(next.amount);
  // Where all comes at once, how much that is stands beside it.
  const named = exact && next !== last;
  // A test chain keeps its own time.
  if (network === 'regtest' && next.time === undefined) {
    const blocks = m.home_unlocks_blocks({ blocks: next.blocks });
    return named ? `${amount} · ${blocks}` : blocks;
  }
  const when = ({ blocks, time }: Unlock): string =>
    time === undefined
      ? m.unlock_in({ time: blocksToTime(blocks) })
      : m.unlock_at({ date: writeDate(time * 1000, 'dayWithYear') });
  const first = exact ? m.unlock_next({ amount, when: when(next) }) : when(next);
  return next === last ? first : `${first} · ${m.unlock_all({ when: when(last) })}`;
}
