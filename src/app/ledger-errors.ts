import type { DeviceErrorCode } from '../../workers/client.ts';
import { networkIn, type Texts, wordIn } from './errors.ts';
import { m } from './language/messages.ts';

/** Every state in which work with a Ledger can end, in words: what happened, and what to do. Fetched with what speaks to one. */
export const LEDGER_TEXTS: Texts<DeviceErrorCode> = {
  'not-found': m.err_ledger_not_found,
  'several-devices': m.err_ledger_several,
  'no-transport': m.err_ledger_no_transport,
  'not-permitted': m.err_ledger_not_permitted,
  'in-use': ({ tab, waiting }) => {
    if (waiting === true) return m.err_ledger_waiting();
    return tab === true ? m.err_ledger_other_tab() : m.err_ledger_in_use();
  },
  'bad-name': m.err_ledger_not_found,
  disconnected: m.err_ledger_disconnected,
  'timed-out': (data) => m.err_ledger_timed_out({ seconds: wordIn(data, 'seconds') }),
  locked: m.err_ledger_locked,
  'other-app': (data) =>
    data.app === undefined ? m.err_ledger_app_closed() : m.err_ledger_other_app({ app: wordIn(data, 'app') }),
  'app-too-old': (data) => m.err_ledger_old({ version: wordIn(data, 'version') }),
  'app-too-new': m.err_ledger_new,
  refused: m.err_ledger_refused,
  'wrong-device': m.err_wrong_device,
  'wrong-network': (data) => m.err_ledger_wrong_network({ network: networkIn(data) }),
  'bad-answer': m.err_ledger_bad_answer,
  'app-stopped': (data) => m.err_ledger_stopped({ status: wordIn(data, 'status') }),
  'not-possible': m.err_ledger_not_possible,
};
