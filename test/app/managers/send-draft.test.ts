import { expect, it, vi } from 'vitest';
import type { BegunPayment, TransferRequest } from '../../../src/wallet/index.ts';
import type { PageWallet } from '../../../workers/client.ts';

// A form of Send and the review of it, over the page's own wallet.

vi.hoisted(() => vi.stubGlobal('self', globalThis));
vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: { host: { checkAddress: async () => undefined } },
}));

const { openSending } = await import('../../../src/app/managers/send.svelte.ts');
const { wallet } = await import('../../../src/app/managers/wallet.svelte.ts');

const COIN = 10n ** 12n;
const [ONE, OTHER] = ['4One', '4Other'] as const;
const balance = { total: 9n * COIN, unlocked: 9n * COIN, unlocks: [] };
const view = {
  ...{ kind: 'full', version: 1, primaryAddress: '4Own', network: 'mainnet', sync: { phase: 'live', height: 5, rate: 0 } },
  accounts: [0, 1].map((account) => ({ account, label: '', balance })),
};
const asked: TransferRequest[] = [];
/** What the wallet keeps while it is locked. */
let sealed: readonly BegunPayment[] = [];

/** Plans each payment in two transactions, half of it in each. */
const api = {
  view: async () => view,
  subscribe: async () => () => undefined,
  history: async () => [],
  subaddresses: async () => [],
  contacts: async () => [],
  keepBegun: async (payments: readonly BegunPayment[]) => {
    sealed = structuredClone(payments);
  },
  takeBegun: async () => {
    const taken = sealed;
    sealed = [];
    return taken;
  },
  payments: {
    prepareTransfer: async (request: TransferRequest) => {
      asked.push(request);
      const half = { destinations: request.destinations.map(({ address, amount }) => ({ address, amount: amount / 2n })) };
      return { id: 'p', transactions: [half, half], totalFee: 1n, totalAmount: COIN, warnings: [] };
    },
    discard: async () => undefined,
  },
} as unknown as PageWallet;

async function filled() {
  await wallet.enter(api);
  const flow = openSending(() => 'mainnet');
  Object.assign(flow.form.recipients[0]!, { address: ONE, amount: '1' });
  return flow;
}

it('the review tells whom the planned payment pays, not what came into the form since', async () => {
  const flow = await filled();
  await flow.prepare();
  flow.form.recipients[0]!.address = OTHER;
  flow.form.recipients[0]!.type('2');
  expect(flow.payees).toEqual([{ address: ONE, amount: COIN }]);
  await flow.back();
  expect(flow.payees).toEqual([]);
  flow.clear();
});

it('a form that a lock interrupts is paid from the account that it was filled in for', async () => {
  await filled();
  await wallet.chooseAccount(1);
  wallet.leave();
  await wallet.enter(api);
  expect(wallet.account).toBe(0);
  const flow = openSending(() => 'mainnet');
  await flow.prepare();
  expect([flow.step, flow.account, asked.at(-1)?.account, wallet.account]).toEqual(['review', 1, 1, 1]);
});

it('T13 a form that a lock interrupts is kept by the wallet, once, and fills the form of a page that is loaded anew', async () => {
  const flow = await filled();
  flow.form.note = 'rent';
  wallet.lock();
  expect(sealed).toHaveLength(1);
  vi.resetModules();
  const [anew, sending] = await Promise.all([
    import('../../../src/app/managers/wallet.svelte.ts'),
    import('../../../src/app/managers/send.svelte.ts'),
  ]);
  await anew.wallet.enter(api);
  const restored = sending.openSending(() => 'mainnet');
  await vi.waitFor(() => expect(restored.form.recipients[0]?.address).toBe(ONE));
  expect([restored.form.recipients[0]?.amount, restored.form.note, restored.aside, sealed]).toEqual(['1', 'rent', [], []]);
  // What has been cleared is not kept.
  restored.clear();
  anew.wallet.lock();
  expect(sealed).toEqual([]);
});

it('what this page knows by itself is not taken over twice', async () => {
  const flow = await filled();
  wallet.lock();
  await wallet.enter(api);
  const again = openSending(() => 'mainnet');
  await vi.waitFor(() => expect(sealed).toEqual([]));
  expect([flow.form.recipients.length, again.form.recipients.length, again.aside]).toEqual([1, 1, []]);
  again.clear();
});
