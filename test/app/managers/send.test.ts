import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OnSpendProgress, PreparedTransfer, Unlock } from '../../../src/wallet/api.ts';
import type { UnsignedSet } from '../../../src/wallet/index.ts';
import { RemoteError } from '../../../workers/wire.ts';

// The sending behind the form, over a worker that answers when it is told to.

const ADDRESS = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const COIN = 10n ** 12n;

// What a page has and Node has not: the worker's client looks for it when it is loaded.
vi.hoisted(() => vi.stubGlobal('self', globalThis));

const worker = vi.hoisted(() => ({
  calls: [] as [name: string, ...args: unknown[]][],
  /** What each call does; resolves with nothing where none is told. */
  answers: new Map<string, (...args: never[]) => unknown>(),
  balance: { total: 0n, unlocked: 0n, blocksToUnlock: 0, unlocks: [] as Unlock[] },
}));

const called = (name: string) => worker.calls.filter(([call]) => call === name);

vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: { host: { checkAddress: async () => worker.answers.get('checkAddress')?.() } },
}));

vi.mock('../../../src/app/managers/wallet.svelte.ts', () => {
  const calls = (parts: object): object =>
    new Proxy(parts, {
      get: (_, name: string) =>
        Reflect.get(parts, name) ??
        (async (...args: never[]) => {
          worker.calls.push([name, ...args]);
          return worker.answers.get(name)?.(...args);
        }),
    });
  const api = calls({ payments: calls({}), notes: calls({}), addresses: calls({}) });
  return {
    wallet: {
      api,
      account: 0,
      chooseAccount: async () => undefined,
      get accountBalance() {
        return worker.balance;
      },
      view: { kind: 'full', network: 'mainnet', accounts: [{}] },
      onLeave: () => undefined,
      beforeLock: () => undefined,
      refreshLists: async () => undefined,
    },
  };
});

const { SendFlow } = await import('../../../src/app/managers/send.svelte.ts');

const prepared = {
  id: 'p1',
  transactions: [],
  totalFee: 1n,
  totalAmount: COIN,
  warnings: [],
} as const satisfies PreparedTransfer;
const failure = (code: string, data: unknown = undefined) =>
  new RemoteError({ room: 'SpendError', code, message: 'as the engine says it', data });

function filled(amount = '1') {
  const flow = new SendFlow(() => 'mainnet');
  flow.form.recipients[0]!.address = ADDRESS;
  flow.form.recipients[0]!.amount = amount;
  return flow;
}

beforeEach(() => {
  worker.calls.length = 0;
  worker.answers.clear();
  worker.balance = { total: 5n * COIN, unlocked: 5n * COIN, blocksToUnlock: 0, unlocks: [] };
  worker.answers.set('prepareTransfer', () => prepared);
});

describe('a payment request', () => {
  it('is heard in its own words where the payment is reviewed, for the address that it names', async () => {
    const flow = new SendFlow(() => 'mainnet');
    flow.takeRequest(`monero:${ADDRESS}?tx_amount=1&recipient_name=Ana&tx_description=rent`);
    await flow.prepare();
    expect(flow.form.asked(ADDRESS)).toBe('Ana: rent');
    expect(flow.form.asked('another')).toBeUndefined();
  });
});

describe('a recipient', () => {
  const OTHER = `8${ADDRESS.slice(1)}`;

  it('whose address is the wallet’s own says so, and not where another address has taken its place meanwhile', async () => {
    const { form } = filled();
    const recipient = form.recipients[0]!;
    let answer: (index: object) => void = () => undefined;
    worker.answers.set('indexOf', () => new Promise((resolve) => (answer = resolve)));
    await form.readAddress(recipient);
    recipient.address = OTHER;
    answer({ major: 0, minor: 0 });
    await vi.waitFor(() => expect(called('subaddresses')).toHaveLength(1));
    expect(recipient.own).toBeUndefined();
    worker.answers.set('indexOf', () => ({ major: 0, minor: 0 }));
    await form.readAddress(recipient);
    await vi.waitFor(() => expect(recipient.own).toMatch(/^This is your own address/));
    expect(form.own(OTHER)).toBe(recipient.own);
  });

  it('that has the address of an earlier one says of which, whatever was copied around it', () => {
    const { form } = filled();
    form.add();
    form.add();
    expect(form.recipients.map((one) => form.sameAs(one))).toEqual([undefined, undefined, undefined]);
    form.recipients[2]!.address = ` ${ADDRESS}\n`;
    expect(form.recipients.map((one) => form.sameAs(one))).toEqual([undefined, undefined, 0]);
  });
});

describe('a payment that was begun', () => {
  const OTHER = `monero:${ADDRESS}?tx_amount=2`;
  const amounts = (flow: ReturnType<typeof filled>) => flow.form.recipients.map(({ amount }) => amount);

  it('is kept when a link fills the form, and changes places with that', () => {
    const flow = filled('1');
    flow.takeRequest(OTHER);
    expect(amounts(flow)).toEqual(['2']);
    flow.switchToOtherDraft();
    expect(amounts(flow)).toEqual(['1']);
    flow.switchToOtherDraft();
    expect(amounts(flow)).toEqual(['2']);
    flow.clear();
    flow.switchToOtherDraft();
    expect([amounts(flow), flow.otherDrafts]).toEqual([['1'], []]);
  });

  it('is one of several where each was changed; what a link alone had filled in is not kept', () => {
    const flow = filled('1');
    flow.takeRequest(OTHER);
    flow.takeRequest(`monero:${ADDRESS}?tx_amount=3`);
    expect(flow.otherDrafts).toHaveLength(1);
    flow.form.recipients[0]!.amount = '4';
    flow.takeRequest(OTHER);
    expect(flow.otherDrafts.map(({ recipients }) => recipients[0]?.amount)).toEqual(['1', '4']);
  });

  it('is kept when the form is wanted for coins to be split, and so is the split', () => {
    const flow = filled('1');
    flow.enter({ keyImages: ['a'], amount: COIN, account: 0, addresses: 1, split: { coins: 2, address: ADDRESS } });
    expect(flow.otherDrafts).toHaveLength(1);
    const restored = new SendFlow(() => 'mainnet');
    restored.resume(flow.draftsToSave());
    expect([restored.form.split, restored.form.sweepRequest(), restored.otherDrafts]).toEqual([
      2,
      flow.form.sweepRequest(),
      flow.otherDrafts,
    ]);
  });
});

describe('what is pasted', () => {
  it('is an address however it was broken into lines and groups, and an amount with its coin’s name', async () => {
    const flow = filled();
    const [recipient] = flow.form.recipients;
    recipient!.address = ` ${ADDRESS.replace(/.{5}/g, '$& ')}\n\u200e`;
    recipient!.type('0.25 XMR');
    await flow.prepare();
    expect([recipient!.address, recipient!.amount, flow.step]).toEqual([ADDRESS, '0.25', 'review']);
  });
});

describe('sending', () => {
  it('asks for what the form says, to the last unit, and sends what was reviewed', async () => {
    const flow = filled('1.000000000001');
    worker.answers.set('send', () => ['hash']);
    await flow.prepare();
    expect(flow.step).toBe('review');
    const [, request] = called('prepareTransfer')[0]!;
    expect(request).toMatchObject({ destinations: [{ address: ADDRESS, amount: COIN + 1n }], account: 0, acceptHighFee: false });
    expect(called('send')).toEqual([]);
    await flow.confirm();
    expect([flow.step, flow.sent]).toEqual(['done', ['hash']]);
    expect(called('send')[0]![1]).toBe('p1');
  });

  it('sends once however often that is pressed', async () => {
    const flow = filled();
    await flow.prepare();
    await Promise.all([flow.confirm(), flow.confirm()]);
    await flow.confirm();
    expect(called('send')).toHaveLength(1);
  });

  it('refuses more than the account has before anything is asked of the engine', async () => {
    const flow = filled('5.000000000001');
    await flow.prepare();
    expect([flow.step, called('prepareTransfer')]).toEqual(['form', []]);
    expect(flow.form.overspendError).toBe('That is more than the wallet holds, 5 XMR. Enter less, or send all.');
    flow.form.recipients[0]!.amount = '5';
    expect(flow.form.overspendError).toBeUndefined();
    worker.balance = { ...worker.balance, total: 0n, unlocked: 0n };
    const nothing = 'There are no coins here yet. Receive some first.';
    expect([flow.form.overspendHint, flow.form.overspendError], 'said once').toEqual([undefined, nothing]);
  });

  it('says one thing at a time: what is wrong with an address before an amount that is too much', async () => {
    const flow = filled('6');
    flow.form.recipients[0]!.address = ADDRESS.slice(0, 40);
    worker.answers.set('checkAddress', () => {
      throw failure('bad-address');
    });
    await flow.prepare();
    const [recipient] = flow.form.recipients;
    expect(recipient?.addressProblem).toBeDefined();
    expect(flow.form.overspendError).toBeUndefined();
    recipient!.addressProblem = undefined;
    expect(flow.form.overspendError).toBeDefined();
  });

  it('says while an amount is typed that it is more than can be spent, with a fee where one is known', () => {
    worker.balance = { ...worker.balance, unlocked: 2n * COIN };
    const typed = (amount: string, levels?: object) => {
      const flow = filled(amount);
      flow.form.levels = levels as never;
      return flow.form.overspendHint;
    };
    const lacking = { planned: false, automatic: 2, levels: [{ fee: COIN / 100n }, { fee: COIN / 50n }] };
    expect([typed(''), typed('x'), typed('2'), typed('1.97', lacking)]).toEqual([undefined, undefined, undefined, undefined]);
    expect(typed('2', { ...lacking, planned: true }), 'a payment that could be planned has its fee').toBeUndefined();
    expect(typed('2.000000000001')).toBe('More than the 2 XMR that can be spent.');
    expect(typed('1.99', lacking)).toBe('With a fee of about 0.02 XMR this is more than the 2 XMR that can be spent.');
    const flow = filled('1.5');
    flow.form.add();
    flow.form.recipients[1]!.amount = '0.6';
    expect(flow.form.overspendHint).toBe('Together more than the 2 XMR that can be spent.');
    flow.form.sweep = true;
    expect(flow.form.overspendHint, 'what is sent whole has no amount').toBeUndefined();
  });

  it('tells when coins that are all locked can be sent', async () => {
    worker.balance = { ...worker.balance, unlocked: 0n, unlocks: [{ amount: 5n * COIN, blocks: 9, time: undefined }] };
    const flow = filled('1');
    await flow.prepare();
    expect(flow.form.overspendError).toBe('All of your coins are still locked; you can send in about 18 min.');
  });

  it('lets go of what was planned when the person steps back', async () => {
    const flow = filled();
    await flow.prepare();
    await flow.back();
    expect([flow.step, flow.prepared]).toEqual(['form', undefined]);
    expect(called('discard')).toEqual([['discard', 'p1']]);
  });

  it('plans nothing for who left while the form was read', async () => {
    const flow = filled();
    const preparing = flow.prepare();
    flow.leave();
    await preparing;
    expect([flow.step, called('prepareTransfer')]).toEqual(['form', []]);
  });

  it('hands out no file that was turned away from while its coins were set aside, and frees them', async () => {
    const flow = filled();
    const unsigned = { coins: ['coin'], file: new Uint8Array() } as unknown as UnsignedSet;
    Object.assign(flow, { unsigned, step: 'review' });
    const saving = flow.save();
    flow.leave();
    await saving;
    expect([flow.step, flow.saving.problem]).toEqual(['form', undefined]);
    expect(called('setFrozen').map(([, , frozen]) => frozen)).toEqual([true, false]);
  });

  it('does not show what was cancelled while it was being made', async () => {
    const flow = filled();
    let finish: (value: PreparedTransfer) => void = () => undefined;
    let tell: OnSpendProgress = () => undefined;
    worker.answers.set('prepareTransfer', (_: unknown, onProgress: OnSpendProgress) => {
      tell = onProgress;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const preparing = flow.prepare();
    await vi.waitUntil(() => flow.step === 'preparing' && called('prepareTransfer').length === 1);
    await flow.cancel();
    tell({ stage: 'decoys', number: 1, of: 1 });
    finish(prepared);
    await preparing;
    expect([flow.step, flow.prepared, flow.progress]).toEqual(['form', undefined, undefined]);
    expect(called('cancel')).toHaveLength(1);
  });

  it('stops what is being signed: the form is as it was, and nothing is said', async () => {
    const flow = filled();
    let stop: () => void = () => undefined;
    worker.answers.set(
      'send',
      () =>
        new Promise((_, reject) => {
          stop = () => reject(failure('aborted'));
        }),
    );
    worker.answers.set('cancel', () => stop());
    await flow.prepare();
    const sending = flow.confirm();
    await vi.waitUntil(() => called('send').length === 1);
    await flow.cancel();
    await sending;
    expect([flow.step, flow.prepared, flow.problem, flow.form.recipients[0]!.amount]).toEqual([
      'form',
      undefined,
      undefined,
      '1',
    ]);
    expect(called('cancel')).toHaveLength(1);
  });

  it('T3 a wish to stop that comes too late changes nothing: what was paid is shown as paid', async () => {
    for (const [answer, step] of [
      [() => ['hash'], 'done'],
      [() => Promise.reject(failure('perhaps-sent')), 'unclear'],
    ] as const) {
      const flow = filled();
      worker.answers.set('send', async () => {
        await flow.cancel();
        return answer();
      });
      await flow.prepare();
      await flow.confirm();
      expect(flow.step).toBe(step);
    }
  });

  it('T3 offers nothing to be sent again once it may have paid', async () => {
    for (const [error, step] of [
      [failure('perhaps-sent'), 'unclear'],
      [failure('rejected', { sent: ['one'], reasons: [] }), 'unclear'],
      [failure('rejected', { sent: [], reasons: ['double-spend'] }), 'form'],
    ] as const) {
      const flow = filled();
      worker.answers.set('send', () => Promise.reject(error));
      await flow.prepare();
      await flow.confirm();
      expect([flow.step, flow.prepared]).toEqual([step, undefined]);
      expect(flow.problem).toBeTruthy();
    }
  });

  it('T1 asks before a fee above the cap is accepted', async () => {
    const flow = filled();
    worker.answers.set('prepareTransfer', () => Promise.reject(failure('fee-too-high')));
    await flow.prepare();
    expect([flow.step, flow.feeTooHigh, flow.form.acceptHighFee]).toEqual(['form', true, false]);
    worker.answers.set('prepareTransfer', () => prepared);
    flow.form.acceptHighFee = true;
    await flow.prepare();
    expect(called('prepareTransfer').at(-1)![1]).toMatchObject({ acceptHighFee: true });
  });

  it('reads a whole payment request, and notes its words on what was sent', async () => {
    const flow = new SendFlow(() => 'mainnet');
    flow.form.recipients[0]!.address = `monero:${ADDRESS}?tx_amount=0.5&tx_description=for%20coffee`;
    worker.answers.set('send', () => ['hash']);
    await flow.prepare();
    await flow.confirm();
    expect(called('prepareTransfer')[0]![1]).toMatchObject({ destinations: [{ address: ADDRESS, amount: COIN / 2n }] });
    expect(called('write')).toEqual([['write', [{ txHash: 'hash', note: 'for coffee' }]]]);
  });

  it('sweeps chosen coins to one address and no others', async () => {
    const flow = filled();
    flow.form.add();
    flow.enter({ account: 2, keyImages: ['a', 'b'] } as never);
    worker.answers.set('prepareSweep', () => prepared);
    await flow.prepare();
    expect(called('prepareSweep')[0]![1]).toMatchObject({ account: 2, keyImages: ['a', 'b'], address: ADDRESS });
    expect(called('prepareTransfer')).toEqual([]);
  });
});
