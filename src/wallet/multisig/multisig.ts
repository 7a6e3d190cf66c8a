import { loadCrypto, secretKeyToPublicKey } from '../../crypto/index.ts';
import type { WalletContext } from '../context.ts';
import type { GroupView } from '../group-api.ts';
import type { WalletEvent } from '../state/events.ts';
import { isReady, type MultisigAccount, mainRoundsDone, requireSigner, setupRounds } from './account.ts';
import { MultisigError } from './errors.ts';
import { type BaseSecrets, baseSecretsOf, exchangeKeys, firstMessage, makeAccount, nextMessage } from './kex.ts';
import { decodeKexMessages } from './kex-message.ts';
import { multisigSeed } from './seed.ts';
import { storedAccount } from './stored-account.ts';

/** Attribute that says that the person knows multisig to be an experiment, in the reference's words. */
export const ENABLED = 'enable-multisig-experimental';

/** State of a group after one of the rounds in which its keys are made. */
export interface RoundResult {
  /** The address of the group; undefined before its keys are known. Not to be paid before the group is ready. */
  readonly address: string | undefined;
  readonly ready: boolean;
  /** Message for all other signers, the input of their next round. */
  readonly message: string;
}

/**
 * A wallet as one of several signers: how it becomes one, round by round. Each round is in the journal before its message leaves, so
 * that a crash leaves the round before it or the one after.
 *
 * @example
 * ```ts
 * import { createWallet, DaemonService, MemoryJournalStore, parseAmount } from 'nightjar';
 *
 * const place = { store: new MemoryJournalStore(), password: 'correct horse', network: 'regtest' } as const;
 * const signer = (name: string) => createWallet({ ...place, name, scanFrom: { height: 0 } });
 * const [ada, bob] = [await signer('ada'), await signer('bob')];
 *
 * // Each hands the other its message of a round, until both are ready.
 * const [a, b] = [await ada.multisig.firstMessage(), await bob.multisig.firstMessage()];
 * let [ofAda, ofBob] = [await ada.multisig.make([b], 2), await bob.multisig.make([a], 2)];
 * while (!ofAda.ready || !ofBob.ready) {
 *   [ofAda, ofBob] = [await ada.multisig.exchange([ofBob.message]), await bob.multisig.exchange([ofAda.message])];
 * }
 * console.log(ofAda.address === ofBob.address);
 *
 * // The group is paid: here it mines for itself.
 * const url = 'http://127.0.0.1:18081';
 * await DaemonService.connect({ url }).generateBlocks({ amountOfBlocks: 80, walletAddress: ofAda.address! });
 * for (const wallet of [ada, bob]) {
 *   await wallet.setDaemon({ url, trusted: true });
 *   await wallet.waitUntilSynced();
 * }
 *
 * // Before each payment all tell each other what it needs. Ada proposes, Bob sees what it would do, signs and sends.
 * const told = [await ada.cosigning.export(), await bob.cosigning.export()] as const;
 * await ada.cosigning.import([told[1]]);
 * await bob.cosigning.import([told[0]]);
 * await Promise.all([ada.waitUntilSynced(), bob.waitUntilSynced()]);
 * const { primaryAddress } = (await createWallet({ ...place, name: 'somebody' })).description;
 * const destinations = [{ address: primaryAddress, amount: parseAmount('0.5') }];
 * const { multisigSet } = await ada.payments.pay({ kind: 'transfer', destinations, account: 0, priority: 0 });
 * const { summary } = await bob.cosigning.describe(multisigSet!);
 * const { bytes } = await bob.cosigning.sign(multisigSet!);
 * console.log(summary.recipients.length, (await bob.cosigning.submit(bytes)).length);
 * await ada.close();
 * await bob.close();
 * ```
 */
export class Multisig {
  readonly #ctx: Pick<WalletContext, 'state' | 'secrets' | 'random' | 'append' | 'still' | 'compact'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'secrets' | 'random' | 'append' | 'still' | 'compact'>) {
    this.#ctx = ctx;
  }

  /** Undefined for a wallet of one owner. */
  get group(): GroupView | undefined {
    const account = this.#account;
    return account && groupView(account);
  }

  /** Whether the person said that multisig may be used although it is an experiment in the reference. */
  get isEnabled(): boolean {
    return this.#ctx.state.attributes.get(ENABLED) === '1';
  }

  /** The person's word; it is kept with the wallet. */
  async enable(): Promise<void> {
    if (!this.isEnabled) await this.#ctx.append([{ type: 'AttributeSet', key: ENABLED, value: '1' }], 'strict');
  }

  /**
   * The first message of this wallet, for all other signers of a group to be. It changes nothing, and is a secret among them: with those
   * of all one sees what the group receives.
   * @throws MultisigError `already-multisig`, `view-only`
   */
  async firstMessage(): Promise<string> {
    await loadCrypto();
    return firstMessage(this.#baseSecrets(), this.#ctx.random);
  }

  /**
   * Makes this wallet a signer of a group of all who sent a first message. Its own address is gone with this, and what it received there
   * is seen no more: its words bring that wallet back elsewhere.
   * @param messages first messages of all other signers
   * @param threshold how many signers a spend needs
   * @throws MultisigError of a message, or of the numbers; nothing is changed then
   */
  make(messages: readonly string[], threshold: number): Promise<RoundResult> {
    return this.#ctx.still(async () => {
      await loadCrypto();
      const done = await this.#done(makeAccount(this.#baseSecrets(), threshold, decodeKexMessages(messages)));
      // The snapshot leaves out what the wallet was before, and its header names the new kind.
      await this.#ctx.compact();
      return done;
    });
  }

  /**
   * One more round.
   * @param messages of all other signers for this round
   * @param force goes on without some of them: only where those who are there can be trusted
   * @throws MultisigError; nothing is changed then
   */
  exchange(messages: readonly string[], { force = false } = {}): Promise<RoundResult> {
    return this.#ctx.still(async () => {
      await loadCrypto();
      return this.#done(exchangeKeys(requireSigner(this.#account), decodeKexMessages(messages), force));
    });
  }

  /** Our message of the current round, once more. @throws MultisigError `not-multisig` */
  async message(): Promise<string> {
    await loadCrypto();
    return nextMessage(requireSigner(this.#account), this.#ctx.random);
  }

  /** Our base public key, 32 bytes: what names this signer. @throws MultisigError `view-only` */
  get signer(): Uint8Array {
    const secret = this.#account?.baseSecret ?? this.#baseSecrets().baseSecret;
    return secretKeyToPublicKey(secret)!;
  }

  /**
   * The seed of this signer, hex: with it alone the wallet comes back, but for notes and contacts.
   * @param passphrase encrypts it; empty for none
   * @throws MultisigError `not-multisig`, `not-ready`
   */
  async seed(passphrase = ''): Promise<string> {
    await loadCrypto();
    return multisigSeed(requireSigner(this.#account), passphrase, this.#ctx.random);
  }

  get #account(): MultisigAccount | undefined {
    return this.#ctx.state.multisig;
  }

  #baseSecrets(): BaseSecrets {
    const { state, secrets } = this.#ctx;
    if (state.multisig !== undefined) throw new MultisigError('already-multisig', 'expected a wallet of one owner');
    const { spendKey, viewKey } = secrets;
    if (spendKey === undefined) throw new MultisigError('view-only', 'expected a wallet that holds its spend key');
    return baseSecretsOf({ spendKey, viewKey });
  }

  async #done(account: MultisigAccount): Promise<RoundResult> {
    const ctx = this.#ctx;
    const event: WalletEvent = { type: 'MultisigRound', account: storedAccount(account) };
    await ctx.append([event], 'strict');
    const address = mainRoundsDone(account) ? ctx.state.description.primaryAddress : undefined;
    return { address, ready: isReady(account), message: nextMessage(account, ctx.random) };
  }
}

const groupView = (account: MultisigAccount): GroupView => ({
  threshold: account.threshold,
  total: account.signers.length,
  round: account.roundsComplete,
  rounds: setupRounds(account.signers.length, account.threshold),
  ready: isReady(account),
});
