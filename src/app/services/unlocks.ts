import type { Unlock, WalletView } from '../../wallet/index.ts';
import { writeAmount, writeDate } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { blocksToTime } from './sync.ts';

type Network = WalletView['network'];

/** When coins can be spent: in so many minutes, at a day, or, on a test chain, which keeps its own time, in so many blocks. */
export function unlockText({ blocks, time }: Unlock, network: Network): string {
  if (time !== undefined) return m.unlock_at({ date: writeDate(time * 1000, 'dayWithYear') });
  return network === 'regtest' ? m.unlock_in_blocks({ count: blocks }) : m.unlock_in({ time: blocksToTime(blocks) });
}

/**
 * When what is locked can be spent: how much comes next, and when that is all, where there is more to wait for. Empty where nothing waits.
 * @param exact with the amount; without it where amounts are hidden
 */
export function unlocksText({ network, balance }: Pick<WalletView, 'network' | 'balance'>, exact: boolean): string {
  const [next] = balance.unlocks;
  const last = balance.unlocks.at(-1);
  if (next === undefined || last === undefined) return '';
  const when = unlockText(next, network);
  const first = exact ? m.unlock_next({ amount: writeAmount(next.amount), when }) : when;
  return next === last ? first : `${first} · ${m.unlock_all({ when: unlockText(last, network) })}`;
}
