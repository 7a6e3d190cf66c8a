import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PreparedTransfer } from '../../../src/wallet/api.ts';
import { RemoteError } from '../../../workers/wire.ts';

// Sending where a Ledger signs: what comes between, and where the person is then.

const ADDRESS = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const COIN = 10n ** 12n;

// What a page has and Node has not: the worker's client looks for it when it is loaded.
vi.hoisted(() => vi.stubGlobal('self', globalThis));

const desk = vi.hoisted(() => ({
  calls: [] as string[],
  ready: async (): Promise<void> => undefined,
  send: async (): Promise<readonly string[]> => ['hash'],
  unseen: undefined as object | undefined,
}));

vi.mock('../../../src/app/managers/ledger.svelte.ts', () => ({
  ledger: {
    ready: async () => {
      desk.calls.push('ready');
      await desk.ready();
    },
    begin: () => desk.calls.push('begin'),
  },
}));
vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: { host: { checkAddress: async () => undefined } },
}));
vi.mock('../../../src/app/managers/wallet.svelte.ts', () => ({
  wallet: {
    api: {
      payments: {
        prepareTransfer: async () => {
          desk.calls.push('prepare');
          return prepared;
        },
        send: async () => {
          desk.calls.push('send');
          return desk.send();
        },
        discard: async () => undefined,
        cancel: async () => undefined,
      },
    },
    account: 0,
    accountBalance: { total: 5n * COIN, unlocked: 5n * COIN, blocksToUnlock: 0 },
    get view() {
      return { kind: 'device', accounts: [{}], unseen: desk.unseen };
    },
    onLeave: () => undefined,
    beforeLock: () => undefined,
    refreshLists: async () => undefined,
  },
}));

const { Recipient } = await import('../../../src/app/managers/recipient.svelte.ts');
const { SendFlow } = await import('../../../src/app/managers/send.svelte.ts');

const prepared: PreparedTransfer = { id: 'p1', transactions: [], totalFee: 1n, totalAmount: COIN, warnings: [] };
const failure = (room: string, code: string) => new RemoteError({ room, code, message: 'as it was said', data: undefined });

function filled(recipients = 1) {
  const flow = new SendFlow(() => 'mainnet');
  flow.form.recipients = Array.from({ length: recipients }, () => new Recipient());
  for (const recipient of flow.form.recipients) {
    recipient.address = ADDRESS;
    recipient.amount = '1';
  }
  return flow;
}

beforeEach(() => {
  desk.calls.length = 0;
  desk.ready = async () => undefined;
  desk.send = async () => ['hash'];
  desk.unseen = undefined;
});

describe('a payment that a Ledger signs', () => {
  it('is planned without the Ledger where all key images are known, and signed with it', async () => {
    const flow = filled();
    await flow.prepare();
    expect(desk.calls).toEqual(['prepare']);
    await flow.confirm();
    expect(desk.calls).toEqual(['prepare', 'ready', 'begin', 'send']);
    expect(flow.step).toBe('done');
  });

  it('asks for the Ledger first where key images are missing, or there are more recipients than any Ledger shows', async () => {
    desk.unseen = { coins: 2, scanFrom: undefined };
    const flow = filled();
    await flow.prepare();
    expect([desk.calls, flow.asksImages]).toEqual([['ready', 'prepare'], true]);
    desk.unseen = undefined;
    desk.calls.length = 0;
    await filled(4).prepare();
    expect(desk.calls).toEqual(['ready', 'prepare']);
  });

  it('stays in review while the Ledger is not there, with the reason, and goes on when it is', async () => {
    const flow = filled();
    await flow.prepare();
    desk.ready = () => Promise.reject(failure('WalletError', 'wrong-device'));
    await flow.confirm();
    expect([flow.step, flow.prepared?.id, flow.reaching]).toEqual(['review', 'p1', false]);
    expect(flow.problem).toContain('other keys');
    expect(desk.calls).not.toContain('send');
    desk.ready = async () => undefined;
    await flow.confirm();
    expect(flow.step).toBe('done');
  });

  it('its owner’s no leaves the form as it was, and nothing sent', async () => {
    const flow = filled();
    await flow.prepare();
    desk.send = () => Promise.reject(failure('SpendError', 'signer-refused'));
    await flow.confirm();
    expect([flow.step, flow.prepared, flow.form.recipients[0]?.amount]).toEqual(['form', undefined, '1']);
    expect(flow.problem).toContain('refused on the Ledger');
  });

  it('is not signed once the person has gone back while the Ledger was being reached', async () => {
    const flow = filled();
    await flow.prepare();
    let reached = (): void => undefined;
    desk.ready = () =>
      new Promise((resolve) => {
        reached = resolve;
      });
    const confirmed = flow.confirm();
    await vi.waitFor(() => expect(desk.calls).toContain('ready'));
    await flow.back();
    reached();
    await confirmed;
    expect([flow.step, desk.calls.includes('send')]).toEqual(['form', false]);
  });
});
