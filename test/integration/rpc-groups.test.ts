import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonInput, stringifyJson } from '../../src/base/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { walletFromWords } from '../../src/wallet/make.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { type Comparable, ourAnswer, theirAnswer, unordered, without } from '../support/rpc-both.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// One seed in the reference's wallet and in ours, one chain; a third wallet, the reference's, pays it and is paid.
let daemon: Monerod;
let payer: MoneroWalletRpc;
let theirs: MoneroWalletRpc;
let wallet: Wallet;
let service: RpcService;
let payerAddress: string;
let address: string;
let subaddress: string;
let secondAccount: string;
let integrated: string;
/** Hash of each transaction, by what it is. */
const txs: Record<'plain' | 'identified' | 'locked' | 'two' | 'ours' | 'theirs' | 'between', string> = {
  plain: '',
  identified: '',
  locked: '',
  two: '',
  ours: '',
  theirs: '',
  between: '',
};

const XMR = 1_000_000_000_000n;
const PAYMENT_ID = '1122334455667788';
const NOBODY = 'ab'.repeat(32);
const env = quickEnvironment();

beforeAll(async () => {
  // That release lets money be locked until a height: those after it take none such into their pool.
  daemon = await startMonerod({ release: '0.18.0.0', premined: true });
  [payer, theirs] = await Promise.all([
    startWalletRpc({ daemon: daemon.url, release: '0.18.0.0' }),
    startWalletRpc({ daemon: daemon.url }),
  ]);
  payerAddress = await payer.restoreWallet('payer', MINER_SEED);
  address = await theirs.createWallet('one');
  await daemon.generateBlocks(3, address);
  await daemon.generateBlocks(60, payerAddress);
  const made = await walletFromWords(await theirs.seed(), { network: 'regtest', from: { height: 0 }, now: 0 });
  wallet = await Wallet.create(env, 'one', 'pw', made);
  await wallet.setDaemon({ url: daemon.url, trusted: true });
  service = new RpcService(oneWalletHost(wallet), { checkResults: true });
  await both('create_account', { label: 'second' });
  await both('create_address', { account_index: 0, label: 'sub' });
  ({ address: subaddress } = (await wallet.subaddresses(0))[1]!);
  ({ address: secondAccount } = (await wallet.subaddresses(1))[0]!);
  const made16 = (await ourAnswer(service, 'make_integrated_address', { payment_id: PAYMENT_ID })) as Record<string, string>;
  integrated = made16.integrated_address!;
  await payToBoth();
}, 900_000);

afterAll(async () => {
  await wallet?.close();
  await Promise.all([payer?.stop(), theirs?.stop()]);
  await daemon?.stop();
});

async function both(method: string, params: unknown): Promise<readonly [Comparable, Comparable]> {
  return [await ourAnswer(service, method, params), await theirAnswer(theirs, method, params)];
}

/** Mines what waits, and at least so many blocks. */
async function mine(blocks: number): Promise<void> {
  const mined = await daemon.minePool(payerAddress);
  if (mined < blocks) await daemon.generateBlocks(blocks - mined, payerAddress);
  await Promise.all([theirs.refreshToHeight(daemon), payer.refreshToHeight(daemon)]);
  await refreshToTip(wallet, await daemon.height());
}

/** Money of every kind, and some of it spent: by ours, by the reference, and from one account to the other. */
async function payToBoth(): Promise<void> {
  await payer.refreshToHeight(daemon);
  const pay = async (to: readonly [string, bigint][], options?: Record<string, unknown>) =>
    (
      await payer.transfer(
        to.map(([at, amount]) => ({ address: at, amount: amount * XMR })),
        options,
      )
    ).tx_hash;
  txs.plain = await pay([[address, 5n]]);
  txs.identified = await pay([[integrated, 7n]]);
  txs.locked = await pay([[subaddress, 3n]], { unlock_time: 100_000 });
  txs.two = await pay([
    [subaddress, 2n],
    [subaddress, 4n],
    [secondAccount, 6n],
  ]);
  await mine(12);
  const send = { destinations: [{ address: payerAddress, amount: XMR }], priority: 1, ring_size: 16 };
  txs.ours = await sendOurs(payerAddress, XMR, 0);
  await mine(1);
  txs.theirs = (await theirs.rpc<{ tx_hash: string }>('transfer', send)).tx_hash;
  await mine(11);
  txs.between = await sendOurs(secondAccount, XMR / 2n, 0);
  await mine(12);
}

async function sendOurs(to: string, amount: bigint, account: number): Promise<string> {
  const destinations = [{ address: to, amount: amount as never }];
  const prepared = await wallet.payments.prepareTransfer({ destinations, account, priority: 1 });
  return (await wallet.payments.send(prepared.id))[0]!;
}

/** A request by name and parameters; `words` when the wording of an error is ours. */
type Row = readonly [method: string, params: unknown, words?: 'own words'];

async function expectSame([method, params, words]: Row, dropped: readonly string[] = []): Promise<void> {
  const shown = ([ours, reference]: readonly Comparable[]) =>
    [ours!, reference!].map((answer) => unordered(without(answer, words === undefined ? dropped : ['message'])));
  const [ours, reference] = shown(await both(method, params));
  expect(ours).toEqual(reference);
}

function each(rows: readonly Row[], dropped: readonly string[] = []): void {
  for (const row of rows) it(titleOf(row), () => expectSame(row, dropped));
}

const titleOf = ([method, params]: Row): string => `${method} ${stringifyJson(params as JsonInput)}`;

describe('payments, outputs and history', () => {
  // Only the wallet that sent knows whom it paid.
  const SENDER_KNOWS = ['destinations'];

  each(
    [
      ['get_payments', { payment_id: PAYMENT_ID }],
      ['get_payments', { payment_id: PAYMENT_ID.padEnd(64, '0') }],
      ['get_payments', { payment_id: '0000000000000000' }],
      ['get_payments', { payment_id: 'FFFFFFFFFFFFFFFF' }],
      ['get_payments', {}],
      ['get_payments', { payment_id: '' }],
      ['get_payments', { payment_id: 'abc' }],
      ['get_payments', { payment_id: 'zz22334455667788' }],
      ['get_payments', { payment_id: 'abcd' }],
      ['get_payments', { payment_id: 5 }],
      ['get_bulk_payments', {}],
      ['get_bulk_payments', { payment_ids: [] }],
      ['get_bulk_payments', { payment_ids: [PAYMENT_ID, '0000000000000000'] }],
      ['get_bulk_payments', { payment_ids: [PAYMENT_ID, PAYMENT_ID] }],
      ['get_bulk_payments', { min_block_height: 425 }],
      ['get_bulk_payments', { payment_ids: [PAYMENT_ID], min_block_height: 100_000 }],
      ['get_bulk_payments', { payment_ids: ['abcd'] }],
      ['get_bulk_payments', { payment_ids: ['zz22334455667788'] }],
      ['get_bulk_payments', { payment_ids: PAYMENT_ID }],
      ['get_bulk_payments', { payment_ids: [7] }],
      ['incoming_transfers', { transfer_type: 'all' }],
      ['incoming_transfers', { transfer_type: 'available' }],
      ['incoming_transfers', { transfer_type: 'unavailable' }],
      ['incoming_transfers', { transfer_type: 'all', account_index: 1 }],
      ['incoming_transfers', { transfer_type: 'all', account_index: 9 }],
      ['incoming_transfers', { transfer_type: 'all', subaddr_indices: [1] }],
      ['incoming_transfers', { transfer_type: 'all', subaddr_indices: [0, 1, 44] }],
      ['incoming_transfers', { transfer_type: 'all', subaddr_indices: 1 }],
      ['incoming_transfers', { transfer_type: 'everything' }],
      ['incoming_transfers', {}],
      ['incoming_transfers', { transfer_type: 'all', account_index: -1 }],
      ['incoming_transfers', { transfer_type: 'all', account_index: 2 ** 32 }],
      ['incoming_transfers', { transfer_type: true }],
      ['get_transfers', {}],
      ['get_transfers', { in: true }],
      ['get_transfers', { in: true, account_index: 1 }],
      ['get_transfers', { in: true, out: true, pending: true, failed: true, pool: true }],
      ['get_transfers', { in: true, out: true, all_accounts: true }],
      ['get_transfers', { in: true, out: true, all_accounts: true, subaddr_indices: [7], account_index: 9 }],
      ['get_transfers', { in: true, out: true, subaddr_indices: [1] }],
      ['get_transfers', { in: true, out: true, subaddr_indices: [7] }],
      ['get_transfers', { in: true, out: true, account_index: 9 }],
      ['get_transfers', { in: true, out: true, min_height: 430, max_height: 440 }],
      ['get_transfers', { in: true, out: true, filter_by_height: true, min_height: 430 }],
      ['get_transfers', { in: true, out: true, filter_by_height: true, max_height: 430 }],
      ['get_transfers', { in: true, out: true, filter_by_height: true, min_height: 1, max_height: 2 }],
      ['get_transfers', { in: true, out: true, filter_by_height: true, min_height: 2n ** 63n }],
      ['get_transfers', { in: 1 }],
      ['get_transfers', { in: true, min_height: -1 }],
      ['get_transfers', { in: true, max_height: null }],
    ],
    SENDER_KNOWS,
  );

  it('get_transfer_by_txid finds every kind', async () => {
    for (const [account, hash] of [...Object.values(txs).map((one) => [0, one]), [1, txs.two], [1, txs.between]] as const) {
      await expectSame(['get_transfer_by_txid', { txid: hash, account_index: account }], SENDER_KNOWS);
    }
    await expectSame(['get_transfer_by_txid', { txid: txs.plain.toUpperCase() }], SENDER_KNOWS);
  });

  each([
    ['get_transfer_by_txid', {}],
    ['get_transfer_by_txid', { txid: NOBODY }],
    ['get_transfer_by_txid', { txid: 'abc' }],
    ['get_transfer_by_txid', { txid: 'abcd' }],
    ['get_transfer_by_txid', { txid: 'zz'.repeat(32) }],
    ['get_transfer_by_txid', { txid: NOBODY, account_index: 7 }],
    ['get_transfer_by_txid', { txid: 12 }],
  ]);

  it('each knows whom it paid itself', async () => {
    const entry = async (answer: Promise<Comparable>) => ((await answer) as { transfer: Record<string, Comparable> }).transfer;
    const ours = await entry(ourAnswer(service, 'get_transfer_by_txid', { txid: txs.ours }));
    const reference = await entry(theirAnswer(theirs, 'get_transfer_by_txid', { txid: txs.theirs }));
    expect(ours.destinations).toEqual(reference.destinations);
    expect(Object.keys(ours)).toEqual(Object.keys(reference));
  });
});

describe('what the pool holds', () => {
  it('payments on their way, the same in both but for when they were seen', async () => {
    await payer.transfer([{ address: integrated, amount: XMR }]);
    await payer.transfer([
      { address: secondAccount, amount: 2n * XMR },
      { address: secondAccount, amount: 3n * XMR },
    ]);
    await wallet.refresh();
    const asked = { pool: true, in: true, all_accounts: true };
    const [ours] = await both('get_transfers', asked);
    expect((ours as { pool: readonly unknown[] }).pool.length).toBe(2);
    await expectSame(['get_transfers', asked], ['timestamp']);
    await expectSame(['get_transfers', { pool: true, account_index: 1 }], ['timestamp']);
    await expectSame(['get_transfers', { pool: true, account_index: 1, subaddr_indices: [3] }], ['timestamp']);
  });

  it('a transaction sent and not mined is pending, then out, for whoever sent it', async () => {
    const { tx_hash: reference } = await theirs.transfer([{ address: payerAddress, amount: XMR / 4n }]);
    await wallet.refresh();
    const hash = await sendOurs(payerAddress, XMR / 4n, 0);
    const pendingOf = (answer: Comparable) => (answer as { pending: Record<string, Comparable>[] }).pending;
    const sent = [hash, reference];
    const [mine1, theirs1] = (await both('get_transfers', { pending: true })).map((one, i) =>
      pendingOf(one).find(({ txid }) => txid === sent[i]),
    );
    expect(without(mine1!, ['txid', 'timestamp', 'fee'])).toEqual(without(theirs1!, ['txid', 'timestamp', 'fee']));
    await mine(12);
    await expectSame(['get_transfers', { in: true, out: true, pending: true, pool: true, all_accounts: true }], ['destinations']);
  });

  it('a transaction that failed is failed, with the height as its confirmations', async () => {
    const hash = await sendOurs(payerAddress, XMR / 8n, 0);
    await daemon.flushPool();
    await inside(wallet).append([{ type: 'TransactionFailed', txHash: hash as never, reason: 'flushed', at: 77 }], 'strict');
    const { failed } = (await ourAnswer(service, 'get_transfers', { failed: true, pending: true })) as Record<
      string,
      Comparable[]
    >;
    expect(failed).toMatchObject([
      {
        txid: hash,
        type: 'failed',
        height: '0',
        amount: String(XMR / 8n),
        confirmations: String(inside(wallet).state.height),
        locked: true,
      },
    ]);
  });
});

describe('notes and attributes', () => {
  each([
    ['get_tx_notes', { txids: [NOBODY] }],
    ['get_tx_notes', {}],
    ['set_tx_notes', { txids: [NOBODY, 'cd'.repeat(32)], notes: ['a note', 'ünïcode ✓'] }],
    ['get_tx_notes', { txids: [NOBODY.toUpperCase(), 'ef'.repeat(32)] }],
    ['set_tx_notes', { txids: [NOBODY], notes: [''] }],
    ['get_tx_notes', { txids: ['cd'.repeat(32), NOBODY] }],
    ['set_tx_notes', {}],
    ['set_tx_notes', { txids: [NOBODY], notes: [] }],
    ['set_tx_notes', { txids: ['abcd'], notes: ['x'] }],
    ['get_tx_notes', { txids: ['abcd'] }],
    ['get_tx_notes', { txids: [''] }],
    ['get_tx_notes', { txids: NOBODY }],
    ['set_tx_notes', { txids: [1], notes: [2] }],
    ['get_attribute', { key: 'colour' }],
    ['get_attribute', {}],
    ['set_attribute', { key: 'colour', value: 'red' }],
    ['get_attribute', { key: 'colour' }],
    ['set_attribute', { key: 'colour', value: '' }],
    ['get_attribute', { key: 'colour' }],
    ['get_attribute', { key: 'Colour' }],
    ['set_attribute', {}],
    ['get_attribute', { key: '' }],
    ['set_attribute', { key: 1, value: 'x' }],
  ]);

  it('a note shows in the history of its transaction', async () => {
    await both('set_tx_notes', { txids: [txs.plain, txs.ours], notes: ['rent', 'bread'] });
    await expectSame(['get_transfers', { in: true, out: true }], ['destinations']);
  });
});

const at = (name: 'address' | 'subaddress' | 'integrated'): string => ({ address, subaddress, integrated })[name];

describe('payment URIs', () => {
  it.each([
    ['address', {}],
    ['address', { amount: 1 }],
    ['subaddress', { amount: 12_345_678_901_234 }],
    ['address', { amount: 2n ** 64n - 1n }],
    ['integrated', { amount: 5, recipient_name: 'A & B', tx_description: '50% off? <yes> "ünï" ~{}|/' }],
    ['address', { recipient_name: 'x\ny' }],
    ['address', { payment_id: PAYMENT_ID }],
    ['integrated', { payment_id: PAYMENT_ID }],
    ['address', { amount: -1 }],
    ['address', { tx_description: 5 }],
  ] as const)('make_uri of %s with %o, read again', async (kind, more) => {
    await expectSame(['make_uri', { address: at(kind), ...more }]);
    const made = (await theirAnswer(theirs, 'make_uri', { address: at(kind), ...more })) as { uri?: string };
    if (made.uri !== undefined) await expectSame(['parse_uri', { uri: made.uri }]);
  });

  each([
    ['make_uri', {}],
    ['make_uri', { address: 'nobody' }],
    ['parse_uri', {}],
    ['parse_uri', { uri: '' }],
    ['parse_uri', { uri: 'bitcoin:x' }],
    ['parse_uri', { uri: 'monero:' }],
    ['parse_uri', { uri: 'monero:nobody?tx_amount=1' }],
    ['parse_uri', { uri: 5 }],
  ]);

  it.each([
    '',
    '?',
    '?tx_amount=239.39014&tx_description=donation',
    '?tx_amount=1.0000000000001',
    '?tx_amount=x',
    '?tx_amount=',
    '?tx_amount=18446744.073709551615',
    '?tx_amount=18446744.073709551616',
    `?tx_payment_id=${NOBODY}`,
    `?tx_payment_id=${NOBODY.toUpperCase()}`,
    `?tx_payment_id=${PAYMENT_ID}`,
    '?tx_amount=1&tx_amount=2',
    '?tx_amount=x&tx_amount=1',
    '?tx_payment_id=12&tx_amount=x&flag',
    '?flag',
    '?a=1&',
    '?colour=red&tx_description=a%20b+c&size=5',
    '?recipient_name=%e2%9c%93%zz%4',
  ])('parse_uri of an address and "%s"', async (query) => {
    await expectSame(['parse_uri', { uri: `monero:${address}${query}` }]);
  });

  it('no payment id beside an integrated address', async () => {
    await expectSame(['parse_uri', { uri: `monero:${integrated}?tx_payment_id=${NOBODY}` }]);
  });
});

describe('the address book', () => {
  it('entries come, change and go alike', async () => {
    const rows: readonly Row[] = [
      ['get_address_book', {}],
      ['get_address_book', { entries: [0] }],
      ['add_address_book', { address, description: 'myself' }],
      ['add_address_book', { address: integrated, description: 'with an id' }],
      ['add_address_book', { address: subaddress }],
      ['add_address_book', { address: 'nobody', description: 'x' }, 'own words'],
      ['add_address_book', {}, 'own words'],
      ['add_address_book', { address: 5 }],
      ['get_address_book', {}],
      ['get_address_book', { entries: [] }],
      ['get_address_book', { entries: [2, 0, 2] }],
      ['get_address_book', { entries: [3] }],
      ['get_address_book', { entries: [-1] }],
      ['get_address_book', { entries: 0 }],
      ['edit_address_book', { index: 0, set_description: true, description: 'me' }],
      ['edit_address_book', { index: 0, description: 'not set' }],
      ['edit_address_book', { index: 2, set_address: true, address: payerAddress }],
      ['edit_address_book', { index: 2, set_address: true, address: 'nobody' }, 'own words'],
      ['edit_address_book', { index: 9, set_description: true }],
      ['edit_address_book', {}],
      ['get_address_book', {}],
      ['delete_address_book', { index: 0 }],
      ['get_address_book', { entries: [0, 1] }],
      ['delete_address_book', { index: 2 }],
      ['delete_address_book', { index: -2 }],
      ['delete_address_book', { index: 1.5 }],
      ['delete_address_book', {}],
      ['get_address_book', {}],
    ];
    const dropped = ['payment_id'];
    for (const row of rows) await expectSame(row, dropped).catch((error: Error) => failWith(row, error));
  });

  it('what is not marked to be set stays, and an address is taken whole', async () => {
    const shown = async () => {
      const answers = await both('get_address_book', { entries: [1] });
      const [ours, reference] = answers as unknown as { entries: { address: string }[] }[];
      expect(ours!.entries[0]!.address).toBe(reference!.entries[0]!.address);
      return ours!.entries[0]!.address;
    };
    await both('add_address_book', { address: integrated, description: 'shop' });
    await both('edit_address_book', { index: 1, set_description: true, description: 'changed' });
    expect(await shown()).toBe(integrated);
    await both('edit_address_book', { index: 1, set_address: true, address: subaddress });
    expect(await shown()).toBe(subaddress);
  });

  it('payment ids are part of the address, and show beside it', async () => {
    const before = inside(wallet).state.contacts.size;
    await service.call('add_address_book', { address, payment_id: PAYMENT_ID, description: 'shop' });
    const shown = async () =>
      ((await service.call('get_address_book', { entries: [before] })) as { entries: unknown[] }).entries[0];
    expect(await shown()).toEqual({ index: before, address: integrated, description: 'shop', payment_id: PAYMENT_ID });
    await service.call('edit_address_book', { index: before, set_description: true, description: 'till' });
    expect(await shown()).toMatchObject({ address: integrated, description: 'till' });
    await service.call('edit_address_book', { index: before, set_payment_id: true });
    expect(await shown()).toEqual({ index: before, address, description: 'till' });
    const wrong = [
      { address: subaddress, payment_id: PAYMENT_ID },
      { address, payment_id: '12' },
    ];
    for (const params of wrong) {
      expect(await ourAnswer(service, 'add_address_book', params)).toMatchObject({ code: '-5' });
    }
  });

  it('an OpenAlias name stands for its address', async () => {
    const named = new RpcService(
      oneWalletHost(wallet, {
        resolveAlias: async (name) => ({
          answered: true,
          verified: true,
          found: name === 'donate.example',
          address: name === 'donate.example' ? payerAddress : undefined,
        }),
      }),
    );
    await named.call('add_address_book', { address: 'donate.example' });
    const { entries } = (await named.call('get_address_book', {})) as { entries: { address: string }[] };
    expect(entries.at(-1)!.address).toBe(payerAddress);
    expect(await ourAnswer(named, 'add_address_book', { address: 'nobody.example' })).toEqual({
      code: '-2',
      message: 'WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: nobody.example',
    });
  });
});

function failWith(row: Row, error: Error): never {
  throw new Error(`${titleOf(row)}: ${error.message}`, { cause: error });
}

describe('multisig', () => {
  each([
    ['is_multisig', {}],
    ['is_multisig', { anything: 1 }],
    ['export_multisig_info', {}],
    ['import_multisig_info', { info: ['00'] }],
    ['import_multisig_info', {}],
    ['import_multisig_info', { info: '00' }],
    ['exchange_multisig_keys', { multisig_info: ['x'], password: '' }],
    ['exchange_multisig_keys', {}],
    ['sign_multisig', { tx_data_hex: '00' }],
    ['sign_multisig', { tx_data_hex: 0 }],
    ['submit_multisig', { tx_data_hex: 'zz' }],
  ]);
});

describe('mining and the log', () => {
  each([
    ['stop_mining', {}],
    ['start_mining', {}],
    ['start_mining', { threads_count: 0 }],
    ['start_mining', { threads_count: 1_000_000 }],
    ['start_mining', { threads_count: -1 }],
    ['start_mining', { threads_count: 1, do_background_mining: 'no' }],
    ['set_log_level', { level: 5 }],
    ['set_log_level', { level: -1 }],
    ['set_log_level', { level: 128 }],
    ['set_log_level', { level: 300 }],
    ['set_log_level', { level: '1' }],
    ['set_log_level', { level: 0 }],
    ['set_log_level', {}],
    ['set_log_categories', { categories: 5 }],
  ]);

  it('the daemon mines to the wallet until told not to, at the word of a trusted wallet', async () => {
    const status = () => daemon.path<{ active: boolean; address: string; threads_count: number }>('mining_status');
    await service.call('start_mining', { threads_count: 1, do_background_mining: true, ignore_battery: true });
    expect(await status()).toMatchObject({ active: true, address, threads_count: 1 });
    await expectSame(['start_mining', { threads_count: 1 }]);
    await service.call('stop_mining', {});
    expect((await status()).active).toBe(false);
    await expectSame(['stop_mining', {}]);
    await wallet.setDaemon({ url: daemon.url, trusted: false });
    expect(await ourAnswer(service, 'start_mining', { threads_count: 1 })).toEqual({
      code: '-1',
      message: 'This command requires a trusted daemon.',
    });
    await wallet.setDaemon({ url: daemon.url, trusted: true });
  });
});
