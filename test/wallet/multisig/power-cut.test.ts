import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../../src/crypto/index.ts';
import type { OutputKey } from '../../../src/protocol/index.ts';
import { newWallet } from '../../../src/wallet/create-wallet.ts';
import type { WalletEnvironment } from '../../../src/wallet/environment.ts';
import { exchangeKeys, firstMessage, makeAccount, nextMessage } from '../../../src/wallet/multisig/kex.ts';
import { decodeKexMessage } from '../../../src/wallet/multisig/kex-message.ts';
import { walletFromMultisigSeed } from '../../../src/wallet/multisig/make-wallet.ts';
import { proposeTransaction } from '../../../src/wallet/multisig/propose.ts';
import type { Journal, JournalStore } from '../../../src/wallet/ports.ts';
import type { UnsignedPaymentPart } from '../../../src/wallet/spend/index.ts';
import { Wallet } from '../../../src/wallet/wallet.ts';
import { openMultisigExport, sealMultisigTxSet } from '../../../src/wallet2/index.ts';
import { inside } from '../../support/inside.ts';
import { quickEnvironment } from '../../support/quick-environment.ts';
import { synced } from '../support.ts';
import { FIXTURE, factsOf, groupSealing, Member, stateWith, theirSet, thePayment } from './spending-support.ts';
import { secretsOf } from './support.ts';

// The power goes before each thing that a signer writes, in rounds and in signing, also with files put back. Processes that are killed at
// random moments: test/integration/multisig-kill.test.ts and multisig-nonces.test.ts.

const WRITES = ['append', 'compact', 'setMark'] as const;

/** Power for so many writes; Infinity until it is about to go. */
class Power {
  left = Number.POSITIVE_INFINITY;

  /** The same place, on this power. */
  under(store: JournalStore): JournalStore {
    return new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          const result = await member.apply(target, given);
          return name === 'open' || name === 'create' || name === 'restore' ? this.#watched(result as Journal) : result;
        };
      },
    });
  }

  #watched(journal: Journal): Journal {
    return new Proxy(journal, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          if (WRITES.includes(name as 'append')) {
            if (this.left <= 0) return Promise.reject(new Error('no power'));
            this.left -= 1;
          }
          return member.apply(target, given);
        };
      },
    });
  }
}

let env: WalletEnvironment;
const power = new Power();
const open: Wallet[] = [];

beforeAll(async () => {
  await loadCrypto();
  const quick = quickEnvironment();
  env = { ...quick, store: power.under(quick.store) };
});

afterAll(async () => {
  for (const wallet of open) await wallet.close();
});

/** Does work until the power goes. Returns whether it came to its end. */
async function cutAfter(writes: number, work: () => Promise<unknown>): Promise<boolean> {
  power.left = writes;
  const done = await work().then(
    () => true,
    (error) => {
      expect(String(error)).toContain('no power');
      return false;
    },
  );
  power.left = Number.POSITIVE_INFINITY;
  return done;
}

async function again(wallet: Wallet, name: string): Promise<Wallet> {
  await wallet.close();
  const opened = await Wallet.open(env, name, 'pw');
  open.push(opened);
  return opened;
}

describe('T16 power cut: a signer', () => {
  it('is in one round or the other, wherever it is cut, and goes on', async () => {
    const others = [0, 1].map(secretsOf);
    const told = others.map((secrets) => firstMessage(secrets, systemRandom));
    for (let cut = 0; ; cut++) {
      const name = `round ${cut}`;
      let wallet = await Wallet.create(
        env,
        name,
        'pw',
        await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 }),
      );
      const first = await wallet.multisig.firstMessage();
      const heard = (i: number) => [first, told[1 - i]!].map(decodeKexMessage);
      let accounts = others.map((secrets, i) => makeAccount(secrets, 2, heard(i)));
      let messages = told;
      let left = cut;
      for (let round = 1; round <= 3; round++) {
        const take = () => (round === 1 ? wallet.multisig.make(messages, 2) : wallet.multisig.exchange(messages));
        const done = await cutAfter(left, take);
        left = done ? left - (round === 1 ? 2 : 1) : Number.POSITIVE_INFINITY;
        wallet = await again(wallet, name);
        const reached = wallet.multisig.group?.round ?? 0;
        expect(done ? [round] : [round - 1, round]).toContain(reached);
        expect(inside(wallet).keys.spendKey === undefined).toBe(reached > 0);
        if (reached < round) await take();
        expect(wallet.multisig.group).toMatchObject({ round, ready: round === 3 });
        messages = accounts.map((account) => nextMessage(account, systemRandom));
        const said = [await wallet.multisig.message(), ...messages].map(decodeKexMessage);
        if (round < 3) accounts = accounts.map((account) => exchangeKeys(account, said));
      }
      if (left !== Number.POSITIVE_INFINITY) return;
    }
  });

  it('signs with no nonce twice, wherever it is cut, and after the next export signs one of two that come at once', async () => {
    const [ada] = FIXTURE.seeds.map((seed) => new Member(seed)) as [Member];
    const sealing = await groupSealing();
    const payment = await thePayment();
    const { transactions } = await theirSet();
    const outputs = [
      ...stateWith(
        ada.account,
        transactions.map(({ construction }) => construction),
      ).outputs.values(),
    ];
    for (let cut = 0; ; cut++) {
      const name = `signs ${cut}`;
      const made = await walletFromMultisigSeed(FIXTURE.seeds[1]!, { network: 'regtest', from: { height: 0 }, now: 0 });
      let bob = await Wallet.create(env, name, 'pw', made);
      await inside(bob).append(
        [
          synced(
            0,
            101,
            outputs.map(({ output }) => output),
            [],
          ),
        ],
        'strict',
      );

      /** Two payments of the same coins, by what Bob exported. */
      const proposals = (message: Uint8Array): Uint8Array[] => {
        const info = openMultisigExport(message, sealing);
        const positions = new Map(outputs.map(({ output }, i) => [output.key as OutputKey, i]));
        const signer = Buffer.from(info.signer).toString('hex');
        const toldNonces = (key: OutputKey) => new Map([[signer, info.outputs[positions.get(key)!]!.nonces]]);
        return [payment, payment].map((part: UnsignedPaymentPart) => {
          const pending = proposeTransaction({ ...factsOf(ada, []), positions, noncesOf: toldNonces }, part, systemRandom);
          return sealMultisigTxSet({ transactions: [pending], signers: [hexToBytes(ada.name)] }, sealing, systemRandom);
        });
      };

      let sets: Uint8Array[] | undefined;
      let left = false;
      const done = await cutAfter(cut, async () => {
        sets = proposals(await bob.cosigning.export());
        await bob.cosigning.sign(sets[0]!);
        left = true;
      });
      bob = await again(bob, name);
      if (sets !== undefined) {
        const second = bob.cosigning.sign(sets[1]!);
        if (left) await expect(second).rejects.toMatchObject({ code: 'nonces-unknown' });
        else await second.catch((error) => expect(error).toMatchObject({ code: 'nonces-unknown' }));
      }
      const fresh = proposals(await bob.cosigning.export());
      const both = await Promise.allSettled(fresh.map((set) => bob.cosigning.sign(set)));
      expect(both).toMatchObject([
        { status: 'fulfilled', value: { txHashes: [expect.any(String)] } },
        { status: 'rejected', reason: { code: 'nonces-unknown' } },
      ]);
      if (done) return;
    }
  });
});
