import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto, randomScalar, scalarMulBase, systemRandom } from '../../src/crypto/index.ts';
import { encodeAddress, subaddressOf } from '../../src/protocol/address.ts';
import { expectMembersAgree, spentBy } from '../support/multisig-agreement.ts';
import { exchangeInfo, makeGroup, type OwnSeat, signInTurn, submit, takeSeat } from '../support/multisig-group.ts';
import { missingRoles, rolesOf, rolesRow, SEATED_GROUPS, type SeatedGroup } from '../support/multisig-roles.ts';
import { MINER_ADDRESS } from '../support/premined.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { RpcFailure } from '../support/rpc.ts';
import { type Comparable, comparable, unordered } from '../support/rpc-both.ts';
import { callOver } from '../support/rpc-wire.ts';
import { shapeOf } from '../support/three-services.ts';

/** Groups of both programs, in every seat; the long form (`npm run soak` with `multisig-spend`) goes through all of them. */
const LONG = process.env.LONG === '1';

const GROUPS: readonly SeatedGroup[] = LONG ? SEATED_GROUPS : SEATED_GROUPS.filter(({ seats }) => seats === 'oro');

const XMR = 1_000_000_000_000n;
const UNLOCKING = 60;
const COINS = 3;

let daemon: Monerod;

beforeAll(async () => {
  await loadCrypto();
  daemon = await startMonerod({ premined: true });
});

afterAll(() => daemon?.stop());

interface Proposed {
  readonly multisig_txset: string;
}

/** A payment as one seat proposes it, and what it is of. */
type Proposal = (proposer: OwnSeat) => Promise<string>;

const toIntegrated: Proposal = async (proposer) => {
  const made = await proposer.rpc<{ integrated_address: string }>('make_integrated_address', {
    standard_address: MINER_ADDRESS,
    payment_id: '1122334455667788',
  });
  const destinations = [{ address: made.integrated_address, amount: 2n * XMR }];
  return (await proposer.rpc<Proposed>('transfer', { destinations })).multisig_txset;
};

/** Of nobody: who submits a payment knows what it paid the group itself, the others see what is gone. */
function aSubaddress(): string {
  const [spend, view] = [randomScalar(systemRandom), randomScalar(systemRandom)];
  const keys = subaddressOf({ viewSecretKey: view, spendPublicKey: scalarMulBase(spend) }, { major: 0, minor: 1 });
  return encodeAddress({ network: 'regtest', kind: 'subaddress', ...keys });
}

/** More than one coin is worth: several inputs; to a subaddress and to somebody's first address. */
const toSeveral: Proposal = async (proposer) => {
  const address = aSubaddress();
  const destinations = [
    { address, amount: 40n * XMR },
    { address: MINER_ADDRESS, amount: XMR },
  ];
  return (await proposer.rpc<Proposed>('transfer_split', { destinations })).multisig_txset;
};

const sweep: Proposal = async (proposer) => {
  const { address } = await proposer.rpc<{ address: string }>('get_address');
  return (await proposer.rpc<Proposed>('sweep_all', { address, subaddr_indices_all: true })).multisig_txset;
};

const PROPOSALS: readonly (readonly [name: string, propose: Proposal])[] = [
  ['to an integrated address', toIntegrated],
  ['of several coins, to a subaddress and another', toSeveral],
  ['of all coins, to itself', sweep],
];

const BEFORE_THE_EXCHANGE: readonly (readonly [method: string, params: object])[] = [
  ['transfer', { destinations: [{ address: MINER_ADDRESS, amount: XMR }] }],
  ['transfer_split', { destinations: [{ address: MINER_ADDRESS, amount: XMR }] }],
  ['transfer', { destinations: [{ address: MINER_ADDRESS, amount: 1_000_000n * XMR }] }],
  ['sweep_all', { address: MINER_ADDRESS }],
  ['sweep_all', { address: MINER_ADDRESS, subaddr_indices: [0] }],
];

interface Coins {
  readonly transfers?: readonly { readonly key_image: string }[];
}

async function refreshAll(seats: readonly OwnSeat[]): Promise<void> {
  for (const seat of seats) await seat.rpc('refresh');
}

/** What all but the first say to a proposal of the first, which alone knows what the others exported. */
async function signUnready([first, ...others]: readonly OwnSeat[]): Promise<Comparable[]> {
  const info: string[] = [];
  for (const seat of others) info.push((await seat.rpc<{ info: string }>('export_multisig_info')).info);
  await first!.rpc('import_multisig_info', { info });
  const set = await toIntegrated(first!);
  return Promise.all(others.map(({ url }) => callOver(url, 'sign_multisig', { tx_data_hex: set })));
}

describe('seats and roles', () => {
  it('are all there in the long form, for every group', () => {
    const groups = new Map<string, SeatedGroup[]>();
    for (const group of SEATED_GROUPS) {
      const name = `${group.threshold} of ${group.seats.length}`;
      groups.set(name, [...(groups.get(name) ?? []), group]);
    }
    const table = [...groups].map(([name, some]) => ({ name, missing: missingRoles(some) }));
    expect(table).toEqual([...groups.keys()].map((name) => ({ name, missing: [] })));
    if (LONG) console.table(SEATED_GROUPS.map(rolesRow));
  });
});

describe.each(GROUPS.map((group) => ({ ...group, name: `${group.threshold} of ${group.seats}` })))('$name', (group) => {
  const seats: OwnSeat[] = [];
  /** What each seat said, by request. */
  const unready: Comparable[][] = [];
  /** What those said who were to sign and had taken in no export. */
  let unable: Comparable[] = [];

  beforeAll(async () => {
    for (const who of group.seats) seats.push(await takeSeat(who === 'o' ? 'ours' : 'theirs', daemon));
    const address = await makeGroup(seats, group.threshold);
    await daemon.generateBlocks(COINS, address);
    await daemon.generateBlocks(UNLOCKING, MINER_ADDRESS);
    await refreshAll(seats);
    for (const [method, params] of BEFORE_THE_EXCHANGE)
      unready.push(await Promise.all(seats.map(({ url }) => callOver(url, method, params))));
    unable = group.threshold > 1 ? await signUnready(seats) : [];
    await exchangeInfo(seats);
  });

  it.runIf(group.threshold > 1)('whoever has taken in no export cannot sign, and all say so alike', () => {
    for (const answer of unable) {
      expect(answer).toEqual({
        code: '-35',
        message: expect.stringContaining('import multisig data from more other participants'),
      });
      expect(answer).toEqual(unable[0]);
    }
  });

  it('before the exchange all report the same balance, which nobody can spend yet', () => {
    for (const [i, [first, ...rest]] of unready.entries()) {
      expect(first, BEFORE_THE_EXCHANGE[i]![0]).toMatchObject({ code: expect.any(String) });
      for (const other of rest) expect(other, BEFORE_THE_EXCHANGE[i]![0]).toEqual(first);
    }
  });

  afterAll(async () => {
    for (const seat of seats) await seat.stop();
  });

  it('all know the same after the exchange', () => expectMembersAgree(seats));

  it('a sweep of several coins names their key images in the order of its transaction', async () => {
    const { address } = await seats[0]!.rpc<{ address: string }>('get_address');
    type Swept = { readonly spent_key_images_list: readonly { readonly key_images: readonly string[] }[] };
    const sweepBy = (seat: OwnSeat) => seat.rpc<Swept>('sweep_all', { address, do_not_relay: true });
    const told = (await Promise.all(seats.map(sweepBy))).map((swept) => swept.spent_key_images_list);
    expect(told[0]![0]!.key_images).toHaveLength(COINS);
    for (const other of told) expect(other).toEqual(told[0]);
    // None of these is signed: the nonces that they hold are given up.
    await exchangeInfo(seats);
  });

  it.each(PROPOSALS.map(([name, propose], i) => ({ name, propose, i })))('pays $name', async ({ propose, i }) => {
    const roles = rolesOf(group)[i]!;
    const [proposer, submitter] = [seats[roles.proposer]!, seats[roles.submitter]!];
    const signers = roles.signers.map((at) => seats[at]!);
    const set = await propose(proposer);
    // The order of recipients is that of a hash table there.
    const described = await Promise.all(
      seats.map(async (seat) => unordered(comparable(await seat.rpc('describe_transfer', { multisig_txset: set })))),
    );
    for (const other of described) expect(other).toEqual(described[0]);
    const signed = await signInTurn(set, signers);
    const hashes = await submit(signed, submitter);
    expect(hashes.length).toBeGreaterThan(0);
    // Once more is no failure, in the pool or in a block.
    expect(await submit(signed, submitter)).toEqual(hashes);
    await daemon.minePool(MINER_ADDRESS);
    await daemon.generateBlocks(10, MINER_ADDRESS);
    await refreshAll(seats);
    await exchangeInfo(seats);
    await expectMembersAgree(seats);
    for (const seat of seats) {
      expect(await spentBy(seat)).toEqual(expect.arrayContaining([...hashes]));
    }
  });

  it.runIf(group.seats === 'oro')('answers alike where a signer has coins but no whole key', async () => {
    const [a, b] = [seats.find(({ kind }) => kind === 'ours')!, seats.find(({ kind }) => kind === 'theirs')!];
    const [txid] = await spentBy(a);
    const { address } = await a.rpc<{ address: string }>('get_address');
    const { transfers = [] } = await a.rpc<Coins>('incoming_transfers', { transfer_type: 'all' });
    const { key_image } = transfers[0]!;
    for (const [method, params] of [
      ['export_key_images', { all: true }],
      ['export_key_images', { all: false }],
      ['get_reserve_proof', { all: true, message: 'm' }],
      ['get_reserve_proof', { all: false, account_index: 0, amount: 1, message: 'm' }],
      ['get_spend_proof', { txid, message: 'm' }],
      ['get_tx_proof', { txid, address, message: 'm' }],
      ['query_key', { key_type: 'spend_key' }],
      ['sign_transfer', { unsigned_txset: '00' }],
      ['submit_transfer', { tx_data_hex: '00' }],
      ['import_outputs', { outputs_data_hex: '00' }],
      ['import_key_images', { signed_key_images: [{ key_image, signature: '00'.repeat(64) }] }],
      ['relay_tx', { hex: '00' }],
      ['transfer', { destinations: [{ address, amount: 1 }], get_tx_hex: true, get_tx_key: true, get_tx_metadata: true }],
      ['transfer', { destinations: [{ address, amount: 1 }], do_not_relay: true }],
      ['sweep_dust', {}],
      ['sweep_single', { address, key_image: '00'.repeat(32) }],
      ['rescan_spent', {}],
      ['setup_background_sync', { background_sync_type: 'reuse-wallet-password', wallet_password: '' }],
      ['change_wallet_password', { old_password: 'x', new_password: 'y' }],
    ] as const) {
      const [x, y] = await Promise.all([a, b].map(({ url }) => callOver(url, method, params)));
      // How long a set is depends on the rings that were drawn.
      const shown = (answer: Comparable) => JSON.stringify(shapeOf(answer)).replace(/text of \d{4,}/g, 'a long text');
      const refused = typeof x === 'object' && x !== null && 'code' in x;
      const [mine, reference] = refused ? [x, y] : [shown(x!), shown(y!)];
      expect(mine, `${method} ${JSON.stringify(params)}`).toEqual(reference);
    }
  });

  it('says the same of what cannot be signed, in both programs', async () => {
    const [a, b] = [seats.find(({ kind }) => kind === 'ours')!, seats.find(({ kind }) => kind === 'theirs')!];
    const refusal = async (seat: OwnSeat, method: string, params: unknown) => {
      try {
        return await seat.rpc(method, params);
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error;
        return { code: error.code, message: error.message };
      }
    };
    const { address } = await a.rpc<{ address: string }>('get_address');
    const propose = async (seat: OwnSeat) =>
      (await seat.rpc<Proposed>('transfer', { destinations: [{ address, amount: XMR }] })).multisig_txset;
    for (const [method, params] of [
      ['sign_multisig', { tx_data_hex: 'zz' }],
      ['sign_multisig', { tx_data_hex: '00' }],
      ['submit_multisig', { tx_data_hex: '00' }],
      ['describe_transfer', { multisig_txset: '00' }],
      ['import_multisig_info', { info: ['zz', 'zz', 'zz'] }],
      ['import_multisig_info', { info: ['00', '00', '00'] }],
    ] as const) {
      expect(await refusal(a, method, params), `${method}`).toEqual(await refusal(b, method, params));
    }
    if (group.threshold === 1) return;
    const [ours, theirs] = [await propose(a), await propose(b)];
    for (const method of ['sign_multisig', 'submit_multisig']) {
      expect(await refusal(a, method, { tx_data_hex: ours })).toEqual(await refusal(b, method, { tx_data_hex: theirs }));
    }
    // Nonces sign once: what another proposed with the same is refused by both.
    const first = await b.rpc<Proposed>('transfer', { destinations: [{ address, amount: 2n * XMR }] });
    await a.rpc('sign_multisig', { tx_data_hex: first.multisig_txset });
    const answer = await refusal(a, 'sign_multisig', { tx_data_hex: theirs });
    await b.rpc('sign_multisig', { tx_data_hex: ours }).catch(() => undefined);
    expect(answer).toEqual({ code: -35, message: expect.stringContaining('This signature was made with stale data') });
  });
});
