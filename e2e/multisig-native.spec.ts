import { takeServiceSeat } from '../test/support/multisig-service.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../test/support/programs.ts';
import { addOf, beginGroup, type Handed, handOut, type Person, takeIn } from './support/group.ts';
import { type Served, startSite } from './support/serve.ts';
import { allUnlocked, amountAt, coins, expect, fillPayment, isLive, test, toReview } from './support/wallet.ts';

// A wallet of 3 of 4 whose members use the page, monero-wallet-rpc and our service, in front of a real monerod. What they tell each other goes
// as the programs print it: text, hex, and files of the same.

const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const PAID = '1.5';
const XMR = 1_000_000_000_000n;
const OTHERS = ['Ben', 'Carl', 'Dora'] as const;

/** A member who uses no page. */
interface Seat {
  rpc<T>(method: string, params?: object): Promise<T>;
}

interface Programs {
  readonly monerod: Monerod;
  readonly site: Served;
  /** Ben's is the reference's. */
  readonly seats: readonly [Seat, Seat, Seat];
}

const withPrograms = test.extend<{ programs: Programs }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  programs: async ({}, use) => {
    const monerod = await startMonerod({ premined: true });
    const [site, ben, carl, dora] = await Promise.all([
      startSite(['--port', '0', '--daemon', monerod.url]),
      startWalletRpc({ daemon: monerod.url }),
      takeServiceSeat(monerod),
      takeServiceSeat(monerod),
    ]);
    await ben.createWallet('member');
    await use({ monerod, site, seats: [asSeat(ben), carl, dora] });
    await Promise.all([site, ben, carl, dora].map((program) => program.stop()));
    await monerod.stop();
  },
  baseURL: ({ programs }, use) => use(programs.site.url),
});

const asSeat = (program: MoneroWalletRpc): Seat => ({ rpc: (method, params) => program.rpc(method, params) });

const textOf = (handed: Handed): string => ('text' in handed ? handed.text : handed.bytes.toString());
const others = (messages: readonly string[], i: number): string[] => messages.filter((_, j) => j !== i);

/** What a program printed, as a file: hex is the bytes that it stands for. */
function asFile(printed: string): Handed {
  return { name: 'message', bytes: Buffer.from(printed, /^[0-9a-f]+$/.test(printed) ? 'hex' : 'ascii') };
}

/** All rounds, until the page shows the group's address. */
async function makeGroup(ada: Person, seats: readonly Seat[], threshold: number): Promise<void> {
  interface Round {
    readonly multisig_info: string;
  }
  const ask = (method: string, params: (i: number) => object) =>
    Promise.all(seats.map(async (seat, i) => (await seat.rpc<Round>(method, params(i))).multisig_info));
  let told = await ask('prepare_multisig', () => ({ enable_multisig_experimental: true }));
  const rounds = seats.length + 1 - threshold + 2;
  for (let round = 1; round <= rounds; round++) {
    const own = textOf(await handOut(ada, round === 1 ? 'text' : 'file'));
    const [before, method] = [told, round === 1 ? 'make_multisig' : 'exchange_multisig_keys'];
    const more = round === 1 ? { threshold } : {};
    told = await ask(method, (i) => ({ multisig_info: [own, ...others(before, i)], password: '', ...more }));
    for (const [i, message] of before.entries())
      await takeIn(ada, round === 2 ? asFile(message) : { text: message }, addOf(OTHERS[i]!));
    const button = round === rounds ? 'Make the wallet' : `Go on to round ${round + 1}`;
    await ada.page.getByRole('button', { name: button }).click();
    if (round < rounds) await expect(ada.page.getByTestId('round')).toHaveText(new RegExp(`^Round ${round + 1} of`));
  }
}

/** Everybody tells everybody what a payment needs. */
async function exchange(ada: Person, seats: readonly Seat[]): Promise<void> {
  const { page } = ada;
  await page.goto('/#/');
  await isLive(page);
  for (const seat of seats) await seat.rpc('refresh');
  await page.goto('/#/group');
  await page.getByRole('button', { name: 'Make my message' }).click();
  const own = textOf(await handOut(ada, 'text'));
  const infos = await Promise.all(seats.map(async (seat) => (await seat.rpc<{ info: string }>('export_multisig_info')).info));
  for (const [i, seat] of seats.entries()) await seat.rpc('import_multisig_info', { info: [own, ...others(infos, i)] });
  for (const info of infos) await takeIn(ada, asFile(info));
  await expect(page.getByText('Enough of you are up to date')).toBeVisible();
}

const signedBy = async (seat: Seat, set: string) =>
  (await seat.rpc<{ tx_data_hex: string }>('sign_multisig', { tx_data_hex: set })).tx_data_hex;

withPrograms(
  'a wallet of 3 of 4 with monero-wallet-rpc among the members is made, receives and spends',
  async ({ page, programs }) => {
    const { monerod, seats } = programs;
    const [ben, carl, dora] = seats;
    const ada: Person = { name: 'Ada', page };
    page.setDefaultTimeout(60_000);
    await beginGroup(ada, OTHERS, 3);
    await makeGroup(ada, seats, 3);
    await page.getByRole('link', { name: 'Open the shared wallet' }).click();
    const address = (await page.getByTestId('group-address').getAttribute('data-address')) ?? '';
    for (const seat of seats) expect(await seat.rpc('get_address')).toMatchObject({ address });
    await monerod.generateBlocks(2, address);
    await monerod.generateBlocks(60, PAYEE);
    await exchange(ada, seats);

    // The reference proposes; the page signs second, and our service third; the reference sends.
    const destinations = [{ address: PAYEE, amount: 2n * XMR }];
    const { multisig_txset } = await ben.rpc<{ multisig_txset: string }>('transfer', { destinations });
    await takeIn(ada, asFile(multisig_txset));
    await expect(page.getByRole('heading', { name: 'Proposed by Ben' })).toBeVisible();
    await expect(page.locator(`[data-address="${PAYEE}"]`)).toBeVisible();
    expect(await amountAt(page, 'amount')).toBe(2n * XMR);
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(page.getByTestId('set-state')).toHaveText('1 more must sign');
    const complete = await signedBy(carl, textOf(await handOut(ada, 'text')));
    const { tx_hash_list } = await ben.rpc<{ tx_hash_list: string[] }>('submit_multisig', { tx_data_hex: complete });
    expect(tx_hash_list).toHaveLength(1);
    await monerod.minePool(PAYEE);
    await page.goto('/#/history');
    await expect(page.getByRole('link', { name: /Sent/ })).toHaveCount(1, { timeout: 60_000 });

    // The page proposes; our service signs, and the reference last; the page sends what came back.
    await monerod.generateBlocks(10, PAYEE);
    await exchange(ada, seats);
    await page.goto('/#/');
    await allUnlocked(page);
    await fillPayment(page, PAYEE, PAID);
    await toReview(page, 'Check before you propose it');
    await page.getByRole('button', { name: 'Sign and propose' }).click();
    await expect(page.getByTestId('set-state')).toHaveText('2 more must sign');
    const proposal = textOf(await handOut(ada, 'text'));
    await takeIn(ada, asFile(await signedBy(ben, await signedBy(dora, proposal))));
    await expect(page.getByTestId('set-state')).toHaveText('Ready to be sent');
    // In the order of their keys.
    await expect(page.getByText(/^Signed by (?=.*Ada \(you\))(?=.*Ben)(?=.*Dora)/)).toBeVisible();
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible();
    await monerod.minePool(PAYEE);
    for (const seat of seats) {
      await seat.rpc('refresh');
      const { out } = await seat.rpc<{ out: { amount: number }[] }>('get_transfers', { out: true });
      expect(out.map(({ amount }) => BigInt(amount)).sort()).toEqual([coins(PAID), 2n * XMR]);
    }
  },
);
