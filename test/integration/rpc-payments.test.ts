import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inside } from '../support/inside.ts';
import { eachSame, NOBODY, OneSeed, PAYMENT_ID, type Row } from '../support/one-seed.ts';
import { MINER_ADDRESS, MINER_SEED } from '../support/premined.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { type Comparable, ourAnswer, theirAnswer, without } from '../support/rpc-both.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// Payments as both tell them; a third wallet, the reference's, pays and is paid.
let seed: OneSeed;
let payer: MoneroWalletRpc;
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

beforeAll(async () => {
  seed = await OneSeed.start();
  payer = await startWalletRpc({ daemon: seed.daemon.url, release: '0.18.0.0' });
  await payer.restoreWallet('payer', MINER_SEED);
  await payToBoth();
}, 900_000);

afterAll(async () => {
  await payer?.stop();
  await seed?.stop();
});

const each = (rows: readonly Row[], dropped?: readonly string[]): void => eachSame(() => seed, rows, dropped);

/** Mines what waits, and at least so many blocks. */
async function mine(blocks: number): Promise<void> {
  const mined = await seed.daemon.minePool(MINER_ADDRESS);
  if (mined < blocks) await seed.daemon.generateBlocks(blocks - mined, MINER_ADDRESS);
  await Promise.all([seed.theirs.refreshToHeight(seed.daemon), payer.refreshToHeight(seed.daemon)]);
  await refreshToTip(seed.wallet, await seed.daemon.height());
}

/** Money of every kind, and some of it spent: by ours, by the reference, and from one account to the other. */
async function payToBoth(): Promise<void> {
  const { address, subaddress, secondAccount, integrated } = seed;
  await payer.refreshToHeight(seed.daemon);
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
  const send = { destinations: [{ address: MINER_ADDRESS, amount: XMR }], priority: 1, ring_size: 16 };
  txs.ours = await sendOurs(MINER_ADDRESS, XMR, 0);
  await mine(1);
  txs.theirs = (await seed.theirs.rpc<{ tx_hash: string }>('transfer', send)).tx_hash;
  await mine(11);
  txs.between = await sendOurs(secondAccount, XMR / 2n, 0);
  await mine(12);
}

async function sendOurs(to: string, amount: bigint, account: number): Promise<string> {
  const destinations = [{ address: to, amount: amount as never }];
  const prepared = await seed.wallet.payments.prepareTransfer({ destinations, account, priority: 1 });
  return (await seed.wallet.payments.send(prepared.id))[0]!;
}

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
      await seed.expectSame(['get_transfer_by_txid', { txid: hash, account_index: account }], SENDER_KNOWS);
    }
    await seed.expectSame(['get_transfer_by_txid', { txid: txs.plain.toUpperCase() }], SENDER_KNOWS);
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
    const ours = await entry(ourAnswer(seed.service, 'get_transfer_by_txid', { txid: txs.ours }));
    const reference = await entry(theirAnswer(seed.theirs, 'get_transfer_by_txid', { txid: txs.theirs }));
    expect(ours.destinations).toEqual(reference.destinations);
    expect(Object.keys(ours)).toEqual(Object.keys(reference));
  });

  it('a note shows in the history of its transaction', async () => {
    await seed.both('set_tx_notes', { txids: [txs.plain, txs.ours], notes: ['rent', 'bread'] });
    await seed.expectSame(['get_transfers', { in: true, out: true }], ['destinations']);
  });
});

describe('what the pool holds', () => {
  it('payments on their way, the same in both but for when they were seen', async () => {
    await payer.transfer([{ address: seed.integrated, amount: XMR }]);
    await payer.transfer([
      { address: seed.secondAccount, amount: 2n * XMR },
      { address: seed.secondAccount, amount: 3n * XMR },
    ]);
    await seed.wallet.refresh();
    const asked = { pool: true, in: true, all_accounts: true };
    const [ours] = await seed.both('get_transfers', asked);
    expect((ours as { pool: readonly unknown[] }).pool.length).toBe(2);
    await seed.expectSame(['get_transfers', asked], ['timestamp']);
    await seed.expectSame(['get_transfers', { pool: true, account_index: 1 }], ['timestamp']);
    await seed.expectSame(['get_transfers', { pool: true, account_index: 1, subaddr_indices: [3] }], ['timestamp']);
  });

  it('a transaction sent and not mined is pending, then out, for whoever sent it', async () => {
    const { tx_hash: reference } = await seed.theirs.transfer([{ address: MINER_ADDRESS, amount: XMR / 4n }]);
    await seed.wallet.refresh();
    const hash = await sendOurs(MINER_ADDRESS, XMR / 4n, 0);
    const pendingOf = (answer: Comparable) => (answer as { pending: Record<string, Comparable>[] }).pending;
    const sent = [hash, reference];
    const [mine1, theirs1] = (await seed.both('get_transfers', { pending: true })).map((one, i) =>
      pendingOf(one).find(({ txid }) => txid === sent[i]),
    );
    expect(without(mine1!, ['txid', 'timestamp', 'fee'])).toEqual(without(theirs1!, ['txid', 'timestamp', 'fee']));
    await mine(12);
    await seed.expectSame(
      ['get_transfers', { in: true, out: true, pending: true, pool: true, all_accounts: true }],
      ['destinations'],
    );
  });

  it('a transaction that failed is failed, with the height as its confirmations', async () => {
    const hash = await sendOurs(MINER_ADDRESS, XMR / 8n, 0);
    await seed.daemon.flushPool();
    await inside(seed.wallet).append([{ type: 'TransactionFailed', txHash: hash as never, reason: 'flushed', at: 77 }], 'strict');
    const { failed } = (await ourAnswer(seed.service, 'get_transfers', { failed: true, pending: true })) as Record<
      string,
      Comparable[]
    >;
    expect(failed).toMatchObject([
      {
        txid: hash,
        type: 'failed',
        height: '0',
        amount: String(XMR / 8n),
        confirmations: String(inside(seed.wallet).state.height),
        locked: true,
      },
    ]);
  });
});
