import { bytesToHex, SerialQueue, secondsOf } from '../../base/index.ts';
import { loadCrypto } from '../../crypto/index.ts';
import type { WalletContext } from '../context.ts';
import { WalletError } from '../errors.ts';
import type { GroupSetReview, GroupStatus, TakenMessage } from '../group-api.ts';
import type { OnSpendProgress } from '../payment-requests.ts';
import type { Payments } from '../payments.ts';
import type { WalletEvent } from '../state/events.ts';
import { isReady, mainRoundsDone } from './account.ts';
import type { Cosigning } from './cosigning.ts';
import { MultisigError } from './errors.ts';
import { GroupExports } from './group-exports.ts';
import { type RoundMessage, readGroupMessage } from './group-message.ts';
import { currentRound, groupStatus } from './group-status.ts';
import type { Multisig } from './multisig.ts';
import { groupPlanSet, planOf, type StoredMember, type StoredPlan } from './stored-plan.ts';
import { describedSet, type StoredSet, signedFurther, storedSetRemoved, storedSetSaved, storedSets } from './stored-sets.ts';
import { takeRoundMessages } from './take-round-messages.ts';

/** Parts of the wallet that a group uses. */
export interface GroupDeps {
  readonly ctx: Pick<WalletContext, 'state' | 'keys' | 'clock' | 'append' | 'journal'>;
  readonly multisig: Multisig;
  readonly cosigning: Cosigning;
  readonly payments: Pick<Payments, 'passedOn'>;
  /** @throws StorageError `wrong-password` */
  checkPassword(password: string): Promise<void>;
  /** Called when the visible state has changed. */
  changed(): void;
}

/**
 * A group as one member uses it: the rounds that make it, the exports before a payment, and payments that go from member to member. All
 * of it is stored in the journal. Messages are those of the reference wallet.
 */
export class MultisigGroup {
  readonly #deps: GroupDeps;
  readonly #exports: GroupExports;
  readonly #queue = new SerialQueue();
  /** The last status, valid until something changes. */
  #last: { readonly version: number; readonly stale: boolean; readonly status: GroupStatus | undefined } | undefined;

  constructor(deps: GroupDeps) {
    this.#deps = deps;
    this.#exports = new GroupExports(deps);
  }

  /** Undefined for a wallet of one owner. */
  get status(): GroupStatus | undefined {
    const { state } = this.#deps.ctx;
    const stale = this.#exports.isStale;
    const { version } = state;
    if (this.#last?.version !== version || this.#last.stale !== stale) {
      const status = groupStatus(state, stale, (signer) => this.#exports.of(signer) !== undefined);
      this.#last = { version, stale, status };
    }
    return this.#last.status;
  }

  /** Our message of the current round, the same text each time. @throws MultisigError `not-multisig`, `view-only` */
  message(): Promise<string> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      const { multisig, ctx } = this.#deps;
      const account = ctx.state.multisig;
      // When the exchange is complete, others may still need the message of the last round.
      const at = account !== undefined && isReady(account) ? account.roundsComplete - 1 : currentRound(account) - 1;
      const earlier = plan.said[at];
      if (earlier !== undefined) return earlier;
      const text = await (account === undefined ? multisig.firstMessage() : multisig.message());
      if (plan.said.length === at) await this.#keep({ ...plan, said: [...plan.said, text] });
      return text;
    });
  }

  /** Our messages of earlier rounds, oldest first, for a member who lost one. */
  async earlierMessages(): Promise<readonly string[]> {
    const { said } = this.#requirePlan();
    return said.slice(0, currentRound(this.#deps.ctx.state.multisig) - 1);
  }

  /**
   * Takes a message of any kind: the file, its bytes in hex, text, or a reply of monero-wallet-rpc.
   * @param member the sender, an index into the members; needed in the first round only, when nobody's key is known yet
   * @throws MultisigError; Wallet2Error, ProtocolError for damaged messages and those of another group. On an error nothing has changed
   */
  take(message: Uint8Array, member?: number): Promise<readonly TakenMessage[]> {
    return this.#queue.run(async () => {
      await loadCrypto();
      const mail = readGroupMessage(message);
      if (mail.kind === 'rounds') return this.#takeRounds(mail.messages, member);
      return [await (mail.kind === 'info' ? this.#takeExport(mail.bytes) : this.#takeSet(mail.bytes))];
    });
  }

  /**
   * Forgets a member's message of the current round, or its export before a payment: otherwise a member whose export contradicts the
   * others' could keep everyone from paying.
   */
  forget(member: number): Promise<void> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      const { others } = plan;
      const account = this.#deps.ctx.state.multisig;
      if (account !== undefined && isReady(account)) {
        const signer = this.status?.members[member]?.signer;
        if (signer !== undefined) await this.#exports.forget(signer);
        return;
      }
      // In the first round members are known only by the messages taken so far.
      const first = account === undefined;
      const without = (other: StoredMember): StoredMember => ({
        ...other,
        round: 0,
        text: '',
        signer: first ? '' : other.signer,
      });
      await this.#keep({ ...plan, others: others.map((other, i) => (i + 1 === member ? without(other) : other)) });
    });
  }

  /** Completes the current round with the messages that are here. @throws MultisigError, and then nothing has changed */
  advance(): Promise<void> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      const { multisig, ctx } = this.#deps;
      const account = ctx.state.multisig;
      const round = currentRound(account);
      const texts = plan.others.filter((other) => other.round === round).map(({ text }) => text);
      const required = plan.others.length;
      if (texts.length < required)
        throw new MultisigError('signers-missing', 'expected the messages of all others', { found: texts.length, required });
      await (account === undefined ? multisig.make(texts, plan.threshold) : multisig.exchange(texts));
    });
  }

  /** Records that, as the person says, all members see the same address. */
  confirmAddress(): Promise<void> {
    return this.#queue.run(async () => {
      const account = this.#deps.ctx.state.multisig;
      if (account === undefined || !mainRoundsDone(account)) throw new MultisigError('not-ready', 'expected a known address');
      await this.#keep({ ...this.#requirePlan(), compared: true });
    });
  }

  /** Names a member; only this wallet knows the name. @param member index into the members; 0 is this one */
  rename(member: number, name: string): Promise<void> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      if (member === 0) await this.#keep({ ...plan, me: name.trim() });
      else {
        const renamed = (other: StoredMember, i: number): StoredMember =>
          i + 1 === member ? { ...other, name: name.trim() } : other;
        await this.#keep({ ...plan, others: plan.others.map(renamed) });
      }
    });
  }

  /**
   * Our export for the next payment: the last one, until a coin is missing from it or a payment was signed.
   * @param fresh makes a new export in any case; the last one is void then
   */
  exportInfo(fresh = false): Promise<Uint8Array> {
    return this.#queue.run(() => this.#exports.own(fresh));
  }

  /** Imports the stored exports of the others; none are needed if one signature is enough. @throws MultisigError `too-few-signers` */
  importInfo(): Promise<void> {
    return this.#queue.run(async () => {
      const { threshold } = this.#requirePlan();
      const taken = await this.#exports.import();
      if (!taken)
        throw new MultisigError('too-few-signers', 'expected exports of enough other signers', { required: threshold - 1 });
    });
  }

  /** Proposes a prepared payment, which is then no longer prepared. Returns the id of the set. @throws MultisigError `info-missing`; SpendError */
  propose(preparedId: string, onProgress?: OnSpendProgress): Promise<string> {
    return this.#queue.run(async () => {
      const bytes = await this.#deps.payments.passedOn(preparedId, onProgress);
      const set = await this.#described(bytes);
      await this.#append(storedSetSaved(set));
      return set.id;
    });
  }

  /** @throws WalletError `not-found`; MultisigError, OfflineSigningError, SpendError for a payment that is not what it claims to be */
  async review(id: string): Promise<GroupSetReview> {
    return this.#deps.cosigning.review(this.#requireSet(id).bytes);
  }

  /** @throws as {@link review}, and MultisigError `nonces-unknown`, `already-signed`, `bad-shares` */
  sign(id: string): Promise<void> {
    return this.#queue.run(async () => {
      const set = this.#requireSet(id);
      const { bytes } = await this.#deps.cosigning.sign(set.bytes);
      await this.#append(storedSetSaved(signedFurther(await this.#described(bytes), set)));
    });
  }

  /** The set as a file for the next member. @throws WalletError `not-found` */
  async setBytes(id: string): Promise<Uint8Array> {
    return this.#requireSet(id).bytes;
  }

  /** Sends a fully signed payment. Returns the transaction hashes. @throws MultisigError, SpendError */
  submit(id: string): Promise<readonly string[]> {
    return this.#queue.run(async () => {
      const hashes = await this.#deps.cosigning.submit(this.#requireSet(id).bytes);
      await this.#append(storedSetRemoved(id));
      return hashes;
    });
  }

  /** Removes a payment from this wallet. */
  remove(id: string): Promise<void> {
    return this.#queue.run(() => this.#append(storedSetRemoved(this.#requireSet(id).id)));
  }

  /** The seed of this member, hex. @throws StorageError `wrong-password`; MultisigError `not-ready` */
  async seed(password: string, passphrase: string): Promise<string> {
    await this.#deps.checkPassword(password);
    return this.#deps.multisig.seed(passphrase);
  }

  async #takeRounds(mail: readonly RoundMessage[], member: number | undefined): Promise<readonly TakenMessage[]> {
    const { multisig, ctx } = this.#deps;
    const rounds = { account: ctx.state.multisig, self: bytesToHex(multisig.signer) };
    const { plan, taken } = takeRoundMessages(this.#requirePlan(), mail, rounds, member);
    await this.#keep(plan);
    return taken;
  }

  async #takeExport(bytes: Uint8Array): Promise<TakenMessage> {
    const { signer, outputs, taken } = await this.#exports.take(bytes, bytesToHex(this.#deps.multisig.signer));
    const member = this.status?.members.findIndex((one) => one.signer === signer) ?? -1;
    return { kind: 'info', member, coins: outputs, taken };
  }

  async #takeSet(bytes: Uint8Array): Promise<TakenMessage> {
    const { threshold } = this.#requirePlan();
    const set = await this.#described(bytes);
    const { id } = set;
    const before = storedSets(this.#deps.ctx.state.attributes).find((one) => one.id === id);
    const known = new Set(before?.signers);
    if (before !== undefined && set.signers.every((signer) => known.has(signer))) return { kind: 'set', id, news: 'same' };
    if (before?.signers.some((signer) => !set.signers.includes(signer))) return { kind: 'set', id, news: 'parallel' };
    if (set.signers.length >= threshold) await this.#requireSignatures(bytes);
    await this.#append(storedSetSaved(before ? signedFurther(set, before) : set));
    return { kind: 'set', id, news: before === undefined ? 'new' : 'signed' };
  }

  /** A set that claims to be fully signed must be, or it would replace one that can still be signed. */
  async #requireSignatures(bytes: Uint8Array): Promise<void> {
    try {
      await this.#deps.cosigning.review(bytes);
    } catch (error) {
      // A set that cannot be verified yet, or was sent meanwhile, is reported when it is opened.
      const later = error instanceof MultisigError && (error.code === 'info-missing' || error.data.reason === 'spent');
      if (!later) throw error;
    }
  }

  async #described(bytes: Uint8Array): Promise<StoredSet> {
    const { ctx, cosigning } = this.#deps;
    const now = secondsOf(ctx.clock);
    return describedSet(await cosigning.look(bytes), bytes, ctx.keys.network, now);
  }

  #requireSet(id: string): StoredSet {
    const set = storedSets(this.#deps.ctx.state.attributes).find((one) => one.id === id);
    if (set === undefined) throw new WalletError('not-found', 'expected a payment that waits here');
    return set;
  }

  #requirePlan(): StoredPlan {
    const plan = planOf(this.#deps.ctx.state);
    if (plan === undefined) throw new MultisigError('not-multisig', 'expected a wallet of several signers');
    return plan;
  }

  #keep(plan: StoredPlan): Promise<void> {
    return this.#append(groupPlanSet(plan));
  }

  #append(...events: readonly WalletEvent[]): Promise<void> {
    return this.#deps.ctx.append(events, 'strict');
  }
}
