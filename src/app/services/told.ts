import type { HistoryEntry } from '../../wallet/api.ts';
import { m } from '../paraglide/messages.js';

/** What an entry is, and what the wallet has more or less for it. */
export interface Told {
  readonly kind: string;
  readonly sign: '+' | '−';
  /** Atomic units. */
  readonly amount: bigint;
}

/** An entry as it is told. A payment that came back whole cost its fee. */
export function tellEntry({ direction, amount, fee }: HistoryEntry): Told {
  if (direction !== 'out') return { kind: direction === 'mined' ? m.history_mined() : m.history_received(), sign: '+', amount };
  if (amount === 0n && fee !== undefined) return { kind: m.history_sent_home(), sign: '−', amount: fee };
  return { kind: m.history_sent(), sign: '−', amount };
}
