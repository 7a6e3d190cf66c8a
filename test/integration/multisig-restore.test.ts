import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { loadCrypto, randomScalar, scalarMulBase, systemRandom } from '../../src/crypto/index.ts';
import { encodeAddress, subaddressOf } from '../../src/protocol/address.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { type NewWallet, newWallet, Wallet, walletFromMultisigSeed } from '../../src/wallet/index.ts';
import { type OutputsExport, openMultisigExport, outputsFile, sealingKeyOf } from '../../src/wallet2/index.ts';
import { expectMembersAgree, spentBy } from '../support/multisig-agreement.ts';
import { exchangeInfo, makeGroup, type Seat, signAndSubmit } from '../support/multisig-group.ts';
import { MINER_ADDRESS, MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { oneWalletHost } from '../support/rpc-host.ts';

// Members of groups of both programs lose their wallets after the group has spent, and bring them back: from their seed, from a backup, and
// each from its seed in the other program. Whoever came back signs a payment that monerod takes.

const LONG = process.env.LONG === '1';
const GROUPS = [
  { threshold: 2, seats: 'or' },
  { threshold: 2, seats: 'oro' },
  { threshold: 3, seats: 'ororo' },
].filter(({ seats }) => LONG || seats === 'oro');

const XMR = 1_000_000_000_000n;
const NOW = 1_700_000_000;

/** A member whose wallet is open in this process, or one of the reference's service. */
type Member = { readonly kind: 'ours'; readonly wallet: Wallet } & Seat;
type Theirs = { readonly kind: 'theirs'; readonly program: MoneroWalletRpc } & Seat;

const env = quickEnvironment();
const open: Wallet[] = [];
let daemon: Monerod;
let payer: MoneroWalletRpc;
let offline: MoneroWalletRpc;
let names = 0;

beforeAll(async () => {
  await loadCrypto();
  daemon = await startMonerod({ premined: true });
  [payer, offline] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc()]);
  await payer.restoreWallet('payer', MINER_SEED);
});

afterAll(async () => {
  for (const wallet of open) await wallet.close();
  await Promise.all([payer?.stop(), offline?.stop()]);
  await daemon?.stop();
});

const freshName = () => `member ${++names}`;
const asMember = (wallet: Wallet): Member => {
  open.push(wallet);
  const service = new RpcService(oneWalletHost(wallet, { daemon: { url: daemon.url, trusted: true } }));
  return { kind: 'ours', wallet, rpc: (method, params) => service.call(method, params) as Promise<never> };
};

async function online(wallet: Wallet): Promise<Member> {
  await wallet.setDaemon({ url: daemon.url, trusted: true });
  const member = asMember(wallet);
  await member.rpc('refresh');
  return member;
}

const created = async (made: NewWallet) => Wallet.create(env, freshName(), '', made);
const fromSeed = async (seed: string) =>
  created(await walletFromMultisigSeed(seed, { network: 'regtest', from: { height: 0 }, now: NOW }));
const fromBackup = async (backup: Uint8Array) => Wallet.restoreBackup(env, freshName(), '', backup);
const seedOf = async (seat: Seat) => (await seat.rpc<{ key: string }>('query_key', { key_type: 'mnemonic' })).key;

async function exportedOutputs(seat: Seat): Promise<string> {
  return (await seat.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true })).outputs_data_hex;
}

/** What a member tells the others, without what is random in it. */
async function exportedInfo(seat: Seat): Promise<unknown> {
  const [{ info }, { key }] = [
    await seat.rpc<{ info: string }>('export_multisig_info'),
    await seat.rpc<{ key: string }>('query_key', { key_type: 'view_key' }),
  ];
  const { outputs, ...rest } = openMultisigExport(hexToBytes(info), await sealingKeyOf(hexToBytes(key)));
  const counted = outputs.map(({ nonces, ...one }) => ({ ...one, nonces: nonces.length }));
  return { ...rest, outputs: counted, digits: info.length };
}

async function theirs(): Promise<Theirs> {
  const program = await startWalletRpc({ daemon: daemon.url });
  await program.createWallet('member');
  return { kind: 'theirs', program, rpc: (method, params) => program.rpc(method, params) };
}

/** The reference's service leaves the wallet it has open, and takes a member's seed. */
async function theyRestore(program: MoneroWalletRpc, seed: string): Promise<void> {
  const params = { filename: freshName(), password: '', seed, enable_multisig_experimental: true, restore_height: 0 };
  await program.rpc('restore_deterministic_wallet', params);
}

async function refreshed(seats: readonly Seat[]): Promise<void> {
  for (const seat of seats) await seat.rpc('refresh');
}

function aSubaddress(): string {
  const [spend, view] = [randomScalar(systemRandom), randomScalar(systemRandom)];
  const keys = subaddressOf({ viewSecretKey: view, spendPublicKey: scalarMulBase(spend) }, { major: 0, minor: 1 });
  return encodeAddress({ network: 'regtest', kind: 'subaddress', ...keys });
}

/** The first of the given members proposes, all of them sign, the last sends: monerod takes it, and everybody sees it. */
async function expectPayment(all: readonly Seat[], signers: readonly Seat[]): Promise<void> {
  const [proposer, ...others] = signers as [Seat, ...Seat[]];
  const destinations = [
    { address: MINER_ADDRESS, amount: XMR },
    { address: aSubaddress(), amount: XMR },
  ];
  const { multisig_txset } = await proposer.rpc<{ multisig_txset: string }>('transfer', { destinations });
  const hashes = await signAndSubmit(multisig_txset, others, signers.at(-1)!);
  expect(hashes).toHaveLength(1);
  await daemon.minePool(MINER_ADDRESS);
  await daemon.generateBlocks(10, MINER_ADDRESS);
  await refreshed(all);
  await exchangeInfo(all);
  await expectMembersAgree(all);
  for (const seat of all) expect(await spentBy(seat)).toEqual(expect.arrayContaining([...hashes]));
}

/** Everybody who came back signs, as few payments as it takes. */
async function expectPayments(all: readonly Seat[], restored: readonly Seat[], threshold: number): Promise<void> {
  const others = all.filter((seat) => !restored.includes(seat));
  for (let from = 0; from < restored.length; from += threshold) {
    const some = restored.slice(from, from + threshold);
    const helping = [...others, ...restored.slice(0, from)].slice(0, threshold - some.length);
    await expectPayment(all, [...some, ...helping]);
  }
}

describe.each(GROUPS.map((group) => ({ ...group, name: `${group.threshold} of ${group.seats}` })))(
  '$name',
  ({ threshold, seats: row }) => {
    let seats: (Member | Theirs)[] = [];
    let backups: readonly Uint8Array[] = [];
    const programs: MoneroWalletRpc[] = [];
    const ours = () => seats.filter((seat): seat is Member => seat.kind === 'ours');
    const native = () => seats.filter((seat): seat is Theirs => seat.kind === 'theirs');

    /** Members of ours in their seats again, each made anew. */
    async function replaceOurs(anew: (member: Member, i: number) => Promise<Wallet>): Promise<void> {
      const next = [...seats];
      for (const [i, member] of ours().entries()) next[seats.indexOf(member)] = await online(await anew(member, i));
      seats = next;
    }

    beforeAll(async () => {
      for (const who of row) {
        if (who === 'r') seats.push(await theirs());
        else
          seats.push(
            await online(await created(await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: NOW }))),
          );
      }
      programs.push(...native().map(({ program }) => program));
      const address = await makeGroup(seats, threshold);
      const { address: second } = await seats[0]!.rpc<{ address: string }>('create_address', { account_index: 0 });
      await payer.refreshToHeight(daemon);
      // A subaddress beside an address: each of the three outputs has a key of its own in that transaction.
      await payer.transfer([second, address].map((to) => ({ address: to, amount: 12n * XMR })));
      await daemon.generateBlocks(11, MINER_ADDRESS);
      await refreshed(seats);
      await exchangeInfo(seats);
      await expectMembersAgree(seats);
    });

    afterAll(async () => {
      for (const program of programs) await program.stop();
    });

    it('spends', async () => {
      await expectPayment(seats, [...ours(), ...native()].slice(0, threshold));
      backups = await Promise.all(ours().map(({ wallet }) => wallet.backup()));
    });

    it('tells the same of its coins in both programs, but that ours names the one key that opens each', async () => {
      // One coin of which nobody has told.
      await daemon.generateBlocks(1, (await seats[0]!.rpc<{ address: string }>('get_address')).address);
      await refreshed(seats);
      const viewKey = hexToBytes((await seats[0]!.rpc<{ key: string }>('query_key', { key_type: 'view_key' })).key);
      const members = [ours()[0]!, native()[0]!];
      const files = await Promise.all(members.map(exportedOutputs));
      const [mine, reference] = await Promise.all(files.map((file) => outputsFile.open(hexToBytes(file), viewKey)));
      const keys = reference!.outputs.map(({ additionalPublicKeys }) => additionalPublicKeys.length);
      // What was paid to a subaddress and an address beside it, and what came back of a payment that went to a subaddress.
      expect(keys.filter((count) => count === 3).length).toBeGreaterThan(1);
      const bare = (told: OutputsExport) => told.outputs.map(({ txPublicKey: _, additionalPublicKeys: __, ...rest }) => rest);
      expect({ ...mine!, outputs: bare(mine!) }).toEqual({ ...reference!, outputs: bare(reference!) });
      for (const [i, { txPublicKey, additionalPublicKeys }] of mine!.outputs.entries()) {
        const told = reference!.outputs[i]!;
        expect(additionalPublicKeys).toEqual([]);
        expect([told.txPublicKey, told.additionalPublicKeys[Number(told.outputIndex)]]).toContainEqual(txPublicKey);
      }
      const bytes = files.map((file) => file.length / 2);
      expect(bytes[1]! - bytes[0]!).toBe(32 * keys.reduce((sum, count) => sum + count, 0));

      // It is enough: the reference makes the same of both.
      const taken: unknown[] = [];
      for (const outputs_data_hex of files) {
        await theyRestore(offline, await seedOf(members[0]!));
        const imported = await offline.rpc('import_outputs', { outputs_data_hex });
        taken.push([imported, await offline.rpc('incoming_transfers', { transfer_type: 'all' })]);
      }
      expect(taken[0]).toMatchObject([{ num_imported: keys.length }, { transfers: expect.any(Array) }]);
      expect(taken[0]).toEqual(taken[1]);
      // Parts of key images are none: ours takes no coins from a file.
      const apart = asMember(await fromSeed(await seedOf(members[0]!)));
      await expect(apart.rpc('import_outputs', { outputs_data_hex: files[1] })).rejects.toMatchObject({ code: -1 });
      await exchangeInfo(seats);
      await expectMembersAgree(seats);
    });

    it('goes on with members of ours that came back from their seeds', async () => {
      await replaceOurs(async (member) => fromSeed(await seedOf(member)));
      await exchangeInfo(seats);
      await expectMembersAgree(seats);
      await expectPayments(seats, ours(), threshold);
    });

    it('goes on with members of ours that came back from backups of before the last payments', async () => {
      await replaceOurs(async (_, i) => fromBackup(backups[i]!));
      await exchangeInfo(seats);
      await expectMembersAgree(seats);
      await expectPayments(seats, ours(), threshold);
    });

    it('goes on with members whose seeds went to the other program', async () => {
      const [mine, them] = [ours(), native()];
      const [ourSeeds, theirSeeds] = [await Promise.all(mine.map(seedOf)), await Promise.all(them.map(seedOf))];
      const next = [...seats];
      for (const [i, { program }] of them.entries()) {
        await theyRestore(program, ourSeeds[i]!);
        next[seats.indexOf(mine[i]!)] = them[i]!;
        next[seats.indexOf(them[i]!)] = await online(await fromSeed(theirSeeds[i]!));
      }
      const restored = next.filter((seat) => !seats.includes(seat) || them.includes(seat as Theirs));
      seats = next;
      await refreshed(seats);
      // One member in two programs says the same of itself.
      for (const [i, seat] of them.entries()) expect(await exportedInfo(seat)).toEqual(await exportedInfo(mine[i]!));
      await exchangeInfo(seats);
      await expectMembersAgree(seats);
      await expectPayments(seats, restored, threshold);
    });
  },
);
