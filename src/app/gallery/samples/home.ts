import DraftLink from '../../components/DraftLink.svelte';
import FiatValue from '../../components/FiatValue.svelte';
import HomeTasks from '../../components/HomeTasks.svelte';
import HistoryFilters from '../../components/history/HistoryFilters.svelte';
import HistoryTable from '../../components/history/HistoryTable.svelte';
import BalanceChart from '../../components/home/BalanceChart.svelte';
import ReceiveCode from '../../components/home/ReceiveCode.svelte';
import PullToRefresh from '../../components/PullToRefresh.svelte';
import ShareButton from '../../components/ShareButton.svelte';
import StatusChip from '../../components/StatusChip.svelte';
import Money from '../../components/settings/Money.svelte';
import { fiat } from '../../managers/fiat.svelte.ts';
import { session } from '../../managers/session.svelte.ts';
import { NO_FILTER } from '../../services/history-filter.ts';
import { sorted } from '../../services/sorting.ts';
import { type HistorySorting, historyComparators, NEWEST_FIRST } from '../../services/table-sorting.ts';
import { pull, slide } from '../act.ts';
import { enter } from '../answers.ts';
import { type Entry, entry, nothing } from '../sample.ts';
import { accounts, HEIGHT, history, MOST, nodeless, OWN, sync, view } from '../values.ts';

const UPWARD: HistorySorting = { by: 'amount', down: false };
const COIN = 10n ** 12n;
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
const days = [28, 21, 14, 9, 6, 2].map((ago, i) => ({ start: now - ago * DAY, balance: [2n, 5n, 4n, 9n, 7n, 12n][i]! * COIN }));
const month = {
  world: () => enter(view(), { balanceDays: () => Promise.resolve(days) }),
  props: () => ({ view: view({ balance: { ...view().balance, total: 12n * COIN } }) }),
};
const second = { url: 'https://node.example:18089', at: 0, error: undefined };

const draft = { recipients: [], note: '', account: 0, priority: 0, sweep: false, older: false };

/** Samples of Home, Receive and History. */
export const home: Readonly<Record<string, Entry>> = {
  HomeTasks: entry(HomeTasks)({
    seed: () => ({ view: view({ seedToWrite: true, name: 'To write' }) }),
    'on a phone': () => ({ view: view({ seedToWrite: true, name: 'To write' }), brief: true }),
    exchanged: {
      world: () => {
        session.otherName = 'Holiday';
      },
      props: () => ({ view: view({ name: 'Exchanged' }) }),
    },
  }),
  DraftLink: entry(DraftLink)({
    waits: { world: () => enter(view(), { drafts: () => Promise.resolve([draft]) }), props: () => ({}) },
  }),
  PullToRefresh: entry(PullToRefresh)({
    held: { world: () => enter(), act: pull(100, false), height: 80, props: () => ({}) },
    looking: { world: () => enter(), act: pull(200, true), height: 80, props: () => ({}) },
  }),
  ShareButton: entry(ShareButton)({
    usual: {
      // Not every browser can.
      world: () => void Object.defineProperty(navigator, 'share', { value: nothing, configurable: true }),
      props: () => ({ text: OWN }),
    },
  }),
  StatusChip: entry(StatusChip)({
    live: () => ({ view: view() }),
    syncing: () => ({ view: view({ sync: sync({ phase: 'syncing', height: 3_150_000, rate: 4312, timeLeft: 58 }) }) }),
    ahead: () => ({ view: view({ sync: sync({ height: HEIGHT + 400 }) }) }),
    'out of reach': () => ({ view: view({ sync: sync({ phase: 'offline' }) }) }),
    'no node': () => ({ view: view({ sync: nodeless }) }),
    paused: () => ({ view: view({ sync: sync({ phase: 'paused', height: 3_150_000 }) }) }),
    disagree: () => ({
      view: view({ secondDaemon: { ...second, verdict: 'disagree', height: HEIGHT, agreedTo: HEIGHT - 9 } }),
    }),
  }),
  FiatValue: entry(FiatValue)({
    told: { world: () => fiat.useHand('EUR', 152n * COIN), props: () => ({ amount: 3n * COIN, told: true }) },
  }),
  'home/BalanceChart': entry(BalanceChart)({
    month,
    'a day picked': { ...month, act: slide(18) },
    'the most there can be': {
      world: () => enter(view(), { balanceDays: () => Promise.resolve([{ start: now - 20 * DAY, balance: MOST }]) }),
      props: () => ({ view: view({ balance: { ...view().balance, total: MOST } }) }),
    },
    nothing: {
      world: () => enter(view(), { balanceDays: () => Promise.resolve([]) }),
      props: () => ({ view: view({ balance: { ...view().balance, total: 0n } }) }),
    },
  }),
  'home/ReceiveCode': entry(ReceiveCode)({
    small: { world: () => enter(view(), { history: () => Promise.resolve([]) }), props: () => ({}) },
    large: { world: () => enter(view(), { history: () => Promise.resolve([]) }), props: () => ({ large: true }) },
  }),
  'history/HistoryTable': entry(HistoryTable)({
    'by time': { wide: true, props: () => ({ entries: history(12), sorting: NEWEST_FIRST, choose: nothing }) },
    'by amount': {
      wide: true,
      props: () => ({
        entries: sorted(
          history(12),
          UPWARD,
          historyComparators(() => undefined),
        ),
        ...{ sorting: UPWARD, choose: nothing },
      }),
    },
  }),
  'history/HistoryFilters': entry(HistoryFilters)({
    everything: () => ({ filter: NO_FILTER, accounts: accounts(1), choose: nothing }),
    'some of it': () => ({
      filter: { kind: 'in' as const, account: 1, from: '2026-01-01', to: '2026-03-31' },
      accounts: accounts(3),
      choose: nothing,
    }),
  }),
  'settings/Money': entry(Money)({
    off: () => ({}),
    'by hand': { world: () => fiat.useHand('EUR', 152n * COIN), props: () => ({}) },
  }),
};
