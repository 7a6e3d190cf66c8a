import { WalletError } from '../errors.ts';
import type { Journal } from '../ports.ts';
import { applyEvent, firstState } from '../state/fold.ts';
import type { WalletState } from '../state/state.ts';

/** The state after all events of a journal, and the number of its records. @throws WalletError `bad-event`, `newer-version` */
export async function readJournal(
  journal: Pick<Journal, 'read'>,
): Promise<{ readonly state: WalletState; readonly records: number }> {
  let state: WalletState | undefined;
  let records = 0;
  for await (const event of journal.read()) {
    if (state === undefined) state = firstState(event);
    else applyEvent(state, event);
    records += 1;
  }
  if (state === undefined) throw new WalletError('bad-event', 'expected a journal with at least the event Created');
  return { state, records };
}
