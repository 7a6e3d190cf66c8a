import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { balanceCurve, curveDays, curvePaths, pointAt } from '../../src/app/services/balance-curve.ts';
import { coinState } from '../../src/app/services/coins.ts';
import { asOfText, connectionStatus, connectionStatusText, scannedHeightText } from '../../src/app/services/connection-status.ts';
import { entryRow } from '../../src/app/services/entry-row.ts';
import { entryState, isAllFromToday } from '../../src/app/services/history.ts';
import {
  type HistoryFilter,
  KINDS,
  NO_FILTER,
  parseSearch,
  passesFilter,
  serializeSearch,
} from '../../src/app/services/history-filter.ts';
import { balanceCompleteness, wayOn } from '../../src/app/services/sync.ts';
import { HISTORY_COLUMNS } from '../../src/app/services/table-sorting.ts';
import { unlocksText } from '../../src/app/services/unlocks.ts';
import { canAddAddress, MAX_UNUSED_ADDRESSES, unusedAddress } from '../../src/app/services/unused-address.ts';
import type { HistoryEntry, OutputView, SubaddressView, SyncStatus, Unlock, WalletView } from '../../src/wallet/index.ts';

vi.hoisted(() => vi.stubGlobal('self', globalThis));

const COIN = 10n ** 12n;
const DAY = 86_400;

describe('what is locked', () => {
  const said = (network: string, unlocks: readonly Unlock[], exact = true): string =>
    unlocksText({ network, balance: { unlocks } } as unknown as WalletView, exact);
  const first: Unlock = { amount: (4n * COIN) / 10n, blocks: 6, time: undefined };
  const last: Unlock = { amount: COIN, blocks: 10, time: undefined };

  it('is told by when all of it comes, or by what comes next and when that is all', () => {
    expect(said('mainnet', [])).toBe('');
    expect(said('mainnet', [first]), 'its amount stands above').toBe('unlocks in about 12 min');
    expect(said('mainnet', [first, last])).toBe('0.4 in about 12 min\u00a0· all in about 20 min');
    expect(said('regtest', [first, last]), 'a test chain keeps its own time').toBe('0.4 in 6 blocks\u00a0· all in 10 blocks');
    expect(said('regtest', [{ ...first, blocks: 1 }])).toBe('unlocks in 1 block');
    expect(said('mainnet', [{ amount: COIN, blocks: 0, time: 2_000_000_000 }])).toBe('unlocks on May 18, 2033');
  });

  it('T9 is told by the last day that a calendar has where a stranger locked it for longer: the page goes on', () => {
    const longest = Number(2n ** 64n - 1n);
    expect(said('mainnet', [{ amount: COIN, blocks: 0, time: longest }])).toMatch(/^unlocks on Sep 1[23], 275760$/);
    const coin = { hold: 'locked', height: 1, unlockTime: 2n ** 64n - 1n } as OutputView;
    expect(coinState(coin).text).toContain('275760');
  });

  it('is told without amounts where those are hidden', () => {
    for (const network of ['mainnet', 'regtest']) expect(said(network, [first, last], false)).not.toContain('0.4');
  });
});

describe('a payment that came in', () => {
  it('T5 is not called settled while its block was not seen whole: that is under way for an hour, and was not done after it', () => {
    const standing = (confirmations: number, verified: boolean): string =>
      entryState({ state: 'mined', direction: 'in', height: 7, confirmations, verified } as HistoryEntry).text;
    expect(standing(9, false)).toBe('9 of 10 confirmations');
    for (const confirmations of [10, 30]) expect(standing(confirmations, false)).toBe('its block is being checked');
    for (const confirmations of [31, 5000]) expect(standing(confirmations, false)).toBe('its block was not checked');
    expect(standing(5000, true)).toBe('');
  });

  it('says in its details alone that its old block was not checked: a list would say it in every line', () => {
    const entry = (confirmations: number) =>
      ({
        state: 'mined',
        direction: 'in',
        height: 7,
        confirmations,
        note: '',
        amount: 1n,
        contacts: [],
      }) as unknown as HistoryEntry;
    const inList = (confirmations: number): string => entryRow(entry(confirmations), () => undefined).state.text;
    expect([inList(9), inList(30), inList(31)]).toEqual(['9 of 10 confirmations', 'its block is being checked', '']);
  });
});

describe('the chip', () => {
  const sync = (phase: SyncStatus['phase'], height = 10, daemonHeight = 10) => ({ phase, height, daemonHeight }) as SyncStatus;
  const fine = { online: true, disagree: false, unhealthy: false };

  it('says what matters most', () => {
    expect(connectionStatus(sync('live'), fine)).toBe('live');
    expect(connectionStatus(sync('live', 12), fine)).toBe('ahead');
    expect(connectionStatus(sync('live'), { ...fine, unhealthy: true })).toBe('unhealthy');
    expect(connectionStatus(sync('offline'), { ...fine, unhealthy: true })).toBe('offline');
    expect(connectionStatus(sync('offline'), { ...fine, online: false })).toBe('no-connection');
    expect(connectionStatus(sync('live'), { ...fine, online: false }), 'a node on the device itself').toBe('live');
    expect(connectionStatus(sync('stopped'), { ...fine, online: false })).toBe('stopped');
    expect(connectionStatus(sync('syncing'), { ...fine, disagree: true })).toBe('disagree');
    const full = { ...sync('offline'), daemonHeight: undefined, error: { code: 'full' } } as SyncStatus;
    expect(connectionStatus(full, { ...fine, online: false }), 'no room to write').toBe('full');
    const alone = { ...full, error: { code: 'no-daemon' } } as SyncStatus;
    expect([connectionStatus(alone, fine), connectionStatus(alone, { ...fine, online: false })]).toEqual(['no-node', 'no-node']);
    expect(wayOn(alone)?.href, 'a node can be chosen').toBe('#/settings/daemon');
    expect(connectionStatusText('full', undefined)).toBe('Stopped');
    expect(wayOn(full), 'another node makes no room').toBeUndefined();
    expect(wayOn({ ...full, error: undefined })).toEqual({ href: '#/settings/daemon', text: 'Choose a node' });
  });
});

describe('a balance', () => {
  const at = (phase: SyncStatus['phase'], height: number, daemonHeight?: number) =>
    ({ phase, height, daemonHeight }) as SyncStatus;
  const worth = (phase: SyncStatus['phase'], unseen?: WalletView['unseen']) =>
    balanceCompleteness({ sync: at(phase, 743, 743), unseen });

  it('is so far while blocks are looked at; where they are not, it is of a moment', () => {
    expect(worth('live')).toBe('whole');
    expect(worth('syncing')).toBe('so-far');
    for (const phase of ['offline', 'paused', 'stopped'] as const) expect(worth(phase), phase).toBe('as-of');
    const unseen = { coins: 1, scanFrom: undefined };
    for (const phase of ['live', 'offline'] as const) expect(worth(phase, unseen), phase).toBe('at-most');
  });

  it('of a moment is told by its time, or by its last block; nothing is out of as many', () => {
    expect(asOfText(at('offline', 743, 743), Date.UTC(2001, 8, 9))).toBe('Balance as of Sep 9, 2001');
    expect(asOfText(at('offline', 743), undefined)).toBe('Balance at block 742');
    expect(asOfText(at('offline', 0), undefined)).toBe('Balance so far');
    expect(scannedHeightText(at('offline', 743, 743))).toBe('block 742');
    expect(scannedHeightText(at('offline', 743))).toBe('block 742');
    expect(scannedHeightText(at('live', 800, 743)), 'it begins later').toBe('block 742');
    expect(scannedHeightText(at('syncing', 300, 743))).toBe('300 of 743');
    expect(scannedHeightText(at('idle', 0))).toBe('');
  });
});

describe('the address that is offered', () => {
  const at = (minor: number, more: Partial<SubaddressView> = {}): SubaddressView =>
    ({ index: { major: 0, minor }, label: '', used: false, display: 'usual', ...more }) as SubaddressView;
  const coming = (minor: number, direction: HistoryEntry['direction'] = 'in') =>
    ({ direction, account: 0, subaddresses: [{ major: 0, minor }] }) as unknown as HistoryEntry;

  it('is the newest that has no name and that nothing came to; never the primary one', () => {
    expect(unusedAddress([at(0)], [])).toBeUndefined();
    const addresses = [at(0), at(1), at(2), at(3, { label: 'Rent' }), at(4, { used: true })];
    expect(unusedAddress(addresses, [])?.index.minor).toBe(2);
    expect(unusedAddress(addresses, [coming(2)])?.index.minor, 'a payment is on its way to it').toBe(1);
    expect(unusedAddress(addresses, [coming(2, 'out')])?.index.minor).toBe(2);
    expect(unusedAddress(addresses, [coming(2), coming(1)])).toBeUndefined();
    const kept = [...addresses, at(5, { display: 'pinned' }), at(6, { display: 'hidden' })];
    expect(unusedAddress(kept, [])?.index.minor, 'nor one that is pinned or hidden').toBe(2);
  });

  it('is made only where a restored wallet would find it', () => {
    const some = (count: number, used: number) =>
      Array.from({ length: count }, (_, minor) => at(minor, { used: minor === used }));
    expect(canAddAddress(some(1, -1))).toBe(true);
    expect(canAddAddress(some(MAX_UNUSED_ADDRESSES, -1))).toBe(true);
    expect(canAddAddress(some(MAX_UNUSED_ADDRESSES + 1, -1))).toBe(false);
    expect(canAddAddress(some(MAX_UNUSED_ADDRESSES + 1, 5))).toBe(true);
    expect(canAddAddress(some(MAX_UNUSED_ADDRESSES + 6, 5))).toBe(false);
  });
});

describe('the picture of the balance', () => {
  const now = 1000 * DAY + 100;
  const days = [
    { start: 500 * DAY, balance: 4n * COIN },
    { start: 980 * DAY, balance: 10n * COIN },
    { start: 999 * DAY, balance: 5n * COIN },
  ];

  it('shows a span with what was owned before it, the most and the least', () => {
    const month = balanceCurve(days, 5n * COIN, now, 30 * DAY);
    expect([month.first, month.last, month.high, month.low]).toEqual([4n * COIN, 5n * COIN, 10n * COIN, 4n * COIN]);
    expect(month.points[0]).toEqual([0, 0.4]);
    expect(month.points.at(-1)).toEqual([1, 0.5]);
    expect(balanceCurve(days, 5n * COIN, now, undefined)).toMatchObject({ from: 499 * DAY, first: 0n, low: 0n });
    expect(balanceCurve(days.slice(1), 5n * COIN, now, 365 * DAY), 'no year of nothing').toMatchObject({
      from: 979 * DAY,
      first: 0n,
    });
    expect(balanceCurve([], 0n, now, 30 * DAY).points.every(([, y]) => y === 0)).toBe(true);
  });

  it('is not drawn of one day: that is a single upright line', () => {
    const entries = (...times: number[]) => times.map((timestamp) => ({ timestamp })) as HistoryEntry[];
    expect(isAllFromToday(entries(now, 1000 * DAY), now)).toBe(true);
    expect(isAllFromToday(entries(now, 1000 * DAY - 1), now)).toBe(false);
  });

  it('is read day by day: the balance of a step is the line’s height there', () => {
    const month = balanceCurve(days, 6n * COIN, now, 30 * DAY);
    expect(curveDays(month)).toBe(30);
    const read = (step: number) => pointAt(month, days, step);
    expect([0, 9, 10, 29, 30].map((step) => read(step).balance / COIN)).toEqual([4n, 4n, 10n, 5n, 6n]);
    expect(read(10)).toMatchObject({ x: 10 / 30, y: 1, at: now - 20 * DAY });
    expect(read(30)).toMatchObject({ x: 1, y: 0.6, at: now });
    expect(curveDays(balanceCurve([], 0n, now, undefined)), 'a wallet of today').toBe(1);
  });

  it('goes from left to right within its box, whatever happened', () => {
    const changes = fc.array(fc.record({ start: fc.nat(1100), balance: fc.bigInt(0n, 2n ** 64n) }), { maxLength: 30 });
    fc.assert(
      fc.property(changes, fc.bigInt(0n, 2n ** 64n), fc.constantFrom(30 * DAY, 365 * DAY, undefined), (some, owned, span) => {
        const sorted = some.map(({ start, balance }) => ({ start: start * DAY, balance })).sort((a, b) => a.start - b.start);
        const curve = balanceCurve(
          sorted.filter(({ start }) => start < now),
          owned,
          now,
          span,
        );
        const xs = curve.points.map(([x]) => x);
        expect(xs).toEqual([...xs].sort((a, b) => a - b));
        for (const [x, y] of curve.points) {
          expect(x >= 0 && x <= 1 && y >= 0 && y <= 1).toBe(true);
        }
        expect(curvePaths(curve, 100, 50).line).toMatch(/^M0 [\d.]+(L[\d.]+ [\d.]+)+$/);
      }),
    );
  });
});

describe('the history’s filters', () => {
  const entry = { direction: 'in', account: 0, height: 5, confirmations: 30, state: 'received' } as HistoryEntry;
  const on = (day: string, clock: string): HistoryEntry => ({
    ...entry,
    timestamp: new Date(`${day}T${clock}`).getTime() / 1000,
  });

  it('take a kind, an account, and days from the first to the last by the person’s clock', () => {
    const passing = (filter: Partial<HistoryFilter>, one = on('2026-03-29', '12:00')) =>
      passesFilter(one, { ...NO_FILTER, ...filter });
    expect([passing({}), passing({ kind: 'in' }), passing({ kind: 'out' }), passing({ account: 1 })]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(passing({ kind: 'pending' })).toBe(false);
    expect(passing({ kind: 'pending' }, { ...entry, timestamp: 1, confirmations: 9 })).toBe(true);
    expect(passing({ kind: 'pending' }, { ...entry, timestamp: 1, height: undefined, state: 'failed' })).toBe(false);
    const day = { from: '2026-03-29', to: '2026-03-29' };
    for (const clock of ['00:00', '23:59']) expect(passing(day, on('2026-03-29', clock)), clock).toBe(true);
    expect([passing(day, on('2026-03-28', '23:59')), passing(day, on('2026-03-30', '00:00'))]).toEqual([false, false]);
  });

  it('come back as they were left', () => {
    const filters = fc.record({
      kind: fc.constantFrom(...KINDS),
      account: fc.option(fc.nat(9), { nil: undefined }),
      from: fc.constantFrom('', '2026-01-01'),
      to: fc.constantFrom('', '2026-12-31'),
    });
    const sortings = fc.record({ by: fc.constantFrom(...HISTORY_COLUMNS), down: fc.boolean() });
    fc.assert(
      fc.property(fc.record({ query: fc.string(), filter: filters, sorting: sortings }), (search) => {
        expect(parseSearch(serializeSearch(search))).toEqual(search);
      }),
    );
  });
});
