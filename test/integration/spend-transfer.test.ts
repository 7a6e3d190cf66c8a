import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, compareBytes, equalBytes, hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import {
  decodeAddress,
  encodeAddress,
  parseExtra,
  parseTransaction,
  type Transaction,
  toAtomicAmount,
  transactionWeight,
} from '../../src/protocol/index.ts';
import { feeForWeight } from '../../src/wallet/spend/fees.ts';
import { sendChecked } from '../../src/wallet/spend/index.ts';
import { makeReady, type ReadyPayment } from '../support/paying.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc, toBigint } from '../support/programs.ts';
import { type TestWallet, testWallet } from './spend-support.ts';

const COIN = 1_000_000_000_000n;

let monerod: Monerod;
let rpc: MoneroWalletRpc;
let wallet: TestWallet;
let theirs: string;
const ourSeed = new Uint8Array(32).fill(7);

beforeAll(async () => {
  await loadCrypto();
  monerod = await startMonerod({ premined: true });
  rpc = await startWalletRpc({ daemon: monerod.url });
  theirs = await rpc.restoreWallet('theirs', MINER_SEED);
  await rpc.rpc('create_account', { label: 'second' });
  await rpc.rpc('create_address', { account_index: 0, count: 5 });
  wallet = testWallet(ourSeed, monerod);
  await monerod.generateBlocks(40, wallet.address());
  await monerod.generateBlocks(60, theirs);
  await wallet.sync();
});

afterAll(async () => {
  await rpc?.stop();
  await monerod?.stop();
});

/** Sends what was prepared, mines it deep enough to spend again, and brings both wallets there. */
async function sendAndMine(prepared: ReadyPayment): Promise<readonly Transaction[]> {
  const hashes = await sendChecked(wallet.ctx, prepared.transactions);
  expect(hashes).toEqual(prepared.transactions.map(({ txHash }) => txHash));
  await monerod.minePool(theirs);
  await monerod.generateBlocks(9, theirs);
  await wallet.sync();
  await rpc.refreshToHeight(monerod);
  for (const hash of hashes) expect(wallet.state.sent.get(hash)?.phase).toBe('accepted');
  return prepared.transactions.map(({ blob }) => parseTransaction(hexToBytes(blob)));
}

async function received(hash: string, account = 0): Promise<bigint[]> {
  const { transfers } = await rpc.rpc<{ transfers: { amount: bigint | number; payment_id: string }[] }>('get_transfer_by_txid', {
    txid: hash,
    account_index: account,
  });
  return transfers.map(({ amount }) => toBigint(amount)).sort((a, b) => Number(a - b));
}

async function theirSubaddress(account: number, minor: number): Promise<string> {
  const answer = await rpc.rpc<{ addresses: { address: string }[] }>('get_address', {
    account_index: account,
    address_index: [minor],
  });
  return answer.addresses[0]!.address;
}

const transfer = (destinations: readonly { address: string; amount: bigint }[], priority: 0 | 1 | 2 | 3 | 4 = 0) =>
  makeReady(wallet.ctx, {
    kind: 'transfer',
    destinations: destinations.map(({ address, amount }) => ({ address, amount: toAtomicAmount(amount) })),
    account: 0,
    priority,
  });

describe('payments of ours on a chain of monerod, found by monero-wallet-rpc', () => {
  it('one to a standard address; change returns; the node weighs it as we do', async () => {
    const prepared = await transfer([{ address: theirs, amount: 3n * COIN + 1n }]);
    const [{ txHash, weight, fee }] = prepared.transactions as [ReadyPayment['transactions'][0]];
    const before = unspentSum();
    const [tx] = await sendAndMine(prepared);
    expect(await received(txHash)).toEqual([3n * COIN + 1n]);
    expect(unspentSum()).toBe(before - 3n * COIN - 1n - fee);
    expect(transactionWeight(tx!)).toBe(weight);
  });

  it('to a subaddress of another account', async () => {
    const prepared = await transfer([{ address: await theirSubaddress(1, 0), amount: COIN / 3n }], 1);
    await sendAndMine(prepared);
    expect(await received(prepared.transactions[0]!.txHash, 1)).toEqual([COIN / 3n]);
  });

  it.each([
    ['an integrated address', 1, () => []],
    ['an integrated address beside one’s own: the payment id is read by whom it is for', 2, () => [wallet.address()]],
  ] as const)('to %s', async (_, number, beside) => {
    const { spendKey, viewKey, network } = decodeAddress(theirs, 'regtest');
    const paymentId = new Uint8Array(8).fill(number);
    const address = encodeAddress({ network, kind: 'integrated', spendKey, viewKey, paymentId });
    const prepared = await transfer(
      [address, ...beside()].map((paid) => ({ address: paid, amount: COIN })),
      2,
    );
    await sendAndMine(prepared);
    const { payments } = await rpc.rpc<{ payments: { tx_hash: string; amount: bigint | number }[] }>('get_payments', {
      payment_id: bytesToHex(paymentId),
    });
    expect(payments.map(({ tx_hash, amount }) => [tx_hash, toBigint(amount)])).toEqual([
      [prepared.transactions[0]!.txHash, COIN],
    ]);
  });

  it('to fifteen destinations of all kinds at once: sixteen outputs, additional keys', async () => {
    const destinations = await Promise.all(
      Array.from({ length: 15 }, async (_, i) => ({
        address:
          i % 5 === 4 ? wallet.address({ major: 0, minor: 1 + (i % 3) }) : i % 2 ? theirs : await theirSubaddress(0, 1 + (i % 4)),
        amount: 1_000_000_000n * BigInt(i + 1),
      })),
    );
    const prepared = await transfer(destinations);
    const [tx] = await sendAndMine(prepared);
    expect(tx!.outputs.length).toBe(16);
    const toThem = destinations.filter((_, i) => i % 5 !== 4).map(({ amount }) => amount);
    expect((await received(prepared.transactions[0]!.txHash)).reduce((a, b) => a + b)).toBe(toThem.reduce((a, b) => a + b));
    const returned = [...wallet.state.outputs.values()].filter(
      ({ output }) => output.txHash === prepared.transactions[0]!.txHash,
    );
    expect(returned.length).toBe(4);
  });

  it('coins kept ready: the node takes a payment whose change comes back in several outputs, and each is found', async () => {
    const held = [...wallet.state.unspent].length;
    const destinations = [{ address: await theirSubaddress(0, 2), amount: toAtomicAmount(COIN) }];
    const asked = { kind: 'transfer', destinations, account: 0, priority: 1 } as const;
    // More coins than the wallet has: as many as one transaction has room for.
    expect(held).toBeGreaterThan(16);
    const none = await makeReady(wallet.ctx, { ...asked, keepReady: 16 });
    expect(none.plan.transactions[0]!.unsigned.outputs, 'none is lacking').toHaveLength(2);
    const few = testWallet(new Uint8Array(32).fill(11), monerod);
    await sendAndMine(await transfer([{ address: few.address(), amount: 6n * COIN }]));
    await monerod.generateBlocks(2, theirs);
    await few.sync();
    const ready = await makeReady(few.ctx, { ...asked, keepReady: 5 });
    const [hash] = await sendChecked(few.ctx, ready.transactions);
    await monerod.minePool(theirs);
    await monerod.generateBlocks(9, theirs);
    await few.sync();
    expect(few.state.sent.get(hash!)?.phase).toBe('accepted');
    const coins = [...few.state.unspent].map((key) => few.state.outputs.get(key)!.output);
    expect(coins.map(({ txHash }) => txHash)).toEqual(Array(5).fill(hash));
    expect(new Set(coins.map(({ amount }) => amount)).size).toBeLessThanOrEqual(2);
    const { totalFee } = ready.review;
    expect(coins.reduce((sum, { amount }) => sum + amount, 0n)).toBe(5n * COIN - totalFee);

    // Each of them can be spent by itself: split once more, to the wallet itself.
    const split = { kind: 'sweep', account: 0, priority: 1, address: few.address(), outputs: 4 } as const;
    const again = await makeReady(few.ctx, { ...split, keyImages: [coins[0]!.keyImage!] });
    await sendChecked(few.ctx, again.transactions);
    await monerod.minePool(theirs);
    await few.sync();
    expect([...few.state.unspent]).toHaveLength(8);
  });

  it('spends what came to subaddresses, several inputs, and the reference restores the same wallet to the unit', async () => {
    const prepared = await transfer([{ address: theirs, amount: 80n * COIN }], 3);
    expect(prepared.review.transactions[0]!.inputs).toBeGreaterThan(1);
    await sendAndMine(prepared);
    const single = await makeReady(wallet.ctx, {
      kind: 'sweep',
      address: theirs,
      account: 0,
      subaddresses: [1, 2, 3],
      priority: 1,
      outputs: 2,
    });
    await sendAndMine(single);
    await restored(async (other) => expect((await other.balance()).total).toBe(unspentSum()));
  });

  it('T21 chooses the inputs that the reference chooses with the same wallet: the preferred ones and a second for looks', async () => {
    await restored(async (other) => {
      for (const amount of [COIN / 7n, 20n * COIN, 35n * COIN, 50n * COIN, 69n * COIN]) {
        const reference = await other.transfer([{ address: theirs, amount }], { do_not_relay: true, priority: 0 });
        const [ours] = (await transfer([{ address: theirs, amount }])).transactions;
        expect([amount, imagesOf(parseTransaction(hexToBytes(ours!.blob)))]).toEqual([
          amount,
          imagesOf(parseTransaction(hexToBytes(reference.tx_blob))),
        ]);
      }
    });
  });

  it('T21 looks like a transaction of the reference: extra, outputs, unlock time, order of inputs, fee for its weight', async () => {
    const seedWeights = await rpc.transfer([{ address: wallet.address(), amount: COIN }], { priority: 1 });
    const reference = parseTransaction(hexToBytes(seedWeights.tx_blob));
    const prepared = await transfer([{ address: theirs, amount: COIN }], 1);
    const ours = parseTransaction(hexToBytes(prepared.transactions[0]!.blob));
    expect(shapeOf(ours)).toEqual(shapeOf(reference));
    const estimate = (await wallet.ctx.daemon.getFeeEstimate()).check((value) => value);
    const rate = { perByte: estimate.fees[0]!, quantization: estimate.quantizationMask };
    expect(feeOf(ours)).toBe(feeForWeight(rate, transactionWeight(ours)));
    expect(feeOf(reference)).toBe(feeForWeight(rate, transactionWeight(reference)));
  });
});

/** Runs with monero-wallet-rpc holding our keys, refreshed. */
async function restored(run: (other: MoneroWalletRpc) => Promise<void>): Promise<void> {
  const other = await startWalletRpc({ daemon: monerod.url });
  try {
    await other.restoreFromKeys('ours', {
      address: wallet.address(),
      viewKey: bytesToHex(wallet.keys.viewKey),
      spendKey: bytesToHex(wallet.keys.spendKey),
    });
    await other.refreshToHeight(monerod);
    await run(other);
  } finally {
    await other.stop();
  }
}

const imagesOf = (tx: Transaction): string[] =>
  tx.inputs.map((input) => (input.type === 'key' ? bytesToHex(input.keyImage) : ''));

/** What an observer can tell apart, random values left out. */
function shapeOf(tx: Transaction) {
  if (tx.version !== 2) throw new Error('expected version 2');
  const images = tx.inputs.map((input) => (input.type === 'key' ? input.keyImage : new Uint8Array()));
  return {
    unlockTime: tx.unlockTime,
    inputs: tx.inputs.length,
    rings: tx.inputs.map((input) => (input.type === 'key' ? input.keyOffsets.length : 0)),
    sorted: images.every((image, i) => i === 0 || compareBytes(images[i - 1]!, image) > 0),
    distinct: images.every((image, i) => i === 0 || !equalBytes(images[i - 1]!, image)),
    outputs: tx.outputs.map(({ amount, viewTag }) => [amount, viewTag !== undefined]),
    extra: parseExtra(tx.extra).fields.map((field) => [field.type, field.type === 'nonce' ? field.nonce.length : 0]),
    extraLength: tx.extra.length,
    rctType: tx.rct.type,
    proofRounds: tx.prunable!.bulletproofsPlus.map(({ L }) => L.length),
  };
}

function feeOf(tx: Transaction): bigint {
  return tx.version === 2 ? tx.rct.fee : 0n;
}

function unspentSum(): bigint {
  let sum = 0n;
  for (const key of wallet.state.unspent) sum += wallet.state.outputs.get(key)!.output.amount;
  return sum;
}
