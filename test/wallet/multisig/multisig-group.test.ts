import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, stringifyJson } from '../../../src/base/index.ts';
import { loadCrypto, randomScalar, scalarMulBase, systemRandom } from '../../../src/crypto/index.ts';
import { decodeBase58 } from '../../../src/protocol/base58.ts';
import type { TransactionV2 } from '../../../src/protocol/model.ts';
import {
  asGroupSigner,
  type GroupPlan,
  newWallet,
  type WalletEnvironment,
  walletFromMultisigSeed,
} from '../../../src/wallet/index.ts';
import { baseSecretsOf } from '../../../src/wallet/multisig/kex.ts';
import { encodeKexMessage } from '../../../src/wallet/multisig/kex-message.ts';
import { partialKeyImages } from '../../../src/wallet/multisig/key-images.ts';
import { Wallet } from '../../../src/wallet/wallet.ts';
import {
  openMultisigExport,
  openMultisigTxSet,
  sealingKeyOf,
  sealMultisigExport,
  sealMultisigTxSet,
} from '../../../src/wallet2/index.ts';
import { inside } from '../../support/inside.ts';
import { quickEnvironment } from '../../support/quick-environment.ts';
import { output, synced } from '../support.ts';
import { accountOf, FIXTURE, stateWith } from './spending-support.ts';
import { kept } from './support.ts';

// What a person does at a page: messages taken in whatever form, named members, and payments that wait.

const NOW = 1_700_000_000;
const NAMES = ['Ada', 'Ben', 'Carl'];

beforeAll(async () => loadCrypto());
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const planOf = (me: string, threshold = 2): GroupPlan => ({ me, others: NAMES.filter((name) => name !== me), threshold });

async function members(env: WalletEnvironment, threshold = 2): Promise<[Wallet, Wallet, Wallet]> {
  const wallets: Wallet[] = [];
  for (const name of NAMES) {
    const made = asGroupSigner(
      await newWallet(systemRandom, { network: 'regtest', from: { height: 5 }, now: NOW }),
      planOf(name, threshold),
    );
    wallets.push(kept(await Wallet.create(env, name, 'pw', made)));
  }
  return wallets as [Wallet, Wallet, Wallet];
}

/** One round of all: everybody takes what the others say, and goes on. */
async function round(wallets: readonly Wallet[]): Promise<void> {
  const said = await Promise.all(wallets.map(({ group }) => group.message()));
  for (const [i, { group }] of wallets.entries()) {
    const others = said.filter((_, j) => j !== i);
    for (const [j, text] of others.entries()) await group.take(bytes(text), j + 1);
    await group.advance();
  }
}

/** Refused by its code, with nothing changed. */
async function refused(wallet: Wallet, given: string, code: string, member?: number): Promise<void> {
  const before = wallet.group.status;
  await expect(wallet.group.take(bytes(given), member), given.slice(0, 30)).rejects.toMatchObject({ code });
  expect(wallet.group.status).toEqual(before);
}

describe('a group that is being made', () => {
  it('is of two members at least, of whom one up to all are needed', async () => {
    const made = await newWallet(systemRandom, { network: 'regtest', from: { height: 5 }, now: NOW });
    const code = (name: string) => expect.objectContaining({ code: name });
    for (const threshold of [0, 4, 1.5, Number.NaN])
      expect(() => asGroupSigner(made, planOf('Ada', threshold)), String(threshold)).toThrow(code('bad-threshold'));
    for (const others of [[], Array.from({ length: 16 }, (_, i) => String(i))])
      expect(() => asGroupSigner(made, { me: 'Ada', others, threshold: 1 })).toThrow(code('bad-signer-count'));
  });

  it('takes each member’s message once, says what is wrong with others, and changes nothing then', async () => {
    const env = quickEnvironment();
    const [ada, ben, carl] = await members(env);
    const [first, second, third] = await Promise.all([ada, ben, carl].map(({ group }) => group.message()));
    expect(await ben.group.message(), 'the same text each time').toBe(second);
    await refused(ben, second!, 'own-message');
    await refused(ben, 'hello', 'bad-message');
    await refused(ben, `${first!.slice(0, -1)}${first!.endsWith('1') ? '2' : '1'}`, 'bad-signature');
    await refused(ben, first!.slice(0, 60), 'bad-message');
    expect(await ben.group.take(bytes(`from Ada:\n${first!.slice(0, 70)}\n${first!.slice(70)}`), 1)).toEqual([
      { kind: 'round', member: 1 },
    ]);
    await refused(ben, first!, 'repeated', 2);
    const adas = baseSecretsOf({ spendKey: inside(ada).secrets.spendKey!, viewKey: inside(ada).secrets.viewKey });
    const another = { round: 1, keys: [], commonSecret: adas.baseSecret };
    const changed = encodeKexMessage(another, adas.baseSecret, systemRandom);
    await refused(ben, changed, 'contradiction');
    await refused(ben, `${third!}\n${changed}`, 'contradiction');
    await expect(ben.group.advance()).rejects.toMatchObject({ code: 'signers-missing' });
    const [stranger] = await members(quickEnvironment());
    const strange = await stranger.group.message();
    await ben.group.take(bytes(third!));
    await refused(ben, strange, 'too-many-signers');
    await ben.group.forget(2);
    expect(ben.group.status?.members.map(({ answered }) => answered)).toEqual([true, true, false]);
    await ben.group.take(bytes(third!));
    for (const [wallet, messages] of [
      [ada, [first, second, third]],
      [carl, [first, second]],
    ] as const)
      await wallet.group.take(bytes(messages.join('\n')));
    for (const { group } of [ada, ben, carl]) await group.advance();
    await refused(ben, first!, 'wrong-round');
    const later = await ada.group.message();
    await expect(stranger.group.take(bytes(later))).rejects.toMatchObject({ code: 'wrong-round' });
    expect(await ben.group.earlierMessages()).toEqual([second]);
  });

  it('is none of a wallet of one owner, which takes no message of one', async () => {
    const [ada] = await members(quickEnvironment());
    const single = await newWallet(systemRandom, { network: 'regtest', from: { height: 5 }, now: NOW });
    const wallet = kept(await Wallet.create(quickEnvironment(), 'one', 'pw', single));
    await expect(wallet.group.take(bytes(await ada.group.message()))).rejects.toMatchObject({ code: 'not-multisig' });
    await expect(wallet.group.message()).rejects.toMatchObject({ code: 'not-multisig' });
  });

  it('goes on after each round where it was left, from its journal and from a backup', async () => {
    const env = quickEnvironment();
    const wallets = await members(env);
    for (let done = 0; done < 3; done++) {
      const said = await wallets[1].group.message();
      await wallets[0].group.take(bytes(said), 1);
      const { status } = wallets[0].group;
      expect(status).toMatchObject({ round: done, rounds: 3, ready: false });
      const copy = kept(await Wallet.restoreBackup(env, `copy ${done}`, 'pw', await wallets[0].backup()));
      expect(copy.group.status).toEqual(status);
      await wallets[0].close();
      wallets[0] = kept(await Wallet.open(env, 'Ada', 'pw'));
      expect(wallets[0].group.status).toEqual(status);
      await wallets[0].group.forget(1);
      await round(wallets);
    }
    const stands = wallets.map(({ group }) => group.status);
    expect(new Set(stands.map((status) => status?.address)).size).toBe(1);
    expect(stands[0]).toMatchObject({ ready: true, compared: false, threshold: 2, total: 3 });
    expect(stands[0]?.members.map(({ name }) => name)).toEqual(NAMES);
    await wallets[0].group.confirmAddress();
    expect(wallets[0].group.status?.compared).toBe(true);
    await refused(wallets[0], await wallets[1].group.message(), 'already-complete');
  });

  it('T19 tells nobody what its members spend with: not in messages, in what is shown, in refusals, or in a backup', async () => {
    const wallets = await members(quickEnvironment());
    const [ada] = wallets;
    const said: string[] = [];
    const own = new Set([bytesToHex(inside(ada).secrets.spendKey!)]);
    const listen = async () => {
      const { multisig } = inside(ada).state;
      const secrets = [multisig?.baseSecret, ...(multisig?.keyShares ?? [])].flatMap((secret) => secret ?? []);
      for (const secret of secrets) own.add(bytesToHex(secret));
      const message = await ada.group.message();
      const binary = bytesToHex(decodeBase58(message.replace(/^MultisigxV2R?[1n]?/, '')));
      const refusal = await ada.group.take(bytes(message)).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Error);
      const shown = [ada.group.status, await ada.view(), await ada.group.earlierMessages(), refusal, `${refusal}`];
      said.push(message, binary, bytesToHex(await ada.backup()), stringifyJson(shown as never));
    };
    await listen();
    for (let done = 0; done < 3; done++) {
      await round(wallets);
      await listen();
    }
    expect(own.size).toBeGreaterThan(3);
    const all = said.join('\n');
    expect(all).toContain(ada.group.status?.address);
    for (const secret of own) {
      const base64 = Buffer.from(secret, 'hex').toString('base64').slice(0, 20);
      for (const form of [secret.slice(0, 24), secret.slice(-24), base64]) expect(all.includes(form)).toBe(false);
    }
  });

  it('other numbers of the same members come to nothing, and nothing is changed', async () => {
    const [ada, ben, carl] = await members(quickEnvironment());
    const other = await members(quickEnvironment(), 3);
    await round([ada, ben, carl]);
    await round(other);
    const before = ada.group.status;
    await expect(ada.group.take(bytes(await other[1].group.message()))).rejects.toMatchObject({ code: 'unknown-signer' });
    expect(ada.group.status).toEqual(before);
  });
});

describe('a group that pays', () => {
  const account = accountOf(FIXTURE.seeds[2]!);

  /** A member of the reference's group, who has seen what its proposal spends. @param others coins beside those */
  async function member(env = quickEnvironment(), others = 0): Promise<Wallet> {
    const made = await walletFromMultisigSeed(FIXTURE.seeds[2]!, { network: 'regtest', from: { height: 5 }, now: NOW });
    const wallet = kept(await Wallet.create(env, 'member', 'pw', made));
    const set = openMultisigTxSet(hexToBytes(FIXTURE.proposal), await sealingKeyOf(account.commonSecret));
    const { outputs } = stateWith(
      account,
      set.transactions.map(({ construction }) => construction),
    );
    const coins = [...outputs.values()].map(({ output }) => output);
    const more = Array.from({ length: others }, (_, i) => output({ seed: 1000 + i }));
    await inside(wallet).append([synced(5, 200, [...coins, ...more], [])], 'strict');
    return wallet;
  }

  it('names its members by number where nobody named them, and says whose news are missing', async () => {
    const wallet = await member();
    const { members: seats, ...status } = wallet.group.status!;
    expect(status).toMatchObject({ ready: true, threshold: 2, total: 3, exportNeeded: true, sets: [] });
    expect(seats.map(({ name, self, current }) => [name, self, current])).toEqual([
      ['', true, true],
      ['', false, false],
      ['', false, false],
    ]);
    await wallet.group.rename(1, 'Ada');
    expect(wallet.group.status?.members[1]?.name).toBe('Ada');
  });

  it('tells the same again until it is void: nonces that were told are not told anew without need', async () => {
    const env = quickEnvironment();
    const wallet = await member(env);
    const told = await wallet.group.exportInfo();
    expect(wallet.group.status?.exportNeeded).toBe(false);
    expect(await wallet.group.exportInfo()).toEqual(told);
    expect(await wallet.group.exportInfo(true)).not.toEqual(told);
    await refused(wallet, bytesToHex(told), 'own-message');
    // A backup that is brought back knows of nothing that was told since.
    const copy = kept(await Wallet.restoreBackup(env, 'copy', 'pw', await wallet.backup()));
    const last = await wallet.group.exportInfo();
    expect(await copy.group.exportInfo()).not.toEqual(last);
  });

  it('T25 the wrong export of a member keeps nobody from paying: it can be removed', async () => {
    const wallet = await member();
    const { state, append } = inside(wallet);
    const seen = [...state.outputs.values()].map((entry) => ({ ...entry.output, keyImage: undefined }));
    const coins = seen.map(({ key }) => key);
    /** The chain from the first of the coins on, which is read again once key images are told. */
    const scanned = () => append([synced(state.height, 200, seen, [])], 'strict');
    await append([{ type: 'RestoreHeightSet', height: 5 }], 'strict');
    await scanned();
    const sealing = await sealingKeyOf(account.commonSecret);
    const exported = (i: number) => {
      const told = openMultisigExport(hexToBytes(FIXTURE.exports[i]!), sealing);
      const outputs = coins.map((key) => told.outputs[FIXTURE.keyImages.findIndex((one) => one.key === key)]!);
      return { ...told, outputs };
    };
    const [liar, honest] = [exported(0), exported(1)];
    const held = new Set(coins.flatMap((key) => partialKeyImages(account, hexToBytes(key)).map(bytesToHex)));
    const wrong = liar.outputs.map((info) => ({
      ...info,
      partialKeyImages: info.partialKeyImages.map((part) =>
        held.has(bytesToHex(part)) ? part : scalarMulBase(randomScalar(systemRandom)),
      ),
    }));
    const seat = (told: typeof liar) =>
      wallet.group.status!.members.findIndex(({ signer }) => signer === bytesToHex(told.signer));
    const sealed = (told: typeof liar) => sealMultisigExport(told, sealing, systemRandom);
    // Alone it fits with what this member holds itself: nobody can see that it is wrong.
    expect(await wallet.group.take(sealed({ ...liar, outputs: wrong }))).toMatchObject([{ taken: true }]);
    await scanned();
    expect(wallet.group.status?.members[seat(liar)]).toMatchObject({ hasExport: true, current: true });
    await expect(wallet.group.take(sealed(honest))).rejects.toMatchObject({ code: 'bad-key-images' });
    await wallet.group.forget(seat(liar));
    expect(wallet.group.status?.members[seat(liar)]).toMatchObject({ hasExport: false, current: false });
    expect(await wallet.group.take(sealed(honest))).toMatchObject([{ taken: true }]);
    await scanned();
    const images = new Map(FIXTURE.keyImages.map(({ key, image }) => [key, image]));
    expect(coins.map((key) => state.outputs.get(key)?.output.keyImage)).toEqual(coins.map((key) => images.get(key)));
    await expect(wallet.group.take(sealed({ ...liar, outputs: wrong }))).rejects.toMatchObject({ code: 'bad-key-images' });
    expect(wallet.group.status?.members[seat(liar)]).toMatchObject({ current: false });
    await wallet.group.take(sealed(liar));
    expect(wallet.group.status?.members[seat(liar)], 'what it tells anew counts').toMatchObject({
      hasExport: true,
      current: true,
    });
  });

  it('a payment is kept under one name whoever signed, and is not replaced by one that claims to be signed', async () => {
    // As many as the proposer counts.
    const wallet = await member(quickEnvironment(), 100);
    const [news] = await wallet.group.take(bytes(FIXTURE.proposal));
    expect(news).toMatchObject({ kind: 'set', news: 'new' });
    const id = news?.kind === 'set' ? news.id : '';
    expect(wallet.group.status?.sets).toMatchObject([{ id, complete: false, gone: false, clashes: false }]);
    expect(await wallet.group.take(bytes(FIXTURE.proposal))).toEqual([{ kind: 'set', id, news: 'same' }]);
    const set = openMultisigTxSet(hexToBytes(FIXTURE.proposal), await sealingKeyOf(account.commonSecret));
    const others = account.signers.filter((signer) => !set.signers.some((by) => bytesToHex(by) === bytesToHex(signer)));
    const sealing = await sealingKeyOf(account.commonSecret);
    const forged = sealMultisigTxSet({ ...set, signers: [...set.signers, others[0]!] }, sealing, systemRandom);
    await expect(wallet.group.take(forged)).rejects.toMatchObject({ code: 'check-failed' });
    expect(wallet.group.status?.sets).toMatchObject([{ id, complete: false }]);
    await wallet.group.remove(id);
    expect(wallet.group.status?.sets).toEqual([]);
    await expect(wallet.group.review(id)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('what was looked at is what is signed: the same outputs with other amounts are another payment', async () => {
    const wallet = await member(quickEnvironment(), 100);
    const [news] = await wallet.group.take(bytes(FIXTURE.proposal));
    const sealing = await sealingKeyOf(account.commonSecret);
    const set = openMultisigTxSet(hexToBytes(FIXTURE.proposal), sealing);
    // Keys of outputs do not depend on amounts: the prefix stays as it was.
    const edited = set.transactions.map((pending) => {
      const transaction = pending.transaction as TransactionV2;
      const outPk = transaction.rct.outPk.map((_, i, all) => all[all.length - 1 - i]!);
      return { ...pending, transaction: { ...transaction, rct: { ...transaction.rct, outPk } } };
    });
    const [other] = await wallet.group.take(sealMultisigTxSet({ ...set, transactions: edited }, sealing, systemRandom));
    expect(other).toMatchObject({ kind: 'set', news: 'new' });
    expect(other).not.toMatchObject({ id: (news as { id: string }).id });
    expect(wallet.group.status?.sets).toMatchObject([{ clashes: true }, { clashes: true }]);
  });
});
