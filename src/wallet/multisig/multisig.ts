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

/** Attribute that records that the person has accepted that multisig is experimental; the reference's name for it. */
export const ENABLED = 'enable-multisig-experimental';

/** State of a group after a round of the key exchange. */
export interface RoundResult {
  /** The address of the group; undefined before its keys are known. Do not pay it before the group is ready. */
  readonly address: string | undefined;
  readonly ready: boolean;
  /** Message for all other signers, the input of their next round. */
  readonly message: string;
}

/**
 * The key exchange by which a wallet becomes one of several signers. Each round is journalled before its message leaves, so
 * that after a crash the wallet is in the round before or in the one after.
 *
 * @example
 * ```ts
 * import { createWallet, DaemonService, MemoryJournalStore, parseAmount } from 'nightjar';
 *
 * const place = { store: new MemoryJournalStore(), password: 'correct horse', network: 'regtest' } as const;
 * const signer = (name: string) => createWallet({ ...place, name, scanFrom: { height: 0 } });
 * const [ada, bob] = [await signer('ada'), await signer('bob')];
 *
 * // Both exchange messages, round by round, until both are ready.
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
 * // Before each payment all exchange exports. Ada proposes; Bob sees what the payment would do, signs and sends.
 * const infos = [await ada.cosigning.export(), await bob.cosigning.export()] as const;
 * await ada.cosigning.import([infos[1]]);
 * await bob.cosigning.import([infos[0]]);
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

  /** Whether the person has accepted that multisig is experimental. */
  get isEnabled(): boolean {
    return this.#ctx.state.attributes.get(ENABLED) === '1';
  }

  /** Records that the person has accepted that multisig is experimental. */
  async enable(): Promise<void> {
    if (!this.isEnabled) await this.#ctx.append([{ type: 'AttributeSet', key: ENABLED, value: '1' }], 'strict');
  }

  /**
   * The first message of this wallet, for all other signers of a new group. It changes nothing. It must stay secret among them: the
   * messages of all reveal the group's view key.
   * @throws MultisigError `already-multisig`, `view-only`
   */
  async firstMessage(): Promise<string> {
    await loadCrypto();
    return firstMessage(this.#baseSecrets(), this.#ctx.random);
  }

  /**
   * Makes this wallet a signer of a group of everyone who sent a first message. The wallet then no longer has its own address or sees
   * what was received there: restore its seed words elsewhere for that.
   * @param messages first messages of all other signers
   * @param threshold how many signers a spend needs
   * @throws MultisigError for a bad message or bad numbers, and then nothing has changed
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
   * Completes the current round.
   * @param messages of all other signers for this round
   * @param force accepts missing messages: safe only if all present senders are trusted
   * @throws MultisigError, and then nothing has changed
   */
  exchange(messages: readonly string[], { force = false } = {}): Promise<RoundResult> {
    return this.#ctx.still(async () => {
      await loadCrypto();
      return this.#done(exchangeKeys(requireSigner(this.#account), decodeKexMessages(messages), force));
    });
  }

  /** Our message of the current round. @throws MultisigError `not-multisig` */
  async message(): Promise<string> {
    await loadCrypto();
    return nextMessage(requireSigner(this.#account), this.#ctx.random);
  }

  /** Our base public key, 32 bytes, which identifies this signer. @throws MultisigError `view-only` */
  get signer(): Uint8Array {
    const secret = this.#account?.baseSecret ?? this.#baseSecrets().baseSecret;
    return secretKeyToPublicKey(secret)!;
  }

  /**
   * The seed of this signer, hex. It restores the wallet except for notes and contacts.
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
