import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import type { RunningService } from '../../src/cli/wallet-rpc/command.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { type BaseSecrets, exchangeKeys, firstMessage, makeAccount, nextMessage } from '../../src/wallet/multisig/kex.ts';
import { decodeKexMessage, encodeKexMessage } from '../../src/wallet/multisig/kex-message.ts';
import { makeGroup, type Seat } from '../support/multisig-group.ts';
import { startWalletRpc } from '../support/programs.ts';
import { callRpc } from '../support/rpc.ts';
import type { Comparable } from '../support/rpc-both.ts';
import { callOver } from '../support/rpc-wire.ts';
import { startOurs } from '../support/three-services.ts';
import { secretsOf } from '../wallet/multisig/support.ts';

// Groups of both programs: whoever sits where, all come to one address, and each takes over the other's seeds. No daemon.

const LONG = process.env.LONG === '1';
/** Threshold, and who sits where: the reference (r) or ours (o). */
const GROUPS: readonly (readonly [threshold: number, seats: readonly string[]])[] = [
  [1, ['or', 'ro']],
  [2, ['ro', 'or']],
  [2, ['oro', 'roo', 'oor', 'rro', 'ror']],
  [3, ['orr', 'roo', 'oor', 'oro']],
  [3, ['orro', 'rooo', 'ooor']],
  [3, ['rooor', 'orooo', 'oooro', 'rrooo']],
];
/** What is made by default; all of them with LONG=1. */
const SHORT = ['1 or', '2 oro', '3 orro'];
const CASES = GROUPS.flatMap(([threshold, all]) =>
  all.filter((seats) => LONG || SHORT.includes(`${threshold} ${seats}`)).map((seats) => [threshold, seats] as const),
);
const MOST_OURS = 4;

/** The answer of a round. */
interface Made {
  readonly multisig_info: string;
}

/** A program with a folder of wallets. */
interface Service extends Seat {
  readonly url: string;
}

let folder: string;
let ours: RunningService[];
const services: { readonly o: Service[]; readonly r: Service[] } = { o: [], r: [] };
let stops: (() => Promise<void>)[] = [];
let made = 0;

const seatOf = (url: string): Service => ({ url, rpc: (method, params) => callRpc(url, method, params ?? {}) });

beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-multisig-'));
  ours = await Promise.all(
    Array.from({ length: MOST_OURS }, (_, i) => startOurs(['--wallet-dir', join(folder, String(i)), '--offline'])),
  );
  const theirs = [await startWalletRpc(), await startWalletRpc()];
  services.o.push(...ours.map(({ port }) => seatOf(`http://127.0.0.1:${port}`)));
  services.r.push(...theirs.map(({ url }) => seatOf(url)));
  stops = [...ours.map((service) => () => service.stop()), ...theirs.map((program) => () => program.stop())];
});

afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Services in their seats, each with a fresh wallet. */
async function seated(seats: string): Promise<Service[]> {
  const free = { o: [...services.o], r: [...services.r] };
  const taken = [...seats].map((who) => free[who as 'o' | 'r'].shift()!);
  made += 1;
  for (const service of taken)
    await service.rpc('create_wallet', { filename: `group ${made}`, password: '', language: 'English' });
  return taken;
}

const seedOf = async (seat: Seat) => (await seat.rpc<{ key: string }>('query_key', { key_type: 'mnemonic' })).key;
const addressOf = async (seat: Seat) => (await seat.rpc<{ address: string }>('get_address', {})).address;

describe('groups of both programs', () => {
  it.each(CASES)('%i of %s: one address, and seeds that both restore', async (threshold, seats) => {
    const group = await seated(seats);
    const address = await makeGroup(group, threshold);
    for (const seat of group) {
      expect(await addressOf(seat)).toBe(address);
      expect(await seat.rpc('is_multisig')).toEqual({ multisig: true, ready: true, threshold, total: seats.length });
    }
    const [mine, theirs] = [group[seats.indexOf('o')]!, group[seats.indexOf('r')]!];
    const views = await Promise.all(group.map((seat) => seat.rpc<{ key: string }>('query_key', { key_type: 'view_key' })));
    expect(new Set(views.map(({ key }) => key)).size).toBe(1);
    const [mySeed, theirSeed] = [await seedOf(mine), await seedOf(theirs)];
    expect(mySeed).toHaveLength(theirSeed.length);
    const spendKeys = await Promise.all([mine, theirs].map((seat) => seat.rpc('query_key', { key_type: 'spend_key' })));
    for (const [seat, seed] of [
      [mine, theirSeed],
      [theirs, mySeed],
    ] as const) {
      const params = { filename: `restored ${made}`, password: '', seed, enable_multisig_experimental: true, restore_height: 0 };
      const restored = await seat.rpc('restore_deterministic_wallet', params);
      const info = 'Wallet has been restored successfully.';
      expect(restored).toEqual({ address, seed: '', info, was_deprecated: true });
    }
    expect(await mine.rpc('query_key', { key_type: 'spend_key' })).toEqual(spendKeys[1]);
    expect(await theirs.rpc('query_key', { key_type: 'spend_key' })).toEqual(spendKeys[0]);
    expect((await seedOf(theirs)).slice(0, 16)).toBe(mySeed.slice(0, 16));
  });
});

/** What a member, or somebody between, gives in place of the two messages of a round. @param own the victim's @param first of the first round */
function liesOf([a, b]: readonly [string, string], own: string, first: readonly string[]): Record<string, readonly string[]> {
  const { round, keys } = decodeKexMessage(a);
  const [member, stranger] = [secretsOf(0), secretsOf(9)];
  const saying = (told: readonly Uint8Array[], at = round, by = member) =>
    encodeKexMessage({ round: at, keys: told, commonSecret: undefined }, by.baseSecret, systemRandom);
  const strangeKey = decodeKexMessage(saying(keys, round, stranger)).signer;
  return {
    ...{ 'one alone': [a], 'the victim’s own for one': [own, b], 'one twice': [a, a], 'two of the first round': first },
    ...{ 'one of the first round': [first[0]!, b], 'half of one': [a.slice(0, a.length >> 1), b], 'nothing for one': ['', b] },
    ...{ 'a stranger’s': [saying(keys, round, stranger), b], 'a stranger’s besides': [a, b, saying(keys, round, stranger)] },
    ...{ 'no keys': [saying([]), b], 'a strange key besides': [saying([...keys, strangeKey]), b] },
    ...{
      'a strange key for one': [saying([strangeKey, ...keys.slice(1)]), b],
      'two different ones': [a, b, saying([strangeKey])],
    },
    ...{ 'the next round': [saying(keys, round + 1), b], 'the last round there is': [saying(keys, 0xffffffff), b] },
  };
}

describe('what both answer', () => {
  /** The same asked of both, each with a wallet as far as the other's. */
  async function expectSame(pair: readonly [Service, Service], method: string, params: object, title = method): Promise<void> {
    const [a, b] = await Promise.all(pair.map(({ url }) => callOver(url, method, params)));
    expect(a, title).toEqual(b);
  }

  const code = (answer: Comparable) => (answer as { readonly code?: string }).code;

  it('to messages and numbers that are wrong, and go on as before', async () => {
    const [mine, theirs] = (await seated('or')) as [Service, Service];
    const pair = [mine, theirs] as const;
    const signers = [0, 1, 2].map(secretsOf);
    const [a, b] = signers.map((secrets) => firstMessage(secrets, systemRandom)) as [string, string];
    const later = encodeKexMessage({ round: 2, keys: [], commonSecret: undefined }, signers[0]!.baseSecret, systemRandom);
    const changed = `${a.slice(0, 60)}${a[60] === 'a' ? 'b' : 'a'}${a.slice(61)}`;
    for (const [multisig_info, threshold] of [
      ...[[[], 2] as const, [[a], 0] as const, [[a], 3] as const, [[a, a], 2] as const, [[a, later], 2] as const],
      ...[
        'x',
        'ünïcode ✓',
        'MultisigV1xxxxxxxxxxxx',
        'MultisigxV1xxxxxxxxxxx',
        'MultisigxV3R1xxxxxxxxxxx',
        'MultisigxV2R1',
        a.slice(0, 40),
      ].map((message) => [[message], 2] as const),
      ...[a.slice(0, -1), `${a}11111111111`, changed, later].map((message) => [[message], 2] as const),
    ]) {
      await expectSame(pair, 'make_multisig', { multisig_info, threshold, password: '' }, `${multisig_info} ${threshold}`);
    }
    await expectSame(pair, 'make_multisig', {});
    await expectSame(pair, 'exchange_multisig_keys', { multisig_info: [a], password: '' });
    await expectSame(pair, 'is_multisig', {});
    for (const { rpc } of pair) await rpc('make_multisig', { multisig_info: [a, b], threshold: 2, password: '' });
    await expectSame(pair, 'exchange_multisig_keys', { multisig_info: [a, b], password: '' });
    for (const { rpc } of pair) await rpc('create_wallet', { filename: `other ${made}`, password: '', language: 'English' });
    for (const { rpc } of pair) await rpc('prepare_multisig', { enable_multisig_experimental: true });
    for (const { rpc } of pair) await rpc('make_multisig', { multisig_info: [a, b], threshold: 2, password: '' });
    for (const [method, params] of [
      ['is_multisig', {}],
      ['prepare_multisig', {}],
      ['make_multisig', { multisig_info: [a, b], threshold: 2, password: '' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['get_balance', { account_index: 0 }],
      ['export_key_images', { all: true }],
      ['get_reserve_proof', { all: true }],
      ['setup_background_sync', { background_sync_type: 'reuse-wallet-password', wallet_password: '' }],
      ['start_background_sync', {}],
      ['exchange_multisig_keys', {}],
      ['exchange_multisig_keys', { multisig_info: [a] }],
      ['exchange_multisig_keys', { multisig_info: [a, b] }],
      ['exchange_multisig_keys', { multisig_info: [a, later] }],
      ['exchange_multisig_keys', { multisig_info: [later, later] }],
      ['restore_deterministic_wallet', { filename: 'no', seed: '00'.repeat(200), enable_multisig_experimental: true }],
      ['restore_deterministic_wallet', { filename: 'no', seed: 'abc', enable_multisig_experimental: true }],
    ] as const) {
      await expectSame(pair, method, params);
    }
    const specified = { multisig_info: [a], password: '' };
    expect(code(await callOver(mine.url, 'finalize_multisig', specified))).toBe('-33');
  });

  it('T25 signers: to a hostile member in each round, and come to the address of the honest all the same', async () => {
    const pair = (await seated('or')) as [Service, Service];
    const secrets = [0, 1].map(secretsOf) as [BaseSecrets, BaseSecrets];
    const first = secrets.map((one) => firstMessage(one, systemRandom)) as [string, string];
    const told: string[] = [];
    for (const { rpc } of pair) {
      const { multisig_info } = await rpc<Made>('prepare_multisig', { enable_multisig_experimental: true });
      told.push(multisig_info);
    }
    /** The other two members, once beside each of the pair. */
    let groups = told.map((own) => secrets.map((one, i) => makeAccount(one, 2, [own, first[1 - i]!].map(decodeKexMessage))));
    const all = (calls: readonly object[], method: string) => Promise.all(pair.map(({ rpc }, i) => rpc<Made>(method, calls[i])));
    let answers = await all([{}, {}].fill({ multisig_info: first, threshold: 2, password: '' }), 'make_multisig');
    for (let round = 2; round <= 3; round++) {
      const messages = groups.map(
        (accounts) => accounts.map((account) => nextMessage(account, systemRandom)) as [string, string],
      );
      const lies = messages.map((honest, i) => liesOf(honest, answers[i]!.multisig_info, first));
      for (const title of Object.keys(lies[0]!)) {
        const [a, b] = await Promise.all(
          pair.map(({ url }, i) => callOver(url, 'exchange_multisig_keys', { multisig_info: lies[i]![title], password: '' })),
        );
        expect(code(a!), `round ${round}: ${title}`).toMatch(/^-/);
        expect(a, `round ${round}: ${title}`).toEqual(b);
        await expectSame(pair, 'is_multisig', {});
      }
      const before = answers;
      const calls = messages.map((multisig_info) => ({ multisig_info, password: '' }));
      answers = await all(calls, 'exchange_multisig_keys');
      groups = groups.map((accounts, i) => {
        const heard = [before[i]!.multisig_info, ...messages[i]!].map(decodeKexMessage);
        return accounts.map((account) => exchangeKeys(account, heard));
      });
    }
    for (const [i, { rpc }] of pair.entries()) {
      const { key } = await rpc<{ key: string }>('query_key', { key_type: 'view_key' });
      expect(key).toBe(bytesToHex(groups[i]![0]!.commonSecret));
      expect(await rpc('is_multisig')).toMatchObject({ ready: true });
    }
  });

  it('ours asks for the password before anything is changed, and both name it in the same words', async () => {
    const pair = (await seated('or')) as [Service, Service];
    const [{ url: mine, rpc }] = pair;
    const first = await Promise.all(
      pair.map((seat) => seat.rpc<Made>('prepare_multisig', { enable_multisig_experimental: true })),
    );
    const made = (i: number) => ({ multisig_info: [first[1 - i]!.multisig_info], threshold: 2, password: '' });
    const wrong = { ...made(0), password: 'another' };
    expect(await callOver(mine, 'make_multisig', wrong)).toEqual({ code: '-1', message: 'invalid password' });
    expect(await rpc('is_multisig')).toMatchObject({ multisig: false });
    const second = await Promise.all(pair.map((seat, i) => seat.rpc<Made>('make_multisig', made(i))));
    for (const [i, { url }] of pair.entries()) {
      const params = { multisig_info: [second[1 - i]!.multisig_info], password: 'another' };
      const message = 'Error calling exchange_multisig_info: invalid password';
      expect(await callOver(url, 'exchange_multisig_keys', params)).toEqual({ code: '-1', message });
    }
    expect(await rpc('is_multisig')).toMatchObject({ multisig: true, ready: false });
  });

  it("finalize_multisig is a round, with the specification's answer", async () => {
    const [mine, theirs] = (await seated('or')) as [Service, Service];
    const first: string[] = [];
    for (const { rpc } of [mine, theirs]) {
      const { multisig_info } = await rpc<{ multisig_info: string }>('prepare_multisig', { enable_multisig_experimental: true });
      first.push(multisig_info);
    }
    await mine.rpc('make_multisig', { multisig_info: [first[1]], threshold: 2, password: '' });
    const params = { multisig_info: [first[0]], threshold: 2, password: '' };
    const { address, multisig_info } = await theirs.rpc<{ address: string; multisig_info: string }>('make_multisig', params);
    expect(await mine.rpc('finalize_multisig', { multisig_info: [multisig_info], password: '' })).toEqual({ address });
    expect(await mine.rpc('is_multisig')).toMatchObject({ ready: true });
  });
});
