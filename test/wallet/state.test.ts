import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SentTransaction } from '../../src/wallet/model.ts';
import type { Journal } from '../../src/wallet/ports.ts';
import { amountSent, isPending, isSpendableAt, projectionOf, spendableOutputs } from '../../src/wallet/projection/index.ts';
import { readJournal } from '../../src/wallet/runtime/read-journal.ts';
import { StateWriter } from '../../src/wallet/runtime/writer.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { applyEvent } from '../../src/wallet/state/fold.ts';
import { snapshot } from '../../src/wallet/state/snapshot.ts';
import type { OutputEntry, WalletState } from '../../src/wallet/state/state.ts';
import { foldEvents } from '../support/fold.ts';
import { block, created, hash, historyOf, moneyOf, output, plain, sentTx, spend, synced } from './support.ts';

const NOW = 2_000_000_000;
const EVERYTHING = { subaddresses: [], above: 0, upTo: Number.MAX_SAFE_INTEGER };

/** A life of a wallet, made by chance: synced runs with outputs and spends, rewinds, and what a person does. */
const life = fc
  .array(
    fc.record({
      kind: fc.constantFrom('sync', 'sync', 'sync', 'rewind', 'note', 'freeze', 'name', 'account', 'label', 'send', 'fail'),
      a: fc.nat(1000),
      b: fc.nat(1000),
    }),
    { maxLength: 60 },
  )
  .map((sampler) => makeLife(sampler));

function makeLife(sampler: readonly { kind: string; a: number; b: number }[]): WalletEvent[] {
  const events: WalletEvent[] = [created()];
  for (const { kind, a, b } of sampler) {
    const state = foldEvents(events);
    events.push(...nextEvents(state, kind, a, b));
  }
  return events;
}

function nextEvents(state: WalletState, kind: string, a: number, b: number): WalletEvent[] {
  const outputs = [...state.outputs.values()];
  switch (kind) {
    case 'sync': {
      const from = state.height;
      const found = output({ seed: a % 40, height: from, amount: BigInt(b + 1), minor: b % 5, tx: `${from}-${a}` });
      const free = outputs.find((entry) => entry.spend === undefined && entry.output.keyImage !== found.keyImage);
      const spends = free !== undefined && b % 3 === 0 ? [spend(free.output.keyImage!, `s${from}`, from + (a % 3))] : [];
      return [synced(from, from + (a % 3), [found], spends)];
    }
    case 'rewind':
      return [{ type: 'Rewound', height: Math.max(100, state.height - (a % 20)), parent: hash('p') }];
    case 'note':
      return [{ type: 'Noted', txHash: hash(`${a % 5}`), note: `note ${b}` }];
    case 'freeze':
      return [{ type: b % 2 === 0 ? 'Frozen' : 'Thawed', key: output({ seed: a % 40 }).key }];
    case 'name':
      return [{ type: 'OutputNamed', key: output({ seed: a % 40 }).key, name: b % 4 === 0 ? '' : `coin ${b}` }];
    case 'account':
      return [{ type: 'AccountAdded', label: `account ${b}` }];
    case 'label':
      return [{ type: 'Labelled', index: { major: 0, minor: 0 }, label: `label ${b}` }];
    case 'send': {
      const tx = sentTx(
        `t${a}-${b}-${state.version}`,
        outputs.slice(0, 1).map((entry) => entry.output.keyImage!),
      );
      return [
        { type: 'TransactionBuilt', tx },
        { type: 'TransactionSending', txHash: tx.txHash, at: NOW },
      ];
    }
    default: {
      const first = [...state.sent.keys()][a % Math.max(1, state.sent.size)];
      return first === undefined ? [] : [{ type: 'TransactionFailed', txHash: first, reason: 'test', at: NOW }];
    }
  }
}

/** Blocks of one new output each, old outputs spent, and what a person does: nothing is ever taken back. */
const steadyLife = fc
  .array(
    fc.record({
      kind: fc.constantFrom('sync', 'sync', 'sync', 'sync', 'freeze', 'send', 'fail'),
      a: fc.nat(1000),
      b: fc.nat(1000),
    }),
    { minLength: 40, maxLength: 70 },
  )
  .map((sampler) => {
    const events: WalletEvent[] = [created()];
    sampler.forEach(({ kind, a, b }, i) => {
      const state = foldEvents(events);
      const { height } = state;
      const free = [...state.unspent].map((key) => state.outputs.get(key)!.output);
      const found = output({ seed: i, height, amount: BigInt(b + 1), minor: b % 3, tx: `${i}` });
      const spends = free.length > 0 && b % 2 === 0 ? [spend(free[a % free.length]!.keyImage!, `s${i}`, height)] : [];
      if (kind === 'sync') events.push(synced(height, height, [found], spends));
      else if (kind === 'freeze')
        events.push({ type: b % 3 === 0 ? 'Thawed' : 'Frozen', key: output({ seed: a % (i + 1) }).key });
      else events.push(...nextEvents(state, kind, a, b));
    });
    return events;
  });

/** The same event, where outputs of an odd amount are those of a second account. */
function inTwoAccounts(event: WalletEvent): WalletEvent {
  if (event.type !== 'Synced') return event;
  const outputs = event.outputs.map((one) => ({
    ...one,
    subaddress: { major: Number(one.amount % 2n), minor: one.subaddress.minor },
  }));
  return { ...event, outputs };
}

/** What each output is to a balance, one by one; nothing of the test's transactions comes back to the wallet but change. */
function expectFunds(state: WalletState, strict: boolean): void {
  let [total, unlocked, count] = [0n, 0n, 0];
  for (const key of state.unspent) {
    const { output: one } = state.outputs.get(key)!;
    const taken = state.committed.has(one.keyImage!);
    if (!taken) count += 1;
    if (state.frozen.has(key) || (taken && !strict)) continue;
    total += one.amount;
    if (isSpendableAt(one, state.height, NOW)) unlocked += one.amount;
  }
  if (!strict) for (const entry of state.sent.values()) if (isPending(state, entry)) total += entry.tx.change;
  const sum = moneyOf(state, NOW, strict);
  expect([sum.balance, sum.unlocked, sum.unspentOutputs]).toEqual([total, unlocked, count]);
}

describe('the fold of the journal', () => {
  it('T16 any prefix is a valid wallet, and its totals are those of its unspent outputs', () => {
    fc.assert(
      fc.property(life, fc.nat(), (events, cut) => {
        const state = foldEvents(events.slice(0, 1 + (cut % events.length)));
        let unspent = 0n;
        for (const [key, entry] of state.outputs) {
          expect(state.unspent.has(key)).toBe(entry.spend === undefined);
          if (entry.spend === undefined && !state.frozen.has(key)) unspent += entry.output.amount;
        }
        const balance = moneyOf(state, NOW);
        expect(balance.unlocked).toBeLessThanOrEqual(balance.total);
        const committed = [...state.committed.keys()].length;
        if (committed === 0) expect(balance.total).toBe(unspent);
        expect(() => historyOf(state, NOW)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('payments followed from event to event are those of the whole', () => {
    fc.assert(
      fc.property(life, (events) => {
        const state = foldEvents(events.slice(0, 1));
        for (const event of events.slice(1)) {
          applyEvent(state, event);
          projectionOf(state);
        }
        const whole = foldEvents(events);
        const [followed, fresh] = [projectionOf(state).payments, projectionOf(whole).payments];
        expect(followed.received(EVERYTHING)).toEqual(fresh.received(EVERYTHING));
        expect(followed.spent(EVERYTHING)).toEqual(fresh.spent(EVERYTHING));
        const sent = followed.spent(EVERYTHING).map((one) => `${one.txHash} ${amountSent(state, one)}`);
        const shown = historyOf(state, NOW).filter(({ direction, state: step }) => direction === 'out' && step === 'mined');
        expect(sent.sort()).toEqual(shown.map(({ txHash, amount }) => `${txHash} ${amount}`).sort());
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['any', life],
    ['a long and steady', steadyLife],
  ])('in %s life, outputs of a subaddress followed from event to event are those among all, in their order', (_what, lives) => {
    const at = ({ copies: [first] }: OutputEntry) => first!.subaddress;
    fc.assert(
      fc.property(lives, fc.boolean(), (lived, twoAccounts) => {
        const events = twoAccounts ? lived.map(inTwoAccounts) : lived;
        const state = foldEvents(events.slice(0, 1));
        for (const event of events.slice(1)) {
          applyEvent(state, event);
          const all = [...state.outputs.values()];
          for (const major of [0, 1]) {
            const own = all.filter((entry) => at(entry).major === major);
            expect(projectionOf(state).outputsOf(major, [])).toEqual(own);
            expect(projectionOf(state).outputsOf(major, [2, 0, 2])).toEqual(
              own.filter((entry) => [0, 2].includes(at(entry).minor)),
            );
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['any', life],
    ['a long and steady', steadyLife],
  ])('in %s life, funds followed from event to event are those of every unspent output', (_what, lives) => {
    fc.assert(
      fc.property(lives, (events) => {
        const state = foldEvents(events.slice(0, 1));
        for (const event of events.slice(1)) {
          applyEvent(state, event);
          for (const strict of [true, false]) expectFunds(state, strict);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a snapshot folds to the same state', () => {
    fc.assert(
      fc.property(life, (events) => {
        const state = foldEvents(events);
        expect(plain(foldEvents(snapshot(state)))).toEqual(plain(state));
      }),
      { numRuns: 300 },
    );
  });

  it('rewinding forgets exactly what lies at and above the height', () => {
    fc.assert(
      fc.property(life, fc.nat(40), (events, depth) => {
        const chainOnly = events.filter(
          (event) => event.type === 'Created' || event.type === 'Synced' || event.type === 'Rewound',
        );
        const state = foldEvents(chainOnly);
        const height = Math.max(100, state.height - depth);
        const rewound = foldEvents([...chainOnly, { type: 'Rewound', height, parent: hash('x') }]);
        expect(rewound.height).toBe(height);
        for (const entry of rewound.outputs.values()) {
          expect(entry.copies.every((copy) => copy.height < height)).toBe(true);
          expect(entry.spend === undefined || entry.spend.height < height).toBe(true);
        }
        for (const [key, entry] of state.outputs) {
          expect(rewound.outputs.has(key)).toBe(entry.copies.some((copy) => copy.height < height));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('T16 facts of the person survive a rewind to the start and a new restore height', () => {
    const sent: SentTransaction = sentTx('mine', [output({ seed: 1 }).keyImage!]);
    const events: WalletEvent[] = [
      created(),
      synced(100, 110, [output({ seed: 1, height: 105 })], []),
      { type: 'Noted', txHash: hash('n'), note: 'rent' },
      { type: 'Frozen', key: output({ seed: 1 }).key },
      { type: 'OutputNamed', key: output({ seed: 1 }).key, name: 'bonus' },
      { type: 'AccountAdded', label: 'savings' },
      { type: 'SubaddressAdded', major: 0, label: 'shop' },
      { type: 'TransactionBuilt', tx: sent },
      { type: 'RingsChosen', rings: [{ keyImage: sent.inputs[0]!, members: [1n, 2n] }] },
      { type: 'AttributeSet', key: 'k', value: 'v' },
      { type: 'ContactSet', id: 'c', contact: { address: 'a', description: 'd' } },
      { type: 'RestoreHeightSet', height: 50 },
    ];
    const state = foldEvents(events);
    expect(state.height).toBe(50);
    expect(state.outputs.size).toBe(0);
    expect(state.notes.get(hash('n'))).toBe('rent');
    expect(state.frozen.has(output({ seed: 1 }).key)).toBe(true);
    expect(state.outputNames.get(output({ seed: 1 }).key)).toBe('bonus');
    expect(state.accounts.map((account) => account.labels.length)).toEqual([2, 1]);
    expect(state.sent.get(sent.txHash)?.tx.txKeys).toEqual(sent.txKeys);
    expect(state.rings.size).toBe(1);
    expect([state.attributes.get('k'), state.contacts.get('c')?.address]).toEqual(['v', 'a']);
  });

  it('refuses events that do not follow', async () => {
    const empty = { read: async function* (): AsyncIterable<WalletEvent> {} };
    await expect(readJournal(empty)).rejects.toMatchObject({ code: 'bad-event' });
    expect(() => foldEvents([created(), synced(101, 102, [], [])])).toThrow(expect.objectContaining({ code: 'bad-event' }));
    expect(() => foldEvents([created(), created()])).toThrow(expect.objectContaining({ code: 'bad-event' }));
    const notMade: readonly WalletEvent[] = [
      { type: 'SubaddressAdded', major: 1, label: '' },
      { type: 'Labelled', index: { major: 1, minor: 0 }, label: '' },
      { type: 'Labelled', index: { major: 0, minor: 1 }, label: '' },
      { type: 'TransactionSending', txHash: hash('unknown'), at: 0 },
    ];
    for (const event of notMade)
      expect(() => foldEvents([created(), event]), JSON.stringify(event)).toThrow(expect.objectContaining({ code: 'bad-event' }));
  });

  it('names a journal of a later version as that, and not as damaged', () => {
    const later = { type: 'Multiplied' } as unknown as WalletEvent;
    expect(() => foldEvents([created(), later])).toThrow(expect.objectContaining({ code: 'newer-version' }));
  });

  it('T16 what does not follow changes nothing, and is not journalled: unknown spends, heights never reached, rounds left out', async () => {
    const [known, found] = [output({ seed: 1, height: 100 }), output({ seed: 2, height: 111, tx: 'other' })];
    const state = foldEvents([created(), synced(100, 110, [known], [])]);
    const before = structuredClone({ ...state, used: [...state.used] });
    const bad = synced(111, 112, [found], [spend(known.keyImage!, 's', 112), spend(output({ seed: 9 }).keyImage!, 's', 112)]);
    expect(() => applyEvent(state, bad)).toThrow(expect.objectContaining({ code: 'bad-event' }));
    expect(structuredClone({ ...state, used: [...state.used] })).toEqual(before);
    const written: unknown[] = [];
    const journal = { append: async (events: unknown) => void written.push(events) } as unknown as Journal;
    const writer = new StateWriter(journal, state, 0, () => undefined);
    const rewound: WalletEvent = { type: 'Rewound', height: 100, parent: hash('p') };
    for (const events of [[bad], [rewound, synced(100, 101, [], [spend(known.keyImage!, 's', 101)])]]) {
      await expect(writer.append(events, 'strict')).rejects.toMatchObject({ code: 'bad-event' });
    }
    for (const height of [112, -1]) {
      for (const event of [
        { type: 'Rewound', height, parent: hash('p') } as const,
        { type: 'RestoreHeightSet', height } as const,
      ])
        await expect(writer.append([event], 'strict'), `${event.type} ${height}`).rejects.toMatchObject({ code: 'bad-event' });
    }
    const round = (roundsComplete: number) => ({ type: 'MultisigRound', account: { roundsComplete } }) as unknown as WalletEvent;
    const between = { ...state, multisig: { roundsComplete: 1 } } as unknown as WalletState;
    const ofGroup = new StateWriter(journal, between, 0, () => undefined);
    for (const other of [1, 3])
      await expect(ofGroup.append([round(other)], 'strict'), `round ${other}`).rejects.toMatchObject({ code: 'bad-event' });
    expect(written).toEqual([]);
    await writer.append(
      [rewound, synced(100, 105, [known], []), synced(106, 106, [], [spend(known.keyImage!, 's', 106)])],
      'strict',
    );
    expect(state.unspent.size).toBe(0);
  });
});

describe('what counts', () => {
  it('T5 a second spend of one output is an invention: it changes nothing, and neither does taking it back', () => {
    const coin = output({ seed: 1, amount: 60n });
    const once = [created(), synced(100, 110, [coin], [spend(coin.keyImage!, 'real', 105)])];
    const twice = foldEvents([...once, synced(111, 112, [], [spend(coin.keyImage!, 'invented', 111)], [block(111), block(112)])]);
    expect(twice.outputs.get(coin.key)!.spend!.txHash).toBe(hash('real'));
    expect(historyOf(twice, NOW).map(({ txHash }) => txHash)).not.toContain(hash('invented'));
    applyEvent(twice, { type: 'Rewound', height: 111, parent: block(110).id });
    expect([...twice.unspent]).toEqual([]);
    expect(plain(twice)).toEqual(plain(foldEvents(once)));
  });

  it('T7 burning bug: an output key seen twice is worth the largest amount once', () => {
    const small = output({ seed: 1, height: 100, amount: 5n, tx: 'a' });
    const large = output({ seed: 1, height: 101, amount: 7n, tx: 'b' });
    const again = output({ seed: 1, height: 102, amount: 6n, tx: 'c' });
    const state = foldEvents([created(), synced(100, 102, [small, large, again], [])]);
    expect(moneyOf(state, NOW).total).toBe(7n);
    expect(historyOf(state, NOW).map((entry) => entry.amount)).toEqual([2n, 5n]);
    const back = foldEvents([
      created(),
      synced(100, 102, [small, large, again], []),
      { type: 'Rewound', height: 101, parent: hash('p') },
    ]);
    expect(moneyOf(back, NOW).total).toBe(5n);
  });

  it('T7 a copy that comes after the spend is worth nothing', () => {
    const first = output({ seed: 1, height: 100, amount: 5n, tx: 'a' });
    const later = output({ seed: 1, height: 120, amount: 50n, tx: 'b' });
    const state = foldEvents([
      created(),
      synced(100, 110, [first], [spend(first.keyImage!, 's', 110)]),
      synced(111, 140, [later], []),
    ]);
    expect(moneyOf(state, NOW).total).toBe(0n);
    expect(spendableOutputs(state, 0, NOW)).toEqual([]);
    expect(state.outputs.get(first.key)!.output.amount, 'what was spent').toBe(5n);
    const out = historyOf(state, NOW).filter(({ direction }) => direction === 'out');
    expect(out.map(({ amount, fee }) => amount + (fee ?? 0n))).toEqual([5n]);
  });

  it('T9 an output with an unlock time is in the total, not in the unlocked balance, and cannot be picked', () => {
    const byHeight = output({ seed: 1, height: 100, amount: 5n, unlockTime: 150n });
    const byTime = output({ seed: 2, height: 100, amount: 7n, unlockTime: BigInt(NOW + 1000) });
    const events = [created(), synced(100, 130, [byHeight, byTime], [])];
    const locked = moneyOf(foldEvents(events), NOW);
    expect([locked.total, locked.unlocked, locked.blocksToUnlock]).toEqual([12n, 0n, 19]);
    expect(locked.unlocks).toEqual(
      new Map([
        [150n, 5n],
        [BigInt(NOW + 1000), 7n],
      ]),
    );
    expect(spendableOutputs(foldEvents(events), 0, NOW)).toEqual([]);
    const later = foldEvents([...events, synced(131, 150, [], [])]);
    expect(moneyOf(later, NOW).unlocked).toBe(5n);
    expect(moneyOf(later, NOW + 1000).unlocked).toBe(12n);
  });

  it('the tenth block unlocks', () => {
    const coin = output({ seed: 1, height: 100, amount: 5n });
    const at = (tip: number) => moneyOf(foldEvents([created(), synced(100, tip, [coin], [])]), NOW).unlocked;
    expect([at(108), at(109)]).toEqual([0n, 5n]);
  });

  it('frozen outputs and inputs of transactions of ours are never offered', () => {
    const coins = [1, 2, 3].map((seed) => output({ seed, height: 100, amount: BigInt(seed) }));
    const state = foldEvents([
      created(),
      synced(100, 150, coins, []),
      { type: 'Frozen', key: coins[0]!.key },
      { type: 'TransactionBuilt', tx: sentTx('t', [coins[1]!.keyImage!]) },
      { type: 'TransactionSending', txHash: sentTx('t', []).txHash, at: NOW },
    ]);
    expect(spendableOutputs(state, 0, NOW).map((coin) => coin.amount)).toEqual([3n]);
    expect(moneyOf(state, NOW).total).toBe(3n);
  });

  it('a sent transaction leaves its change in the total and becomes a fact when mined', () => {
    const coin = output({ seed: 1, height: 100, amount: 100n });
    const tx = { ...sentTx('t', [coin.keyImage!]), change: 30n as never, fee: 10n as never };
    const before: WalletEvent[] = [
      created(),
      synced(100, 150, [coin], []),
      { type: 'TransactionBuilt', tx },
      { type: 'TransactionSending', txHash: tx.txHash, at: NOW },
      { type: 'TransactionAccepted', txHash: tx.txHash, at: NOW },
    ];
    const sent = foldEvents(before);
    const balance = moneyOf(sent, NOW);
    expect([balance.total, balance.unlocked]).toEqual([30n, 0n]);
    expect(historyOf(sent, NOW)[0]).toMatchObject({ direction: 'out', state: 'sent', height: undefined });
    const change = output({ seed: 2, height: 151, amount: 30n, tx: 't' });
    const mined = foldEvents([...before, synced(151, 151, [change], [spend(coin.keyImage!, 't', 151, 10n)])]);
    expect(moneyOf(mined, NOW).total).toBe(30n);
    expect(historyOf(mined, NOW)).toHaveLength(2);
    expect(historyOf(mined, NOW)[0]).toMatchObject({ direction: 'out', state: 'mined', amount: 60n, fee: 10n, confirmations: 1 });
    const rewound = foldEvents([...before, { type: 'Rewound', height: 150, parent: hash('p') }]);
    expect(moneyOf(rewound, NOW).total).toBe(30n);
  });

  it('keeps recent block ids without gaps, and ever fewer of the older ones', () => {
    const events: WalletEvent[] = [created()];
    for (let height = 100; height < 3000; height++) events.push(synced(height, height, [], [], [block(height)]));
    const { blocks } = foldEvents(events);
    expect(blocks.slice(-120).map((stub) => stub.height)).toEqual(Array.from({ length: 120 }, (_, i) => 2880 + i));
    expect(blocks.length).toBeLessThan(250);
    expect(blocks.every((stub, i) => i === 0 || stub.height > blocks[i - 1]!.height)).toBe(true);
  });
});
