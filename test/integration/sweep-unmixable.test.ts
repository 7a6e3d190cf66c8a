import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { parseWholeTransaction } from '../../src/devnet/parsed.ts';
import { decodeAddress } from '../../src/protocol/index.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { type NewWallet, walletFromKeys, walletFromViewKey, walletFromWords } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { decodeTxMetadata } from '../../src/wallet2/index.ts';
import { appendOldBlock } from '../support/old-chain.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { expectSame, expectSameShape, type RpcPair, resultOf, rpcPair } from '../support/rpc-pair.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// A chain that begins before RingCT, and on it wallets in both services: one that spends, one in a view-only and a cold half, a poor one.
const COIN = 1_000_000_000_000n;
const KEEP = { do_not_relay: true, get_tx_hex: true, get_tx_keys: true, get_tx_metadata: true } as const;
const env = environment({
  store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
  scanPool: createInlineScanPool,
  sync: { pollEvery: 60_000, retryFirst: 50, retryMost: 200 },
});
const RARE = [7n, 30n, 900n, 2_000_000n, 17_592_186n, 3n * COIN, 40n * COIN, COIN + 5n];
/** Of this amount there are enough for a ring. */
const COMMON = 5n * COIN;

let devnet: ServedDevnet;
let offline: MoneroWalletRpc;
const programs: MoneroWalletRpc[] = [];
const wallets: Wallet[] = [];

interface Both {
  readonly theirs: MoneroWalletRpc;
  readonly wallet: Wallet;
  readonly pair: RpcPair;
}
let own: Both;
let hot: Both;
let cold: Both;
let poor: Both;
let address: string;

async function caughtUp(): Promise<void> {
  const { height } = devnet.node.chain;
  const online = [own, hot, poor].filter((both) => both !== undefined);
  await Promise.all(online.map(({ theirs }) => theirs.refreshToHeight({ height: async () => height })));
  await Promise.all(online.map(({ wallet }) => refreshToTip(wallet, height)));
}

async function mine(count: number): Promise<void> {
  for (let i = 0; i < count; i++) devnet.node.mine(devnet.minerWallet);
  await caughtUp();
}

async function open(name: string, made: NewWallet, theirs: MoneroWalletRpc, online = true): Promise<Both> {
  const wallet = await Wallet.create(env, name, 'pw', made);
  wallets.push(wallet);
  programs.push(theirs);
  if (online) await wallet.setDaemon({ url: devnet.url, trusted: true });
  return { theirs, wallet, pair: rpcPair(new RpcService(oneWalletHost(wallet), { checkResults: true }), theirs.url) };
}

interface Made {
  readonly address: string;
  readonly seed: string;
  readonly viewKey: string;
  readonly spendKey: string;
  /** Of the second account. */
  readonly second: string;
}

async function make(name: string): Promise<Made> {
  const key = async (kind: string) => (await offline.rpc<{ key: string }>('query_key', { key_type: kind })).key;
  const main = await offline.createWallet(name);
  const [seed, viewKey, spendKey] = [await offline.seed(), await key('view_key'), await key('spend_key')];
  const { address: second } = await offline.rpc<{ address: string }>('create_account', {});
  return { address: main, seed, viewKey, spendKey, second };
}

const payTo = (text: string, amounts: readonly bigint[]) => ({ to: decodeAddress(text, 'regtest'), amounts });

beforeAll(async () => {
  offline = await startWalletRpc();
  const [ours, halves, scant] = [await make('own'), await make('halves'), await make('poor')];
  address = ours.address;
  devnet = await serveDevnet();
  const { node } = devnet;
  for (let i = 0; i < 5; i++) appendOldBlock(node, systemRandom, []);
  appendOldBlock(node, systemRandom, [
    payTo(ours.address, RARE),
    payTo(halves.address, [6n * COIN, 8_000_000n, 55n]),
    payTo(scant.address, [300_000_000n]),
    payTo(scant.second, [70_000_000n]),
  ]);
  for (let i = 0; i < 3; i++) {
    appendOldBlock(node, systemRandom, [
      payTo(
        ours.second,
        Array.from({ length: 7 }, () => COMMON),
      ),
    ]);
  }
  const from = node.now() - 200 * 120;
  for (let i = 0; i < 100; i++) node.mine(devnet.minerWallet, from + i * 120);
  const start = { height: 0 };
  const theirs = () => startWalletRpc({ daemon: devnet.url });
  own = await open('own', await walletFromWords(ours.seed, { network: 'regtest', from: start, now: 0 }), await theirs());
  await own.theirs.restoreWallet('own', ours.seed);
  const { viewKey, spendKey } = halves;
  hot = await open(
    'hot',
    await walletFromViewKey(halves.address, viewKey, { network: 'regtest', from: start, now: 0 }),
    await theirs(),
  );
  await hot.theirs.restoreFromKeys('hot', { address: halves.address, viewKey });
  await offline.openWallet('halves');
  cold = await open('cold', await walletFromKeys(spendKey, viewKey, { network: 'regtest', from: start, now: 0 }), offline, false);
  poor = await open('poor', await walletFromWords(scant.seed, { network: 'regtest', from: start, now: 0 }), await theirs());
  await poor.theirs.restoreWallet('poor', scant.seed);
  await caughtUp();
});

afterAll(async () => {
  await Promise.all(wallets.map((wallet) => wallet.close()));
  await Promise.all([...new Set([...programs, ...(offline === undefined ? [] : [offline])])].map((program) => program.stop()));
  await devnet?.stop();
});

interface Swept {
  readonly tx_hash_list: string[];
  readonly tx_blob_list: string[];
  readonly tx_metadata_list: string[];
  readonly amount_list: bigint[];
  readonly fee_list: bigint[];
  readonly weight_list: bigint[];
  readonly unsigned_txset: string;
}

/** What of a transaction does not depend on chance: all but keys, signatures and the order of outputs. */
function shapeOf(blob: string) {
  const { tx, weight, fee } = parseWholeTransaction(hexToBytes(blob));
  return {
    version: tx.version,
    inputs: tx.inputs.map((input) =>
      input.type === 'key' ? `${input.amount} ${input.keyOffsets} ${bytesToHex(input.keyImage)}` : 'coinbase',
    ),
    outputs: tx.outputs.map(({ amount, viewTag }) => `${amount} ${viewTag !== undefined}`).sort(),
    extra: tx.extra.length,
    unlockTime: tx.unlockTime,
    weight,
    fee,
  };
}

/** What the metadata says, without what is random. */
function constructionIn(metadata: string) {
  const { construction, dust, fee, dustAddedToFee, change, keyImages } = decodeTxMetadata(hexToBytes(metadata));
  const { flags, rctConfig, sources, splitDestinations, destinations, account, subaddresses, unlockTime } = construction;
  const parts = splitDestinations.map(
    ({ amount, spendKey, isSubaddress }) => `${amount} ${bytesToHex(spendKey)} ${isSubaddress}`,
  );
  const paid = destinations.map(({ original: _, ...destination }) => destination);
  // Before they are sorted by key image their order is chance.
  const inOrder = sources.toSorted((a, b) => (a.amount < b.amount ? -1 : 1));
  return {
    ...{
      dust,
      fee,
      dustAddedToFee,
      change,
      keyImages,
      flags,
      rctConfig,
      sources: inOrder,
      paid,
      account,
      subaddresses,
      unlockTime,
    },
    parts: parts.sort(),
  };
}

describe('outputs from before RingCT', () => {
  it('are the same balance and the same coins in both, for a whole wallet and for a view-only one', async () => {
    for (const { pair } of [own, hot, poor]) {
      await expectSame(pair, 'get_balance', { all_accounts: true });
      await expectSame(pair, 'incoming_transfers', { transfer_type: 'all' });
      expect(await paymentsIn(pair.ours)).toEqual(await paymentsIn(pair.theirs));
    }
    const { balance } = resultOf<{ balance: bigint }>(await expectSame(own.pair, 'get_balance', {}));
    expect(balance).toBe(RARE.reduce((sum, amount) => sum + amount, 0n));
  });

  it('that can be mixed are paid with in a whole ring of their amount, in RingCT, and taken by the chain', async () => {
    const payment = { destinations: [{ address: devnet.minerWallet.address, amount: 12n * COIN }], account_index: 1 };
    for (const answer of await expectSameShape(own.pair, 'transfer', { ...payment, ...KEEP })) {
      const { tx_blob: blob } = resultOf<{ tx_blob: string }>(answer);
      const { tx } = parseWholeTransaction(hexToBytes(blob));
      expect(tx.version).toBe(2);
      const rings = tx.inputs.map((input) => (input.type === 'key' ? [input.amount, input.keyOffsets.length] : []));
      expect(rings).toEqual(rings.map(() => [COMMON, 16]));
      expect(devnet.node.submitTransaction(hexToBytes(blob)).isNew).toBe(true);
      devnet.node.pool.clear();
    }
  });

  it('that cannot be mixed are no inputs of RingCT: both say what to do', async () => {
    await expectSame(own.pair, 'sweep_all', { address, account_index: 0, ...KEEP });
  });
});

describe('sweep_unmixable', () => {
  it('makes of the same outputs the same transaction: inputs, digits, fee, weight, and what the metadata says', async () => {
    const [ours, theirs] = (await expectSameShape(own.pair, 'sweep_unmixable', KEEP)).map((answer) => resultOf<Swept>(answer));
    expect(ours!.tx_blob_list.map(shapeOf)).toEqual(theirs!.tx_blob_list.map(shapeOf));
    expect(ours!.tx_metadata_list.map(constructionIn)).toEqual(theirs!.tx_metadata_list.map(constructionIn));
    for (const name of ['amount_list', 'fee_list', 'weight_list', 'amounts_by_dest_list', 'spent_key_images_list'] as const) {
      expect(ours).toHaveProperty(name, (theirs as unknown as Record<string, unknown>)[name]);
    }
    const [shape] = ours!.tx_blob_list.map(shapeOf);
    expect([shape!.version, shape!.inputs.length]).toEqual([1, RARE.length]);
    expect(ours!.amount_list).toEqual([RARE.reduce((sum, amount) => sum + amount, 0n) - ours!.fee_list[0]!]);
  });

  it('answers nothing more than it is asked for', async () => {
    await expectSameShape(own.pair, 'sweep_dust', { do_not_relay: true });
  });

  it('of the view-only half makes a set that either cold half signs, and that either view-only half sends', async () => {
    const [ours, theirs] = [await hot.pair.ours('sweep_unmixable', KEEP), await hot.pair.theirs('sweep_unmixable', KEEP)].map(
      (answer) => resultOf<Swept>(answer),
    );
    for (const name of ['amount_list', 'fee_list', 'weight_list'] as const) expect(ours![name]).toEqual(theirs![name]);
    const sign = async (pair: RpcPair['ours'], { unsigned_txset }: Swept) =>
      resultOf<{ signed_txset: string }>(await pair('sign_transfer', { unsigned_txset })).signed_txset;
    for (const { unsigned_txset } of [ours!, theirs!]) await expectSame(cold.pair, 'describe_transfer', { unsigned_txset });
    const sets = [
      await sign(cold.pair.ours, theirs!),
      await sign(cold.pair.theirs, theirs!),
      await sign(cold.pair.theirs, ours!),
    ];
    for (const set of sets) {
      const { tx_hash_list } = resultOf<Swept>(await hot.pair.theirs('submit_transfer', { tx_data_hex: set }));
      expect(devnet.node.pool.visible.map(({ id, tx }) => [id, tx.version])).toEqual([[tx_hash_list[0], 1]]);
      devnet.node.pool.clear();
    }
    const set = await sign(cold.pair.theirs, ours!);
    const { tx_hash_list } = resultOf<Swept>(await hot.pair.ours('submit_transfer', { tx_data_hex: set }));
    expect(devnet.node.pool.visible.map(({ id }) => id)).toEqual(tx_hash_list);
    devnet.node.pool.clear();
  });

  it('does not join accounts', async () => {
    await expectSame(poor.pair, 'sweep_unmixable', KEEP);
  });

  it('is refused alike where the outputs do not pay for the fee', async () => {
    for (const { amount, key_image } of await coinsOf(poor, 1)) {
      if (amount === 70_000_000n) await expectSame(poor.pair, 'freeze', { key_image });
    }
    await expectSame(poor.pair, 'sweep_unmixable', KEEP);
  });

  it('is sent, mined, and seen alike; what it made is swept again', async () => {
    const { tx_hash_list: hashes } = resultOf<Swept>(await own.pair.ours('sweep_unmixable', {}));
    expect(devnet.node.pool.visible.map(({ id }) => id)).toEqual(hashes);
    await mine(12);
    expect(devnet.node.chain.transaction(hashes[0]!)?.tx.version).toBe(1);
    await expectSame(own.pair, 'get_balance', {});
    await expectSame(own.pair, 'incoming_transfers', { transfer_type: 'all' });
    const { tx_hash_list: again } = resultOf<Swept>(await own.pair.theirs('sweep_unmixable', {}));
    await mine(12);
    expect(devnet.node.chain.transaction(again[0]!)?.tx.version).toBe(1);
    await expectSame(own.pair, 'get_balance', {});
    for (const txid of [...hashes, ...again]) {
      const [ours, theirs] = [
        await own.pair.ours('get_transfer_by_txid', { txid }),
        await own.pair.theirs('get_transfer_by_txid', { txid }),
      ];
      const facts = (answer: typeof ours) => {
        const { amount, fee, height, type, subaddr_indices } = resultOf<{ transfer: Record<string, unknown> }>(answer).transfer;
        return { amount, fee, height, type, subaddr_indices };
      };
      expect(facts(ours)).toEqual(facts(theirs));
    }
    await expectSame(own.pair, 'incoming_transfers', { transfer_type: 'available' });
  });
});

/** Without the fees: the reference takes what we spent ourselves, nothing here, for all that went in. Its order is chance. */
async function paymentsIn(call: RpcPair['ours']) {
  type Payment = { readonly fee: bigint; readonly txid: string };
  const { in: payments } = resultOf<{ in: Payment[] }>(await call('get_transfers', { in: true, all_accounts: true }));
  return payments.map(({ fee: _, ...payment }) => payment).sort((a, b) => (a.txid < b.txid ? -1 : 1));
}

async function coinsOf({ pair }: Both, account: number) {
  const asked = { transfer_type: 'available', account_index: account };
  const answer = resultOf<{ transfers: { amount: bigint; key_image: string }[] }>(await pair.theirs('incoming_transfers', asked));
  return answer.transfers;
}
