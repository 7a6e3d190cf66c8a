import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcService } from '../../src/rpc/service.ts';
import { type NewWallet, walletFromKeys, walletFromViewKey, walletFromWords } from '../../src/wallet/create-wallet.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { startHostileProxy } from '../support/hostile.ts';
import { inside } from '../support/inside.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { expectSame, expectSameShape, type RpcPair, resultOf, rpcPair } from '../support/rpc-pair.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// Two wallets in both services: one that spends, and one in a view-only and a cold half.
let daemon: Monerod;
let theirs: MoneroWalletRpc;
let theirHot: MoneroWalletRpc;
let theirCold: MoneroWalletRpc;
let wallet: Wallet;
let hotWallet: Wallet;
let coldWallet: Wallet;
let pair: RpcPair;
let hot: RpcPair;
let cold: RpcPair;
let own: string;
let ownSecond: string;
let ownSub: string;
let cold0: string;
let integrated: string;
let coldIntegrated: string;

const XMR = 1_000_000_000_000;
const KEEP = { do_not_relay: true } as const;
const env = quickEnvironment();

async function open(name: string, made: NewWallet, online: boolean): Promise<Wallet> {
  const opened = await Wallet.create(env, name, 'pw', made);
  if (online) await opened.setDaemon({ url: daemon.url, trusted: true });
  return opened;
}

const serve = (opened: Wallet, program: MoneroWalletRpc) =>
  rpcPair(new RpcService(oneWalletHost(opened), { checkResults: true }), program.url);

/** Mines what waits, and at least so many blocks. */
async function mine(blocks: number): Promise<void> {
  const mined = await daemon.minePool(own);
  if (mined < blocks) await daemon.generateBlocks(blocks - mined, own);
  await Promise.all([theirs.refreshToHeight(daemon), theirHot.refreshToHeight(daemon)]);
  const tip = await daemon.height();
  await Promise.all([refreshToTip(wallet, tip), refreshToTip(hotWallet, tip)]);
}

const keyOf = async (program: MoneroWalletRpc, kind: string) =>
  (await program.rpc<{ key: string }>('query_key', { key_type: kind })).key;
const integratedOf = async (program: MoneroWalletRpc) =>
  (await program.rpc<{ integrated_address: string }>('make_integrated_address', {})).integrated_address;
const pay = (address: string, amount: number | bigint = XMR) => ({ destinations: [{ address, amount }] });
const together = (...addresses: string[]) => ({ destinations: addresses.flatMap((address) => pay(address).destinations) });
const many = (count: number) => ({
  destinations: Array.from({ length: count }, () => ({ address: cold0, amount: XMR / 100 })),
});
const two = (first: number, second: number) => ({
  destinations: [
    { address: cold0, amount: first },
    { address: own, amount: second },
  ],
});

beforeAll(async () => {
  daemon = await startMonerod({ premined: true });
  [theirs, theirHot, theirCold] = await Promise.all([
    startWalletRpc({ daemon: daemon.url }),
    startWalletRpc({ daemon: daemon.url }),
    startWalletRpc(),
  ]);
  own = await theirs.restoreWallet('own', MINER_SEED);
  cold0 = await theirCold.createWallet('cold');
  const [viewKey, spendKey] = [await keyOf(theirCold, 'view_key'), await keyOf(theirCold, 'spend_key')];
  await theirHot.restoreFromKeys('hot', { address: cold0, viewKey });
  const start = { height: 0 };
  wallet = await open('own', await walletFromWords(await theirs.seed(), { network: 'regtest', from: start, now: 0 }), true);
  hotWallet = await open('hot', await walletFromViewKey(cold0, viewKey, { network: 'regtest', from: start, now: 0 }), true);
  coldWallet = await open('cold', await walletFromKeys(spendKey, viewKey, { network: 'regtest', from: start, now: 0 }), false);
  [pair, hot, cold] = [serve(wallet, theirs), serve(hotWallet, theirHot), serve(coldWallet, theirCold)];
  const made = await expectSame(pair, 'create_account', { label: 'second' });
  const { address: second } = resultOf<{ address: string }>(made);
  const { address: sub } = resultOf<{ address: string }>(await expectSame(pair, 'create_address', { account_index: 1 }));
  [ownSecond, ownSub] = [second, sub];
  const third = resultOf<{ address: string }>(await expectSame(pair, 'create_account', {})).address;
  [integrated, coldIntegrated] = [await integratedOf(theirs), await integratedOf(theirCold)];
  await mine(1);
  const amounts = [second, sub, second, sub, cold0, cold0, cold0].map((address, i) => ({
    address,
    amount: BigInt(XMR * (i + 2)),
  }));
  await theirs.transfer(amounts);
  await mine(10);
  await theirs.transfer([{ address: third, amount: BigInt(XMR) }]);
  await mine(1);
});

afterAll(async () => {
  await Promise.all([wallet?.close(), hotWallet?.close(), coldWallet?.close()]);
  await Promise.all([theirs?.stop(), theirHot?.stop(), theirCold?.stop()]);
  await daemon?.stop();
});

/** Nearly all that can be spent: hundreds of coins, more than one transaction takes. */
function most(): bigint {
  const ripe = [...inside(wallet).state.outputs.values()].filter(
    ({ output, spend }) =>
      spend === undefined && output.subaddress.major === 0 && output.height + 60 <= inside(wallet).state.height,
  );
  return (ripe.reduce((sum, { output }) => sum + output.amount, 0n) * 9n) / 10n;
}

describe('requests that are refused alike', () => {
  const U64 = 0xffff_ffff_ffff_ffffn;
  const rows: readonly (readonly [string, string, () => object])[] = [
    ['transfer', 'nothing', () => ({})],
    ['transfer', 'no destination', () => ({ destinations: [] })],
    ['transfer', 'destinations that are numbers', () => ({ destinations: [0] })],
    ['transfer', 'an address that is none', () => pay('nobody')],
    ['transfer', 'a name', () => pay('nobody.example')],
    ['transfer', 'no address', () => ({ destinations: [{ amount: 1 }] })],
    ['transfer', 'nothing to pay', () => pay(cold0, 0)],
    ['transfer', 'nothing to pay to one of two', () => ({ destinations: [{ address: own, amount: 1 }, { address: cold0 }] })],
    ['transfer', 'a payment id', () => ({ ...pay(cold0), payment_id: '1'.repeat(16) })],
    ['transfer', 'two payment ids', () => ({ ...pay(integrated), payment_id: '1'.repeat(16) })],
    ['transfer', 'two integrated addresses', () => ({ destinations: [1, 2].map(() => ({ address: integrated, amount: XMR })) })],
    ['transfer', 'more than there is', () => pay(cold0, 10 ** 18)],
    ['transfer', 'sums past 64 bits', () => ({ destinations: [1, 2].map(() => ({ address: cold0, amount: U64 })) })],
    ['transfer', 'an account that is not there', () => ({ ...pay(cold0), account_index: 99 })],
    ['transfer', 'a subaddress that is not there', () => ({ ...pay(cold0), subaddr_indices: [99] })],
    ['transfer', 'a subaddress of too little', () => ({ ...pay(cold0, 20 * XMR), account_index: 1, subaddr_indices: [1] })],
    ['transfer', 'locked money', () => ({ ...pay(cold0), account_index: 2 })],
    ['transfer', 'a fee from a destination that is not there', () => ({ ...pay(cold0), subtract_fee_from_outputs: [0, 1, 7] })],
    ['transfer', 'a fee from nobody that pays nothing', () => ({ ...pay(cold0, 0), subtract_fee_from_outputs: [1] })],
    ['transfer', 'a fee from what is nothing', () => ({ ...pay(cold0, 0), subtract_fee_from_outputs: [0] })],
    ['transfer', 'a fee from less than the fee', () => ({ ...pay(cold0, 1000), subtract_fee_from_outputs: [0] })],
    ['transfer', 'a fee of which one cannot bear its part', () => ({ ...two(1000, XMR), subtract_fee_from_outputs: [0, 1] })],
    ['transfer', 'a fee from one of too many', () => ({ ...many(16), subtract_fee_from_outputs: [0] })],
    ['transfer', 'a fee from more than there is', () => ({ ...pay(cold0, 10 ** 18), subtract_fee_from_outputs: [0] })],
    ['transfer', 'a fee from locked money', () => ({ ...pay(cold0), account_index: 2, subtract_fee_from_outputs: [0] })],
    ['transfer', 'a fee from a word', () => ({ ...pay(cold0), subtract_fee_from_outputs: ['first'] })],
    ['transfer', 'an amount of text', () => ({ destinations: [{ address: cold0, amount: 'many' }] })],
    ['transfer', 'destinations that are no list', () => ({ destinations: 'all' })],
    ['transfer_split', 'nothing', () => ({})],
    ['transfer_split', 'a payment id', () => ({ ...pay(cold0), payment_id: '1'.repeat(64) })],
    ['transfer_split', 'more than there is', () => pay(cold0, 10 ** 18)],
    ['sweep_all', 'nothing', () => ({})],
    ['sweep_all', 'an address that is none', () => ({ address: 'nobody' })],
    ['sweep_all', 'no outputs', () => ({ address: cold0, outputs: 0 })],
    ['sweep_all', 'a payment id', () => ({ address: cold0, payment_id: '1'.repeat(16) })],
    ['sweep_all', 'an account that is not there', () => ({ address: cold0, account_index: 99 })],
    ['sweep_all', 'locked money', () => ({ address: cold0, account_index: 2 })],
    ['sweep_all', 'a subaddress without money', () => ({ address: cold0, account_index: 1, subaddr_indices: [7] })],
    ['sweep_all', 'amounts that are not there', () => ({ address: cold0, account_index: 1, below_amount: 1000 })],
    ['sweep_single', 'nothing', () => ({})],
    ['sweep_single', 'no key image', () => ({ address: cold0 })],
    ['sweep_single', 'a key image that is none', () => ({ address: cold0, key_image: 'x' })],
    ['sweep_single', 'no outputs', () => ({ address: cold0, key_image: '0'.repeat(64), outputs: 0 })],
    ['sweep_single', 'a key image of nobody', () => ({ address: cold0, key_image: '0'.repeat(64) })],
    ['relay_tx', 'nothing', () => ({})],
    ['relay_tx', 'no hexadecimal digits', () => ({ hex: 'xyz' })],
    ['relay_tx', 'bytes of nothing', () => ({ hex: '00'.repeat(40) })],
    ['freeze', 'nothing', () => ({})],
    ['freeze', 'a key image that is none', () => ({ key_image: 'x' })],
    ['freeze', 'a key image of nobody', () => ({ key_image: '0'.repeat(64) })],
    ['thaw', 'nothing', () => ({})],
    ['thaw', 'a key image of nobody', () => ({ key_image: '0'.repeat(64) })],
    ['frozen', 'nothing', () => ({})],
    ['frozen', 'a key image that is none', () => ({ key_image: '0'.repeat(63) })],
    ['frozen', 'a key image of nobody', () => ({ key_image: '0'.repeat(64) })],
    ['import_outputs', 'nothing', () => ({})],
    ['import_outputs', 'no hexadecimal digits', () => ({ outputs_data_hex: 'x' })],
    ['import_key_images', 'nothing', () => ({})],
    ['import_key_images', 'an offset too far', () => ({ offset: 9999, signed_key_images: [] })],
    ['import_key_images', 'a key image that is none', () => ({ signed_key_images: [{ key_image: 'x', signature: 'y' }] })],
    ['import_key_images', 'no signature', () => ({ signed_key_images: [{ key_image: '0'.repeat(64), signature: 'y' }] })],
    ['describe_transfer', 'nothing', () => ({})],
    ['describe_transfer', 'no hexadecimal digits', () => ({ unsigned_txset: 'x' })],
    ['describe_transfer', 'bytes of nothing', () => ({ unsigned_txset: '00' })],
    ['describe_transfer', 'a set of many', () => ({ multisig_txset: '00' })],
    ['sign_transfer', 'nothing', () => ({})],
    ['sign_transfer', 'no hexadecimal digits', () => ({ unsigned_txset: 'x' })],
    ['sign_transfer', 'bytes of nothing', () => ({ unsigned_txset: '0011' })],
    ['submit_transfer', 'nothing', () => ({})],
    ['submit_transfer', 'no hexadecimal digits', () => ({ tx_data_hex: 'x' })],
    ['submit_transfer', 'bytes of nothing', () => ({ tx_data_hex: '0011' })],
  ];

  it.each(rows)('%s: %s', async (method, _, params) => {
    await expectSame(pair, method, params());
  });

  it('a fee borne by a payee of more than one transaction can pay', async () => {
    const answer = await expectSame(pair, 'transfer', { ...pay(cold0, most()), subtract_fee_from_outputs: [0] });
    const message = 'feature subtractfeefrom not supported for split transactions';
    expect(answer).toEqual({ error: { code: -4, message } });
  });

  it('all that 64 bits hold is more than there is: the reference looks past the sum with the fee', async () => {
    const answer = await pair.ours('transfer', { destinations: [{ address: cold0, amount: U64 }] });
    expect(answer).toEqual({ error: { code: -17, message: 'not enough money' } });
  });

  it('key images by a view-only wallet: the reference ends here', async () => {
    expect(await hot.ours('export_key_images', { all: true })).toMatchObject({ error: { code: -1 } });
  });

  it('proofs of spending by a wallet without a daemon', async () => {
    const txid = '0'.repeat(64);
    await expectSame(cold, 'get_spend_proof', { txid });
    for (const signature of ['SpendProofV1', 'nonsense']) await expectSame(cold, 'check_spend_proof', { txid, signature });
  });

  it.each(['sign_transfer', 'describe_transfer', 'get_spend_proof', 'get_reserve_proof'])(
    '%s by a view-only wallet',
    async (method) => {
      await expectSame(hot, method, { all: true, txid: '0'.repeat(64), unsigned_txset: '00' });
    },
  );
});

describe('transactions that are made and kept', () => {
  const everything = { get_tx_key: true, get_tx_keys: true, get_tx_hex: true, get_tx_metadata: true };
  const rows: readonly (readonly [string, string, () => object])[] = [
    ['transfer', 'plain', () => pay(cold0)],
    ['transfer', 'everything told', () => ({ ...pay(cold0), ...everything })],
    ['transfer', 'key alone', () => ({ ...pay(cold0), get_tx_key: true })],
    ['transfer', 'an integrated address', () => ({ ...pay(integrated), get_tx_hex: true })],
    ['transfer', 'an integrated address and its own base address', () => together(integrated, own)],
    ['transfer', 'somebody’s integrated address beside one’s own address', () => together(coldIntegrated, own)],
    ['transfer', 'one’s own integrated address beside another address of one’s own', () => together(integrated, ownSub)],
    ['transfer', 'the same, the other address first', () => together(ownSub, integrated)],
    ['transfer', 'the same, of another account', () => together(integrated, ownSecond)],
    ['transfer', 'slowest', () => ({ ...pay(cold0), priority: 1 })],
    ['transfer', 'fastest', () => ({ ...pay(cold0), priority: 4 })],
    ['transfer', 'faster than there is', () => ({ ...pay(cold0), priority: 9 })],
    ['transfer', 'another ring size', () => ({ ...pay(cold0), ring_size: 3 })],
    ['transfer', 'an unlock time', () => ({ ...pay(cold0), unlock_time: 5000, get_tx_metadata: true })],
    ['transfer', 'one subaddress', () => ({ ...pay(cold0), account_index: 1, subaddr_indices: [1] })],
    ['transfer', 'fifteen destinations', () => many(15)],
    ['transfer', 'more destinations than one transaction has', () => many(16)],
    ['transfer_split', 'plain', () => pay(cold0)],
    ['transfer_split', 'everything told', () => ({ ...pay(cold0), ...everything })],
    ['transfer_split', 'more destinations than one transaction has', () => ({ ...many(20), ...everything })],
    ['sweep_all', 'one subaddress of them', () => ({ address: cold0, account_index: 1 })],
    ['sweep_all', 'a chosen one', () => ({ address: cold0, account_index: 1, subaddr_indices: [0], ...everything })],
    ['sweep_all', 'all of them', () => ({ address: cold0, account_index: 1, subaddr_indices_all: true })],
    ['sweep_all', 'in parts', () => ({ address: cold0, account_index: 1, outputs: 5, unlock_time: 9 })],
    [
      'sweep_all',
      'small ones',
      () => ({ address: integrated, account_index: 1, subaddr_indices_all: true, below_amount: 4 * XMR }),
    ],
    ['sweep_dust', 'of a wallet without', () => everything],
    ['sweep_unmixable', 'of a wallet without', () => ({})],
  ];

  it.each(rows)('%s: %s', async (method, _, params) => {
    await expectSameShape(pair, method, { ...params(), ...KEEP });
  });

  describe('subtract_fee_from_outputs', () => {
    type Made = { amount: bigint; amounts_by_dest: { amounts: bigint[] }; fee: bigint; tx_hash: string };
    const asked = [XMR, XMR / 2, XMR / 4].map(BigInt);
    const paying = (named: readonly number[]) => ({
      destinations: [cold0, own, cold0].map((address, i) => ({ address, amount: asked[i]! })),
      subtract_fee_from_outputs: named,
    });
    /** What three are paid when those named bear a fee that three divides: in the reply the last follows the first. */
    const borne = ({ fee }: Made, named: readonly number[]) =>
      [0, 2, 1].map((i) => asked[i]! - (named.includes(i) ? fee / BigInt(new Set(named).size) : 0n));

    it.each([[[0]], [[0, 1, 2]], [[2, 1]], [[1, 2, 2, 1]]])(
      'of %j is borne in equal parts, others are paid whole',
      async (named) => {
        for (const answer of await expectSameShape(pair, 'transfer', { ...paying(named), ...KEEP })) {
          const made = resultOf<Made>(answer);
          expect(made.amounts_by_dest.amounts).toEqual(borne(made, named));
          expect(made.amount).toBe(asked.reduce((sum, amount) => sum + amount, 0n) - made.fee);
        }
      },
    );

    it('of the second of three: the reference takes it from the last and refuses what it made, ours arrives', async () => {
      const theirAnswer = await pair.theirs('transfer', { ...paying([1]), ...KEEP });
      expect(theirAnswer).toMatchObject({ error: { code: -4, message: expect.stringContaining('Total received by') } });
      const made = resultOf<Made>(await pair.ours('transfer', paying([1])));
      expect(made.amounts_by_dest.amounts).toEqual(borne(made, [1]));
      await mine(1);
      const got = [...inside(hotWallet).state.outputs.values()].filter(({ output }) => output.txHash === made.tx_hash);
      expect(new Set(got.map(({ output }) => output.amount))).toEqual(new Set([asked[0], asked[2]]));
    });

    it('is nothing that transfer_split knows', async () => {
      for (const answer of await expectSameShape(pair, 'transfer_split', { ...paying([0]), ...KEEP })) {
        expect(resultOf<{ amounts_by_dest_list: object[] }>(answer).amounts_by_dest_list).toEqual([
          { amounts: [0, 2, 1].map((i) => asked[i]) },
        ]);
      }
    });
  });

  it('sweep_single: amounts and fees that add up to the output', async () => {
    const { output } = [...inside(wallet).state.outputs.values()].find(({ output }) => output.subaddress.major === 1)!;
    const answers = await expectSameShape(pair, 'sweep_single', {
      address: cold0,
      key_image: output.keyImage,
      ...everything,
      ...KEEP,
    });
    for (const answer of answers) {
      const made = resultOf<{ amount: bigint; fee: bigint; spent_key_images: object }>(answer);
      expect(made.amount + made.fee).toBe(output.amount);
      expect(made.spent_key_images).toEqual({ key_images: [output.keyImage] });
    }
  });

  it('sweep_all takes what it is told: amounts of a subaddress, of all, and of small outputs', async () => {
    const swept = async (params: object) =>
      Promise.all(
        (await expectSameShape(pair, 'sweep_all', { address: cold0, account_index: 1, ...params, ...KEEP })).map((answer) => {
          const { amount_list, fee_list } = resultOf<{ amount_list: bigint[]; fee_list: bigint[] }>(answer);
          return Number([...amount_list, ...fee_list].reduce((sum, one) => sum + one, 0n)) / XMR;
        }),
      );
    // Subaddress 0 has 2 and 4, subaddress 1 has 3 and 5.
    expect(await swept({ subaddr_indices: [1] })).toEqual([8, 8]);
    expect(await swept({ subaddr_indices_all: true })).toEqual([14, 14]);
    expect(await swept({ subaddr_indices_all: true, below_amount: 4 * XMR })).toEqual([5, 5]);
    // Without a choice: any subaddress but the first.
    expect(await swept({})).toEqual([8, 8]);
  });

  it.each([
    {},
    { n_inputs: 1 },
    { n_inputs: 1, n_outputs: 1 },
    { n_inputs: 1, n_outputs: 2 },
    { n_inputs: 2, n_outputs: 3, ring_size: 16 },
    { n_inputs: 7, n_outputs: 16, ring_size: 11, rct: true },
    { n_inputs: 7, n_outputs: 17 },
    { n_inputs: 150, n_outputs: 5 },
    { n_inputs: 2, n_outputs: 2, rct: false },
    { n_inputs: 2, n_outputs: 2, ring_size: 4, rct: false },
    { n_inputs: 4294967295, n_outputs: 2 },
  ])('estimate_tx_size_and_weight %j', async (params) => {
    await expectSame(pair, 'estimate_tx_size_and_weight', params);
  });
});

describe('transactions that are sent', () => {
  it('metadata of either is relayed by the other, and their keys are then known there', async () => {
    const wanted = { ...pay(cold0), get_tx_metadata: true, get_tx_key: true, ...KEEP };
    for (const [from, to] of [
      ['ours', 'theirs'],
      ['theirs', 'ours'],
    ] as const) {
      const made = resultOf<{ tx_metadata: string; tx_hash: string; tx_key: string }>(await pair[from]('transfer', wanted));
      expect(resultOf(await pair[to]('relay_tx', { hex: made.tx_metadata }))).toEqual({ tx_hash: made.tx_hash });
      expect(resultOf(await pair[to]('get_tx_key', { txid: made.tx_hash }))).toEqual({ tx_key: made.tx_key });
      await mine(1);
      // Once more is no failure.
      for (const side of [from, to]) {
        expect(resultOf(await pair[side]('relay_tx', { hex: made.tx_metadata }))).toEqual({ tx_hash: made.tx_hash });
      }
    }
  });

  it('a sweep to an integrated address is told with its payment id where its metadata was relayed', async () => {
    const available = { transfer_type: 'available', account_index: 0 };
    type Coin = { key_image: string; unlocked: boolean };
    const { transfers } = resultOf<{ transfers: Coin[] }>(await pair.theirs('incoming_transfers', available));
    const { key_image } = transfers.find(({ unlocked }) => unlocked)!;
    const sweep = { address: coldIntegrated, key_image, get_tx_metadata: true, ...KEEP };
    const made = resultOf<{ tx_metadata: string; tx_hash: string }>(await pair.theirs('sweep_single', sweep));
    const { tx_metadata: hex, tx_hash: txid } = made;
    for (const side of ['ours', 'theirs'] as const) {
      resultOf(await pair[side]('relay_tx', { hex }));
      const { transfer } = resultOf<{ transfer: { payment_id: string } }>(await pair[side]('get_transfer_by_txid', { txid }));
      expect(transfer.payment_id, side).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
    }
    await mine(1);
  });

  it('what the pool has lost leaves again when it is relayed again', async () => {
    for (const side of ['ours', 'theirs'] as const) {
      const made = resultOf<{ tx_metadata: string; tx_hash: string }>(
        await pair[side]('transfer', { ...pay(cold0), get_tx_metadata: true }),
      );
      await daemon.flushPool();
      expect(resultOf(await pair[side]('relay_tx', { hex: made.tx_metadata }))).toEqual({ tx_hash: made.tx_hash });
      const { tx_hashes } = await daemon.path<{ tx_hashes?: string[] }>('get_transaction_pool_hashes');
      expect(tx_hashes).toEqual([made.tx_hash]);
      await mine(1);
    }
  });

  it.each([
    ['refused', { status: 'Failed', reason: 'no', invalid_input: true }, 200, -4],
    ['not taken by a busy daemon', { status: 'BUSY' }, 200, -3],
    ['turned away', {}, 404, -38],
  ])('what is %s at the very sending is told alike, and is not pending', async (_, body, status, code) => {
    const proxy = await startHostileProxy(daemon.url);
    const both = ['ours', 'theirs'] as const;
    const daemonIs = (address: string) =>
      Promise.all([
        wallet.setDaemon({ url: address, trusted: true }),
        theirs.rpc('set_daemon', { address: address.replace('http://', ''), trusted: true }),
      ]);
    const waiting = () => Promise.all(both.map((side) => pair[side]('get_transfers', { pending: true, failed: true })));
    const before = await waiting();
    try {
      await daemonIs(proxy.url);
      for (const path of ['/send_raw_transaction', '/sendrawtransaction'])
        proxy.lie(path, (_asked, _forward, response) => {
          response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
        });
      const answers = [await pair.ours('transfer', pay(cold0)), await pair.theirs('transfer', pay(cold0))];
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).toMatchObject({ error: { code } });
      expect(await waiting()).toEqual(before);
    } finally {
      await daemonIs(daemon.url);
      await proxy.stop();
    }
    // The daemon calls the coins unspent: they are free in both.
    for (const side of both) {
      resultOf(await pair[side]('rescan_spent', {}));
      resultOf(await pair[side]('transfer', pay(cold0)));
      await mine(1);
    }
  });

  it('transfer and transfer_split reach whom they pay', async () => {
    const ours = await pair.ours('transfer', pay(cold0, 3));
    await mine(1);
    const theirsToo = await pair.theirs('transfer', pay(cold0, 5));
    await mine(1);
    const seventeen = Array.from({ length: 17 }, () => ({ address: cold0, amount: 7 }));
    const split = await pair.ours('transfer_split', { destinations: seventeen });
    const hashes = [ours, theirsToo].map((answer) => resultOf<{ tx_hash: string }>(answer).tx_hash);
    const { tx_hash_list } = resultOf<{ tx_hash_list: string[] }>(split);
    expect(tx_hash_list.length).toBe(2);
    await mine(1);
    const got = [...inside(hotWallet).state.outputs.values()].map(({ output }) => output);
    expect(hashes.map((hash) => got.find(({ txHash }) => txHash === hash)?.amount)).toEqual([3n, 5n]);
    expect(got.filter(({ txHash }) => tx_hash_list.includes(txHash)).map(({ amount }) => amount)).toEqual(Array(17).fill(7n));
  });

  it('what waits in the pool is told when it is asked for, though no look at the chain is due and though none is made', async () => {
    const inPool = async (side: 'ours' | 'theirs', txid: string) => {
      const { pool = [] } = resultOf<{ pool?: { txid: string }[] }>(await hot[side]('get_transfers', { pool: true }));
      return pool.some((entry) => entry.txid === txid);
    };
    /** Pays, and waits for the daemon to show it, which it does not before it has passed it on. */
    const paid = async () => {
      const txid = resultOf<{ tx_hash: string }>(await pair.theirs('transfer', pay(cold0, 11))).tx_hash;
      await expect.poll(() => inPool('theirs', txid), { timeout: 60_000 }).toBe(true);
      return txid;
    };
    const { height } = inside(hotWallet).state;
    expect(await inPool('ours', await paid())).toBe(true);
    await hotWallet.pause();
    expect(await inPool('ours', await paid())).toBe(true);
    const one = await hot.ours('get_transfer_by_txid', { txid: await paid() });
    expect(resultOf<{ transfer: { type: string } }>(one).transfer.type).toBe('pool');
    expect(inside(hotWallet).state.height).toBe(height);
    await hotWallet.resume();
    await mine(1);
  });

  it('frozen outputs are set aside by both', async () => {
    const keyImages = [...inside(wallet).state.outputs.values()]
      .filter(({ output }) => output.subaddress.major === 1)
      .map(({ output }) => output.keyImage);
    for (const key_image of keyImages) {
      expect(resultOf(await expectSame(pair, 'frozen', { key_image }))).toEqual({ frozen: false });
      await expectSame(pair, 'freeze', { key_image });
      expect(resultOf(await expectSame(pair, 'frozen', { key_image }))).toEqual({ frozen: true });
    }
    await expectSame(pair, 'transfer', { ...pay(cold0), account_index: 1 });
    for (const chosen of [{}, { subaddr_indices: [0] }, { subaddr_indices_all: true }])
      await expectSame(pair, 'sweep_all', { address: cold0, account_index: 1, ...chosen });
    await expectSame(pair, 'sweep_single', { address: cold0, key_image: keyImages[0] });
    for (const key_image of keyImages) await expectSame(pair, 'thaw', { key_image });
    await expectSameShape(pair, 'transfer', { ...pay(cold0), account_index: 1, ...KEEP });
  });
});

describe('the way through a cold wallet', () => {
  it('outputs go there and key images come back', async () => {
    await expectSame(cold, 'rescan_spent');
    const outputs = await expectSameShape(hot, 'export_outputs', { all: true });
    const [ours, theirsToo] = outputs.map((answer) => resultOf<{ outputs_data_hex: string }>(answer).outputs_data_hex);
    expect(resultOf(await cold.theirs('import_outputs', { outputs_data_hex: ours }))).toEqual(
      resultOf(await cold.ours('import_outputs', { outputs_data_hex: theirsToo })),
    );
    for (const [method, params] of [
      ['get_balance', { all_accounts: true }],
      ['get_balance', { account_index: 0, address_indices: [0, 1], strict: true }],
      ['get_accounts', {}],
      ...['all', 'available', 'unavailable'].map((transfer_type) => ['incoming_transfers', { transfer_type }] as const),
      ['incoming_transfers', { transfer_type: 'all', subaddr_indices: [5] }],
      ['rescan_spent', {}],
      ['start_mining', { threads_count: 1 }],
    ] as const) {
      await expectSame(cold, method, params);
    }
    const images = await expectSameShape(cold, 'export_key_images', { all: true });
    type Run = { offset: bigint; signed_key_images: { key_image: string; signature: string }[] };
    const [ourRun, theirRun] = images.map((answer) => resultOf<Run>(answer));
    expect(ourRun!.signed_key_images.map(({ key_image }) => key_image)).toEqual(
      theirRun!.signed_key_images.map(({ key_image }) => key_image),
    );
    // There is nobody to ask which of them are spent.
    expect(await expectSame(cold, 'import_key_images', ourRun)).toMatchObject({ error: { code: -38 } });
    await expectSame(cold, 'import_key_images', {});
    expect(await hot.theirs('import_key_images', ourRun)).toEqual(await hot.ours('import_key_images', theirRun));
    const [first, second] = ourRun!.signed_key_images;
    const swapped = { offset: 1n, signed_key_images: [{ ...second!, key_image: first!.key_image }] };
    const pointless = { offset: 1n, signed_key_images: [{ ...second!, key_image: '00'.repeat(32) }] };
    const shouted = { offset: 1n, signed_key_images: [{ ...second!, key_image: first!.key_image.toUpperCase() }] };
    for (const wrong of [swapped, pointless, shouted]) await expectSame(hot, 'import_key_images', wrong);
  });

  it('sets of either are described alike, signed by the other and sent', async () => {
    for (const [from, to] of [
      ['ours', 'theirs'],
      ['theirs', 'ours'],
    ] as const) {
      const { unsigned_txset } = resultOf<{ unsigned_txset: string }>(await hot[from]('transfer', pay(own, XMR)));
      const described = resultOf(await expectSame(cold, 'describe_transfer', { unsigned_txset }));
      expect(described).toMatchObject({ summary: { recipients: [{ address: own, amount: BigInt(XMR) }] } });
      const wanted = { unsigned_txset, export_raw: true, get_tx_keys: true };
      const signed = resultOf<{ signed_txset: string; tx_hash_list: string[]; tx_raw_list: string[]; tx_key_list: string[] }>(
        await cold[to]('sign_transfer', wanted),
      );
      expect([signed.tx_hash_list.length, signed.tx_raw_list.length, signed.tx_key_list.length]).toEqual([1, 1, 1]);
      const submitted = resultOf<{ tx_hash_list: string[] }>(
        await hot[from]('submit_transfer', { tx_data_hex: signed.signed_txset }),
      );
      expect(submitted.tx_hash_list).toEqual(signed.tx_hash_list);
      // Once more is no failure, in the pool or in a block; what spends the same is.
      const again = { tx_data_hex: signed.signed_txset };
      const other = resultOf<{ signed_txset: string }>(await cold[to]('sign_transfer', wanted));
      expect(resultOf(await hot[from]('submit_transfer', again))).toEqual({ tx_hash_list: signed.tx_hash_list });
      expect(await hot[from]('submit_transfer', { tx_data_hex: other.signed_txset })).toEqual({
        error: { code: -41, message: 'Failed to submit signed tx: transaction was rejected by daemon' },
      });
      await mine(10);
      expect(resultOf(await hot[from]('submit_transfer', again))).toEqual({ tx_hash_list: signed.tx_hash_list });
      const paid = { txid: signed.tx_hash_list[0], tx_key: signed.tx_key_list[0], address: own };
      expect(resultOf(await expectSame(pair, 'check_tx_key', paid))).toMatchObject({ received: BigInt(XMR) });
    }
  });

  it('a view-only wallet answers in the same form', async () => {
    await expectSameShape(hot, 'transfer', pay(own, XMR / 10));
    await expectSameShape(hot, 'transfer_split', pay(own, XMR / 10));
    await expectSameShape(hot, 'sweep_all', { address: own });
    await expectSame(hot, 'get_tx_key', { txid: '0'.repeat(64) });
  });
});
