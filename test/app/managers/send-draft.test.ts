import { expect, it, vi } from 'vitest';
import type { PaymentDraft, TransferRequest } from '../../../src/wallet/index.ts';
import type { PageWallet } from '../../../workers/client.ts';

// A form of Send and the review of it, over the page's own wallet.

vi.hoisted(() => vi.stubGlobal('self', globalThis));
vi.mock('../../../src/app/managers/session.svelte.ts', () => ({
  session: { host: { checkAddress: async () => undefined } },
}));

const { m } = await import('../../../src/app/language/messages.ts');
const { openSendFlow } = await import('../../../src/app/managers/send.svelte.ts');
const { wallet } = await import('../../../src/app/managers/wallet.svelte.ts');

const COIN = 10n ** 12n;
const [ONE, OTHER] = ['4One', '4Other'] as const;
const balance = { total: 9n * COIN, unlocked: 9n * COIN, unlocks: [] };
const view = {
  ...{ kind: 'full', version: 1, primaryAddress: '4Own', network: 'mainnet', sync: { phase: 'live', height: 5, rate: 0 } },
  accounts: [0, 1].map((account) => ({ account, label: '', balance })),
};
const coin = { amount: 2n * COIN, subaddress: { major: 0, minor: 0 }, height: 1, unlockTime: 0n };
const asked: TransferRequest[] = [];
/** Key image of a coin that something else has spent. */
let spent = '';
/** What the wallet keeps while it is locked. */
let sealed: readonly PaymentDraft[] = [];
/** The same, as it was when something was sent. */
let sealedAtSend: typeof sealed = [];

/** Plans each payment in two transactions, half of it in each. */
const api = {
  view: async () => view,
  subscribe: async () => () => undefined,
  history: async () => [],
  subaddresses: async () => [],
  contacts: async () => [],
  outputs: async () =>
    [1, 2].map((number) => ({
      ...{ ...coin, key: `key ${number}`, keyImage: `image ${number}` },
      hold: spent === `image ${number}` ? 'spent' : undefined,
    })),
  saveDrafts: async (payments: readonly PaymentDraft[]) => {
    sealed = structuredClone(payments);
  },
  drafts: async () => sealed,
  payments: {
    prepareTransfer: async (request: TransferRequest) => {
      asked.push(request);
      const half = { destinations: request.destinations.map(({ address, amount }) => ({ address, amount: amount / 2n })) };
      return { id: 'p', transactions: [half, half], totalFee: 1n, totalAmount: COIN, warnings: [] };
    },
    discard: async () => undefined,
    send: async () => {
      sealedAtSend = sealed;
      return ['sent'];
    },
  },
} as unknown as PageWallet;

async function filled() {
  await wallet.enter(api);
  const flow = openSendFlow(() => 'mainnet');
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
  wallet.lock();
  await wallet.enter(api);
  expect(wallet.account).toBe(0);
  const flow = openSendFlow(() => 'mainnet');
  await flow.prepare();
  expect([flow.step, flow.account, asked.at(-1)?.account, wallet.account]).toEqual(['review', 1, 1, 1]);
});

/** The page as it is when it is loaded anew, and this wallet opened in it. */
async function loadedAnew() {
  vi.resetModules();
  const [anew, sending, coins] = await Promise.all([
    import('../../../src/app/managers/wallet.svelte.ts'),
    import('../../../src/app/managers/send.svelte.ts'),
    import('../../../src/app/managers/coins.svelte.ts'),
  ]);
  await anew.wallet.enter(api);
  return { wallet: anew.wallet, CoinList: coins.CoinList, open: () => sending.openSendFlow(() => 'mainnet') };
}

it('the fee is taken out of what all recipients get where that is asked for, and so it is kept', async () => {
  const flow = await filled();
  await flow.prepare();
  expect(asked.at(-1)).not.toHaveProperty('feeFrom');
  await flow.back();
  flow.form.add();
  Object.assign(flow.form.recipients[1]!, { address: OTHER, amount: '1' });
  flow.form.feeFromAmount = true;
  await flow.prepare();
  expect(asked.at(-1)?.feeFrom).toEqual([0, 1]);
  await flow.back();
  wallet.lock();
  const kept = (await loadedAnew()).open();
  expect([kept.form.feeFromAmount, sealed[0]?.feeFromAmount]).toEqual([true, true]);
  kept.clear();
  expect(kept.form.feeFromAmount).toBe(false);
});

it('T13 a form that a lock interrupts is kept by the wallet, and fills the form of a page that is loaded anew', async () => {
  const flow = await filled();
  flow.form.note = 'rent';
  wallet.lock();
  expect(sealed).toHaveLength(1);
  const page = await loadedAnew();
  expect(page.wallet.drafts).toEqual(sealed);
  const restored = page.open();
  const [recipient] = restored.form.recipients;
  expect([recipient?.address, recipient?.amount, restored.form.note, restored.otherDrafts]).toEqual([ONE, '1', 'rent', []]);
  // What has been cleared is not kept.
  restored.clear();
  page.wallet.lock();
  expect([sealed, page.wallet.drafts]).toEqual([[], []]);
});

it('T13 a form of chosen coins is kept as any other', async () => {
  const before = await loadedAnew();
  const list = new before.CoinList();
  await list.load(0);
  list.toggle(list.all[0]!);
  list.handOver();
  before.open().form.recipients[0]!.address = ONE;
  before.wallet.lock();
  const { form } = (await loadedAnew()).open();
  const { address } = form.recipients[0]!;
  expect([address, form.sweep, form.account, form.chosen?.amount]).toEqual([ONE, true, 0, 2n * COIN]);
  expect(form.sweepRequest().keyImages).toEqual(['image 1']);
  await vi.waitFor(() => expect(form.chosenFree).toBe(2n * COIN));
  expect(form.coinsGone).toBe(false);
  await before.wallet.enter(api);
  await before.wallet.saveDrafts([]);
});

it('T13 chosen coins that something else has spent are told of, not offered as money', async () => {
  const coins = { keyImages: ['image 1', 'image 2'], amount: 4n * COIN, addresses: 1 };
  const recipients = [{ address: ONE, amount: '', message: '' }];
  sealed = [{ recipients, note: '', account: 0, priority: 0, sweep: true, older: false, coins }];
  spent = 'image 1';
  const page = await loadedAnew();
  const flow = page.open();
  await vi.waitFor(() => expect([flow.form.chosenFree, flow.form.coinsGone]).toEqual([2n * COIN, true]));
  // Taken up again from aside they are looked at, too.
  flow.takeRequest(OTHER);
  spent = 'image 2';
  expect(flow.form.coinsGone).toBe(false);
  flow.switchToOtherDraft();
  await vi.waitFor(() => expect(flow.form.coinsGone).toBe(true));
  // What was taken a moment ago is seen before anything is planned.
  flow.form.chosenFree = undefined;
  await flow.prepare();
  expect([flow.step, flow.form.overspendError]).toEqual(['form', m.send_coins_gone()]);
  flow.form.release();
  expect([flow.form.coinsGone, flow.form.overspendError]).toEqual([false, undefined]);
  spent = '';
  sealed = [];
});

it('a link that is followed again, on a page that is loaded anew, is one payment', async () => {
  const [first, second] = ['monero:4Jne?tx_amount=1', 'monero:4Jne?tx_amount=2'];
  for (const asked of [first, first, second, first, second]) {
    const page = await loadedAnew();
    page.open().takeRequest(asked);
    page.wallet.lock();
  }
  expect(sealed.map(({ recipients }) => recipients[0]?.amount)).toEqual(['1', '2']);
  sealed = [];
});

it('what would fill the disk is not kept: a text that nobody pays to, payments without end', async () => {
  const page = await loadedAnew();
  const flow = page.open();
  flow.form.recipients[0]!.address = 'Z'.repeat(30_000);
  await flow.saveDrafts();
  expect(sealed).toEqual([]);
  for (let amount = 1; amount <= 30; amount += 1) flow.takeRequest(`monero:4Jne?tx_amount=${amount}`);
  flow.form.recipients[0]!.address = OTHER;
  for (let amount = 31; amount <= 60; amount += 1) {
    flow.takeRequest(`monero:4Jne?tx_amount=${amount}`);
    flow.form.recipients[0]!.address = OTHER;
  }
  await flow.saveDrafts();
  expect([sealed.length, sealed.at(-1)?.recipients[0]?.amount]).toEqual([10, '60']);
  sealed = [];
});

it('what this page knows by itself is not taken over twice', async () => {
  await filled();
  wallet.lock();
  await wallet.enter(api);
  const again = openSendFlow(() => 'mainnet');
  expect([again.form.recipients.length, again.otherDrafts]).toEqual([1, []]);
  again.clear();
  await again.saveDrafts();
});

it('what is being sent is kept no more before it is sent, and one that could not be sent is kept again', async () => {
  const flow = await filled();
  await flow.prepare();
  await flow.saveDrafts();
  expect(sealed).toHaveLength(1);
  await flow.confirm();
  expect([flow.step, sealedAtSend]).toEqual(['done', []]);
  flow.begin();
  Object.assign(flow.form.recipients[0]!, { address: ONE, amount: '1' });
  await flow.prepare();
  api.payments.send = async () => Promise.reject(new Error('no'));
  await flow.confirm();
  expect([flow.step, sealed.length]).toEqual(['form', 1]);
});
