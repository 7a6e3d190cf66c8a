import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TxHash, toAtomicAmount } from '../../src/protocol/model.ts';
import type { OwnedOutput, SentTransaction, SubaddressIndex } from '../../src/wallet/model.ts';
import type { PoolView } from '../../src/wallet/pool.ts';
import { isSpendableAt, isTaken, projectionOf } from '../../src/wallet/projection/index.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { applyEvent, setPool } from '../../src/wallet/state/fold.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';
import { poolView } from '../../src/wallet/sync/pool-view.ts';
import { foldEvents } from '../support/fold.ts';
import { created, hash, output, sentTx, spend, synced } from './support.ts';

const NOW = 2_000_000_000;
const EVERYTHING = { subaddresses: [], above: 0, upTo: Number.MAX_SAFE_INTEGER };
const ACCOUNTS = [0, 1];
const MINORS = [0, 1, 2];

/** Addresses of tests are their index in words. */
const lookup = (address: string): SubaddressIndex | undefined => {
  const [major, minor] = address.split('/').map(Number);
  return minor === undefined ? undefined : { major: major!, minor };
};

/** An event, or a look at the pool. */
type Step = { readonly event: WalletEvent } | { readonly look: (state: WalletState) => PoolView };

const KINDS = [
  ...['sync', 'sync', 'sync', 'sync', 'copy', 'rewind', 'rescan', 'send', 'send', 'accept', 'refuse', 'mine'],
  ...['pool', 'pool out', 'pool empty', 'freeze', 'thaw', 'image', 'spent elsewhere', 'label', 'note', 'told'],
] as const;

interface Choice {
  readonly kind: (typeof KINDS)[number];
  readonly a: number;
  readonly b: number;
}

const choices = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), a: fc.nat(999), b: fc.nat(999) }), { maxLength: 40 });

function found(state: WalletState, kind: string, { a, b }: Choice): OwnedOutput {
  const seed = kind === 'copy' && state.outputs.size > 0 ? a % state.outputs.size : 1000 + state.version;
  const one = output({
    seed,
    height: state.height,
    amount: BigInt(b + 1),
    major: a % 2,
    minor: b % 3,
    tx: `${a}-${state.version}`,
  });
  const locks = [0n, 0n, BigInt(state.height + 30), BigInt(NOW + 500), BigInt(NOW - 500)];
  const paymentId = b % 4 === 0 ? 'ab'.repeat(8) : undefined;
  const keyImage = state.description.kind === 'view' && a % 3 === 0 ? undefined : one.keyImage;
  return { ...one, unlockTime: locks[(a + b) % locks.length]!, coinbase: a % 5 === 0, paymentId, keyImage };
}

function sentOf(state: WalletState, { a, b }: Choice): SentTransaction {
  const coins = [...state.outputs.values()].filter(({ spend }) => spend === undefined);
  const first = a % Math.max(1, coins.length);
  const inputs = coins.slice(first, first + 2).flatMap(({ output: { keyImage } }) => keyImage ?? []);
  const destinations = [`${a % 2}/${b % 3}`, 'somebody'].map((address) => ({ address, amount: toAtomicAmount(5n) }));
  return { ...sentTx(`sent ${state.version}`, inputs), destinations, change: toAtomicAmount(BigInt(b)), account: b % 2 };
}

const pick = <T>(list: readonly T[], at: number): T[] => (list.length === 0 ? [] : [list[at % list.length]!]);

function stepsOf(state: WalletState, choice: Choice): Step[] {
  const { kind, a, b } = choice;
  const unspent = [...state.unspent].map((key) => state.outputs.get(key)!.output);
  const event = (one: WalletEvent): Step => ({ event: one });
  const [chosen] = pick([...state.sent.keys()], a);
  const { height } = state;
  switch (kind) {
    case 'sync':
    case 'copy': {
      const images = pick(unspent, b).flatMap(({ keyImage }) => (b % 3 === 0 ? (keyImage ?? []) : []));
      const spends = images.map((image) => spend(image, `spend ${state.version}`, height));
      return [event(synced(height, height + (a % 12), [found(state, kind, choice)], spends))];
    }
    case 'mine': {
      const [tx] = pick(
        [...state.unmined].map((txHash) => state.sent.get(txHash)!.tx),
        a,
      );
      if (tx === undefined) return [];
      const change = { ...found(state, kind, choice), txHash: tx.txHash, subaddress: { major: tx.account, minor: 0 } };
      const known = tx.inputs.filter((image) => state.byKeyImage.has(image));
      // Now and then a daemon keeps the spends to itself.
      const spends = (b % 3 === 0 ? [] : known).map((image) => ({ ...spend(image, '', height), txHash: tx.txHash }));
      return [event(synced(height, height, [change], spends))];
    }
    case 'rewind':
      return [event({ type: 'Rewound', height: Math.max(100, height - (a % 20)), parent: hash('p') })];
    case 'rescan':
      return [event({ type: 'RestoreHeightSet', height: Math.max(100, height - b) })];
    case 'send': {
      const tx = sentOf(state, choice);
      return [event({ type: 'TransactionBuilt', tx }), event({ type: 'TransactionSending', txHash: tx.txHash, at: NOW - b })];
    }
    case 'accept':
      return chosen === undefined ? [] : [event({ type: 'TransactionAccepted', txHash: chosen, at: NOW - b })];
    case 'refuse':
      return chosen === undefined ? [] : [event({ type: 'TransactionFailed', txHash: chosen, reason: 'no', at: NOW })];
    case 'pool':
    case 'pool out': {
      const txHash = kind === 'pool' || chosen === undefined ? (hash(`pool ${b % 3}`) as TxHash) : chosen;
      const images = kind === 'pool' ? [] : pick(unspent, b).flatMap(({ keyImage }) => keyImage ?? []);
      const outputs = [{ subaddress: { major: a % 2, minor: b % 3 }, amount: toAtomicAmount(BigInt(a + 1)) }];
      const rest = { fee: toAtomicAmount(1n), timestamp: b, unlockTime: 0n, paymentId: undefined, doubleSpendSeen: false };
      return [{ look: (one) => poolView(one, [[txHash, { images, outputs, ...rest }]]) }];
    }
    case 'pool empty':
      return [{ look: (one) => poolView(one, []) }];
    case 'freeze':
      return pick(unspent, a).map(({ key }) => event({ type: 'Frozen', key }));
    case 'thaw':
      return pick([...state.frozen], a).map((key) => event({ type: 'Thawed', key }));
    case 'image':
      return pick([...state.outputs.keys()], a).map((key) =>
        event({ type: 'KeyImagesImported', images: [{ key, keyImage: hash(`imported ${key}`) }] }),
      );
    case 'spent elsewhere': {
      const images = pick(unspent, a).flatMap(({ keyImage }) => keyImage ?? []);
      const placed =
        b % 2 === 0 ? images.map((image) => spend(image, `learned ${state.version}`, Math.max(100, height - 1))) : [];
      return [event({ type: 'SpendsLearned', spends: placed, unplaced: b % 2 === 0 ? [] : images })];
    }
    case 'label':
      return [event({ type: 'Labelled', index: { major: 0, minor: 0 }, label: `${b}` })];
    case 'note':
      return pick([...state.transactions.keys()], a).map((txHash) => event({ type: 'Noted', txHash, note: `${b}` }));
    default:
      return pick([...state.transactions.keys()], a).map((txHash) => {
        const told = { txHash, txKeys: [], destinations: [], change: toAtomicAmount(BigInt(b)), paymentId: undefined };
        return event({ type: 'TransactionsTold', transactions: [told] });
      });
  }
}

/** Everything a door can read. */
function readings(state: WalletState, now: number): unknown {
  const projection = projectionOf(state);
  const balances = [projection.balances(now, lookup), projection.balances(now, lookup, true)].map((one) => [
    one.all(),
    ACCOUNTS.map((major) => [one.account(major), one.minors(major), MINORS.map((minor) => one.subaddress({ major, minor }))]),
  ]);
  const filters = [EVERYTHING, { account: 1, subaddresses: [0, 2], above: 105, upTo: 140 }];
  const payments = filters.map((filter) => [projection.payments.received(filter), projection.payments.spent(filter)]);
  const ids = ['ab'.repeat(8).padEnd(64, '0'), '0'.repeat(64)].map((id) => projection.payments.withPaymentId(id, 101));
  const coins = [
    projection.coins(now),
    ACCOUNTS.map((major) => [projection.coins(now, major), projection.outputsOf(major, [2, 0])]),
  ];
  const days = projection.payments.days.balances();
  return [balances, payments, days, ids, projection.history(now), coins, projection.unseenSpends()];
}

/** What each unspent output is to a balance, one by one. */
function expectMined(state: WalletState, now: number): void {
  const unspent = [...state.unspent].map((key) => state.outputs.get(key)!.output);
  const sum = (outputs: readonly OwnedOutput[]) => outputs.reduce((total, { amount }) => total + amount, 0n);
  for (const strict of [true, false]) {
    const free = unspent.filter((one) => !isTaken(state, one));
    const counted = (strict ? unspent : free).filter(({ key }) => !state.frozen.has(key));
    const projection = projectionOf(state);
    const { mined, unlocked, aside, unspentOutputs, unlocks } = projection.balances(now, lookup, strict).all();
    const ripe = counted.filter((one) => isSpendableAt(one, state.height, now));
    const put = free.filter(({ key }) => state.frozen.has(key));
    expect([mined, unlocked, aside, unspentOutputs]).toEqual([sum(counted), sum(ripe), sum(put), free.length]);
    const waiting = new Map<bigint, bigint>();
    for (const { height, unlockTime, amount } of counted.filter((one) => !ripe.includes(one))) {
      const when = unlockTime > height + 10 ? unlockTime : BigInt(height + 10);
      waiting.set(when, (waiting.get(when) ?? 0n) + amount);
    }
    expect(unlocks ?? new Map()).toEqual(waiting);
  }
}

describe.each(['full', 'view'] as const)('the projection of a %s wallet', (kind) => {
  const first = created();
  const own = (first.type === 'Created' ? { ...first, wallet: { ...first.wallet, kind } } : first) as WalletEvent;
  // A wallet that has something old enough to be spent.
  const old = Array.from({ length: 8 }, (_, seed) =>
    output({ seed, amount: BigInt(10 + seed), major: seed % 2, minor: seed % 3 }),
  );
  const begin: WalletEvent[] = [own, { type: 'AccountAdded', label: '' }, synced(100, 130, old, [])];

  it('followed from event to event is the one made from nothing, and its sums are those of the outputs', () => {
    fc.assert(
      fc.property(choices, (life) => {
        const events = [...begin];
        const state = foldEvents(events);
        life.forEach((choice, i) => {
          for (const step of stepsOf(state, choice)) {
            if ('look' in step) setPool(state, step.look(state));
            else applyEvent(state, step.event);
            if ('event' in step) events.push(step.event);
          }
          const whole = foldEvents(events);
          setPool(whole, state.pool);
          // The seconds go on: what is locked until a time opens meanwhile.
          expect(readings(state, NOW + 40 * i)).toEqual(readings(whole, NOW + 40 * i));
          expectMined(state, NOW + 40 * i);
        });
      }),
      { numRuns: 150 },
    );
  });

  it('its history by pages is its history', () => {
    fc.assert(
      fc.property(choices, fc.nat(6), fc.constantFrom(undefined, 0, 1), (life, limit, account) => {
        const state = foldEvents(begin);
        for (const choice of life) {
          for (const step of stepsOf(state, choice)) {
            if ('look' in step) setPool(state, step.look(state));
            else applyEvent(state, step.event);
          }
        }
        const projection = projectionOf(state);
        const whole = projection.history(NOW, { account });
        for (let offset = 0; offset <= whole.length; offset += 2)
          expect(projection.history(NOW, { account, offset, limit })).toEqual(whole.slice(offset, offset + limit));
        const heights = whole.map(({ height }) => height ?? Number.POSITIVE_INFINITY);
        expect(heights).toEqual([...heights].sort((a, b) => b - a));
      }),
      { numRuns: 150 },
    );
  });
});

it('the fee of a payment received is told by the service as the chain has it, and is no cost of ours in the history', () => {
  const paid = { ...output({ seed: 1, amount: 100n, tx: 'theirs' }), fee: toAtomicAmount(7n) };
  const change = { ...output({ seed: 2, height: 121, amount: 60n, major: 1, tx: 'ours' }), fee: toAtomicAmount(9n) };
  const state = foldEvents([
    created(),
    synced(100, 120, [paid], []),
    synced(121, 121, [change], [spend(paid.keyImage!, 'ours', 121, 9n)]),
  ]);
  const { payments } = projectionOf(state);
  expect(payments.received(EVERYTHING).map(({ fee }) => fee)).toEqual([7n, 9n]);
  const shown = projectionOf(state).history(NOW);
  expect(shown.map(({ direction, fee }) => [direction, fee])).toEqual([
    ['out', 9n],
    ['in', 9n],
    ['in', undefined],
  ]);
});

it('a payment made in part from coins below the first block that is looked at sent nothing rather than less', () => {
  const seen = output({ seed: 1, amount: 30n, tx: 'theirs' });
  const change = output({ seed: 2, height: 121, amount: 60n, tx: 'ours' });
  const state = foldEvents([
    created(),
    synced(100, 120, [seen], []),
    synced(121, 121, [change], [spend(seen.keyImage!, 'ours', 121, 9n)]),
  ]);
  const [out] = projectionOf(state).history(NOW);
  expect([out?.direction, out?.amount, out?.fee]).toEqual(['out', 0n, 9n]);
});

it('what was owned at the end of each day: what came is added, what went with its fee is taken away', () => {
  const DAY = 86_400;
  const at = (day: number) => ({ timestamp: day * DAY + 5 });
  const first = { ...output({ seed: 1, amount: 100n, tx: 'a' }), ...at(3) };
  const second = { ...output({ seed: 2, height: 101, amount: 7n, tx: 'b' }), ...at(3) };
  const change = { ...output({ seed: 3, height: 110, amount: 60n, tx: 'c' }), ...at(9) };
  const spent = { ...spend(first.keyImage!, 'c', 110), ...at(9) };
  const state = foldEvents([created(), synced(100, 130, [first, second, change], [spent])]);
  expect(projectionOf(state).payments.days.balances()).toEqual([
    { start: 3 * DAY, balance: 107n },
    { start: 9 * DAY, balance: 67n },
  ]);
});
