import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto, systemRandom } from '../../../src/crypto/index.ts';
import { newWallet, type WalletEnvironment } from '../../../src/wallet/index.ts';
import { MultisigError } from '../../../src/wallet/multisig/errors.ts';
import { GroupSigner } from '../../../src/wallet/multisig/group-signer.ts';
import { walletFromMultisigSeed } from '../../../src/wallet/multisig/make-wallet.ts';
import type { RoundResult } from '../../../src/wallet/multisig/multisig.ts';
import { snapshot } from '../../../src/wallet/state/snapshot.ts';
import { Wallet } from '../../../src/wallet/wallet.ts';
import { foldEvents } from '../../support/fold.ts';
import { inside } from '../../support/inside.ts';
import { quickEnvironment } from '../../support/quick-environment.ts';
import { synced } from '../support.ts';
import { kept } from './support.ts';

const NOW = 1_700_000_000;

beforeAll(async () => loadCrypto());

async function walletsOf(env: WalletEnvironment, count: number): Promise<Wallet[]> {
  const wallets: Wallet[] = [];
  for (let i = 0; i < count; i++) {
    const made = await newWallet(systemRandom, { network: 'regtest', from: { height: 5 }, now: NOW });
    wallets.push(kept(await Wallet.create(env, `signer ${i}`, 'pw', made)));
  }
  return wallets;
}

const but = <T>(list: readonly T[], index: number): T[] => list.filter((_, i) => i !== index);

async function round(wallets: readonly Wallet[], messages: readonly string[], threshold?: number): Promise<RoundResult[]> {
  const results: RoundResult[] = [];
  for (const [i, { multisig }] of wallets.entries()) {
    const told = but(messages, i);
    results.push(await (threshold === undefined ? multisig.exchange(told) : multisig.make(told, threshold)));
  }
  return results;
}

const firstMessages = (wallets: readonly Wallet[]) => Promise.all(wallets.map(({ multisig }) => multisig.firstMessage()));
const messagesOf = (results: readonly RoundResult[]) => results.map(({ message }) => message);

async function group(env: WalletEnvironment, threshold: number, count: number): Promise<Wallet[]> {
  const wallets = await walletsOf(env, count);
  let results = await round(wallets, await firstMessages(wallets), threshold);
  while (!results.every(({ ready }) => ready)) results = await round(wallets, messagesOf(results));
  return wallets;
}

/** What a signer is, whatever program holds it. */
const partOf = (wallet: Wallet) => {
  const { state, keys } = inside(wallet);
  const { keyShares, commonSecret, roundsComplete, origins } = state.multisig!;
  const part = { keyShares, commonSecret, roundsComplete, origins, primary: keys.primary, description: wallet.description };
  return structuredClone(part);
};

describe('a wallet becomes a signer', () => {
  it('round by round, until all have one address, which each has its own seed of', async () => {
    const wallets = await walletsOf(quickEnvironment(), 3);
    const before = wallets.map((wallet) => wallet.description.primaryAddress);
    expect(wallets[0]!.multisig.group).toBeUndefined();
    const made = await round(wallets, await firstMessages(wallets), 2);
    expect(made.map(({ address }) => address)).toEqual([undefined, undefined, undefined]);
    expect(wallets[0]!.multisig.group).toEqual({ threshold: 2, total: 3, round: 1, rounds: 3, ready: false });
    await expect(wallets[0]!.multisig.seed()).rejects.toMatchObject({ code: 'not-ready' });
    await expect(wallets[0]!.cosigning.export()).rejects.toMatchObject({ code: 'not-ready' });
    const second = await round(wallets, messagesOf(made));
    const addresses = second.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(1);
    expect(before).not.toContain(addresses[0]);
    const last = await round(wallets, messagesOf(second));
    expect(last.every(({ ready, address }) => ready && address === addresses[0])).toBe(true);
    for (const wallet of wallets) {
      expect(wallet.description).toMatchObject({ kind: 'multisig', primaryAddress: addresses[0] });
      expect(wallet.addresses.at({ major: 0, minor: 0 })).toBe(addresses[0]);
    }
    expect(new Set(await Promise.all(wallets.map(({ multisig }) => multisig.seed()))).size).toBe(3);
  });

  it('what the wallet had read of the chain is gone with its address, what the person wrote is not', async () => {
    const [wallet, other] = (await walletsOf(quickEnvironment(), 2)) as [Wallet, Wallet];
    await inside(wallet).append([synced(5, 9, [], [])], 'strict');
    await wallet.notes.write([{ txHash: 'ab'.repeat(32), note: 'kept' }]);
    await wallet.addresses.make(0, 'of the address before');
    const address = wallet.addresses.at({ major: 0, minor: 1 });
    await round([wallet, other], await firstMessages([wallet, other]), 2);
    expect(inside(wallet).state.height).toBe(5);
    expect(wallet.notes.of('ab'.repeat(32))).toBe('kept');
    expect(inside(wallet).state.accounts).toEqual([{ labels: ['Primary account'] }]);
    expect(wallet.addresses.at({ major: 0, minor: 1 })).not.toBe(address);
    expect(inside(wallet).keys.spendKey).toBeUndefined();
    expect(inside(wallet).signer).toBeInstanceOf(GroupSigner);
  });

  it('is listed as one without its password, and has no background sync', async () => {
    const env = quickEnvironment();
    const wallets = await walletsOf(env, 2);
    const [first, second] = await firstMessages(wallets);
    const kinds = async () => (await env.store.list()).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['full', 'full']);
    await wallets[0]!.multisig.make([second!], 2);
    expect(await kinds()).toEqual(['multisig', 'full']);
    const { backgroundSync } = wallets[0]!;
    for (const refused of [backgroundSync.setUp('reuse-wallet-password'), backgroundSync.start()])
      await expect(refused).rejects.toMatchObject({ code: 'already-multisig' });
    expect([backgroundSync.type, backgroundSync.isOn]).toEqual(['off', false]);
    await wallets[0]!.close();
    const again = kept(await Wallet.open(env, 'signer 0', 'pw'));
    expect(again.multisig.group).toMatchObject({ round: 1 });
    await wallets[1]!.multisig.make([first!], 2);
  });

  it('opened again, from a backup, and from a snapshot, in each round', async () => {
    const env = quickEnvironment();
    const wallets = await walletsOf(env, 3);
    let messages = await firstMessages(wallets);
    for (let done = 1; done <= 3; done++) {
      messages = messagesOf(await round(wallets, messages, done === 1 ? 2 : undefined));
      const wallet = wallets[0]!;
      const part = partOf(wallet);
      expect(part.roundsComplete).toBe(done);
      expect(foldEvents(snapshot(inside(wallet).state)).multisig).toEqual(inside(wallet).state.multisig);
      const backup = await wallet.backup();
      const copy = kept(await Wallet.restoreBackup(env, `copy ${done}`, 'pw', backup));
      expect(partOf(copy)).toEqual(part);
      await wallet.close();
      wallets[0] = kept(await Wallet.open(env, 'signer 0', 'pw'));
      expect(partOf(wallets[0])).toEqual(part);
      expect(inside(wallets[0]).keys.spendKey).toBeUndefined();
    }
  });

  it('from its seed, also from one under a passphrase', async () => {
    const env = quickEnvironment();
    const [wallet] = (await group(env, 2, 3)) as [Wallet];
    const seed = await wallet.multisig.seed();
    const made = await walletFromMultisigSeed(seed, { network: 'regtest', from: { height: 5 }, now: NOW });
    const again = kept(await Wallet.create(env, 'again', 'pw', made));
    expect({ ...partOf(again), origins: undefined }).toEqual({ ...partOf(wallet), origins: undefined });
    expect(await again.multisig.seed()).toBe(seed);
    const secret = await wallet.multisig.seed('a passphrase');
    const hidden = await walletFromMultisigSeed(secret, { network: 'regtest', from: { height: 5 }, now: NOW }, 'a passphrase');
    expect(hidden.first).toEqual(made.first);
    for (const wrong of ['', 'another'])
      await expect(
        walletFromMultisigSeed(secret, { network: 'regtest', from: { height: 5 }, now: NOW }, wrong),
      ).rejects.toMatchObject({
        code: 'bad-seed',
      });
  });

  it('a round that cannot be written is not made', async () => {
    const env = quickEnvironment();
    const wallets = await walletsOf(env, 2);
    const messages = await firstMessages(wallets);
    await wallets[0]!.close();
    await expect(wallets[0]!.multisig.make([messages[1]!], 2)).rejects.toMatchObject({ code: 'closed' });
    const again = kept(await Wallet.open(env, 'signer 0', 'pw'));
    expect(again.multisig.group).toBeUndefined();
  });

  it('refuses what is not for it, and is as before', async () => {
    const wallets = await walletsOf(quickEnvironment(), 3);
    const first = await firstMessages(wallets);
    const [wallet] = wallets as [Wallet];
    await expect(wallet.multisig.exchange(first)).rejects.toBeInstanceOf(MultisigError);
    const made = await round(wallets, first, 2);
    const before = partOf(wallet);
    await expect(wallet.multisig.make(but(first, 0), 2)).rejects.toMatchObject({ code: 'already-multisig' });
    await expect(wallet.multisig.firstMessage()).rejects.toMatchObject({ code: 'already-multisig' });
    await expect(wallet.multisig.exchange(but(first, 0))).rejects.toMatchObject({ code: 'wrong-round' });
    await expect(wallet.multisig.exchange([made[1]!.message])).rejects.toMatchObject({ code: 'signers-missing' });
    expect(partOf(wallet)).toEqual(before);
  });
});
