import { bytesToHex, equalBytes, SerialQueue, secondsOf } from '../../base/index.ts';
import { loadCrypto } from '../../crypto/index.ts';
import type { WalletContext } from '../context.ts';
import { WalletError } from '../errors.ts';
import type { GroupSetReview, GroupStatus, TakenMessage } from '../group-api.ts';
import type { Payments } from '../payments.ts';
import type { OnSpendProgress } from '../requests.ts';
import type { WalletEvent } from '../state/events.ts';
import { isReady, mainRoundsDone } from './account.ts';
import type { Cosigning } from './cosigning.ts';
import { keptBytes, type RoundMail, readMail } from './desk-mail.ts';
import { type KeptMember, type KeptPlan, kept, planOf } from './desk-plan.ts';
import { describedSet, type KeptSet, keptSets, setKept, setLeft } from './desk-sets.ts';
import { groupStatus, isAnyUntold, roundUnderWay, TAKEN_OUT } from './desk-status.ts';
import { MultisigError, type MultisigErrorCode } from './errors.ts';
import { decodeKexMessage } from './kex-message.ts';
import type { Multisig } from './multisig.ts';

/** Attributes of the journal: what this member told last, and what each other did. */
const TOLD = 'group-told';
const HEARD = 'group-heard:';
/** Bytes of such a message that is kept in the journal; a larger one is there until the wallet is closed. */
const MOST_KEPT = 1_000_000;
/** Errors of a message that is not needed. */
const NEEDLESS: readonly MultisigErrorCode[] = ['own-message', 'repeated'];

/** Parts of the wallet that the desk stands before. */
export interface DeskDeps {
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
 * Being one of several, for a person: the rounds of making a group, what members tell each other before a payment, and payments on their
 * way from one to the next. All of it is kept with the wallet. Messages are those of the reference wallet.
 */
export class GroupDesk {
  readonly #deps: DeskDeps;
  readonly #queue = new SerialQueue();
  /** Exports of others that are too large to be stored. By signer. */
  readonly #large = new Map<string, Uint8Array>();
  /** The journal does not go with its mark: what was told is void. Undefined until it was looked at. */
  #stale: boolean | undefined;
  /** The last status, for as long as nothing changes. */
  #last: { readonly version: number; readonly stale: boolean; readonly status: GroupStatus | undefined } | undefined;

  constructor(deps: DeskDeps) {
    this.#deps = deps;
  }

  /** Undefined for a wallet of one owner. */
  get status(): GroupStatus | undefined {
    const { state } = this.#deps.ctx;
    if (this.#stale === undefined && state.cosigning.own !== undefined) void this.#lookAtMark();
    const stale = this.#stale === true;
    if (this.#last?.version !== state.version || this.#last.stale !== stale)
      this.#last = {
        version: state.version,
        stale,
        status: groupStatus(state, stale, (signer) => this.#heard(signer) !== undefined),
      };
    return this.#last.status;
  }

  /** Our message of the current round, the same text each time. @throws MultisigError `not-multisig`, `view-only` */
  message(): Promise<string> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      const { multisig, ctx } = this.#deps;
      const account = ctx.state.multisig;
      // The last round's message is asked for when all is over, too.
      const at = account !== undefined && isReady(account) ? account.roundsComplete - 1 : roundUnderWay(account) - 1;
      const said = plan.said[at];
      if (said !== undefined) return said;
      const text = await (account === undefined ? multisig.firstMessage() : multisig.message());
      if (plan.said.length === at) await this.#keep({ ...plan, said: [...plan.said, text] });
      return text;
    });
  }

  /** Our messages of earlier rounds, oldest first, for a member who lost one. */
  async earlier(): Promise<readonly string[]> {
    const { said } = this.#requirePlan();
    return said.slice(0, roundUnderWay(this.#deps.ctx.state.multisig) - 1);
  }

  /**
   * Takes a message of any kind: the file, its bytes in hex, text, or a reply of monero-wallet-rpc.
   * @param member whose it is, a position among the members; asked for in the first round alone, where nobody is known yet
   * @throws MultisigError; Wallet2Error, ProtocolError for what is damaged or of another group; nothing is changed then
   */
  take(message: Uint8Array, member?: number): Promise<readonly TakenMessage[]> {
    return this.#queue.run(async () => {
      await loadCrypto();
      const mail = readMail(message);
      if (mail.kind === 'rounds') return this.#takeRounds(mail.messages, member);
      return [await (mail.kind === 'info' ? this.#takeInfo(mail.bytes) : this.#takeSet(mail.bytes))];
    });
  }

  /**
   * Lets go of a member's message of the round under way, or of what it told before a payment: where that does not fit with what others tell,
   * one who lies would otherwise keep all from paying.
   */
  forget(member: number): Promise<void> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      const { others } = plan;
      const account = this.#deps.ctx.state.multisig;
      if (account !== undefined && isReady(account)) return this.#unhear(this.status?.members[member]?.signer);
      // In the first round nobody is known but by what was just taken.
      const first = account === undefined;
      const without = (other: KeptMember): KeptMember => ({ ...other, round: 0, text: '', signer: first ? '' : other.signer });
      await this.#keep({ ...plan, others: others.map((other, i) => (i + 1 === member ? without(other) : other)) });
    });
  }

  /** Does the round, with the messages that are here. @throws MultisigError; nothing is changed then */
  advance(): Promise<void> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      const { multisig, ctx } = this.#deps;
      const account = ctx.state.multisig;
      const round = roundUnderWay(account);
      const texts = plan.others.filter((other) => other.round === round).map(({ text }) => text);
      const required = plan.others.length;
      if (texts.length < required)
        throw new MultisigError('signers-missing', 'expected the messages of all others', { found: texts.length, required });
      await (account === undefined ? multisig.make(texts, plan.threshold) : multisig.exchange(texts));
    });
  }

  /** The person's word that all members see the same address. */
  compared(): Promise<void> {
    return this.#queue.run(async () => {
      const account = this.#deps.ctx.state.multisig;
      if (account === undefined || !mainRoundsDone(account)) throw new MultisigError('not-ready', 'expected a known address');
      await this.#keep({ ...this.#requirePlan(), compared: true });
    });
  }

  rename(member: number, name: string): Promise<void> {
    return this.#queue.run(async () => {
      const plan = this.#requirePlan();
      if (member === 0) await this.#keep({ ...plan, me: name.trim() });
      else {
        const renamed = (other: KeptMember, i: number): KeptMember =>
          i + 1 === member ? { ...other, name: name.trim() } : other;
        await this.#keep({ ...plan, others: plan.others.map(renamed) });
      }
    });
  }

  /**
   * Our message before the next payment. The same bytes again, until a coin is missing from them or a payment was signed.
   * @param fresh makes a new message even when the last one is in order; the last one is void then
   */
  tell(fresh = false): Promise<Uint8Array> {
    return this.#queue.run(async () => {
      const { ctx, cosigning } = this.#deps;
      if (this.#stale === undefined) await this.#lookAtMark();
      const last = keptBytes(ctx.state.attributes.get(TOLD));
      if (!fresh && last !== undefined && !isAnyUntold(ctx.state, this.#stale === true)) return last;
      const told = await cosigning.export();
      this.#stale = false;
      const value = told.length > MOST_KEPT ? '' : bytesToHex(told);
      await this.#append({ type: 'AttributeSet', key: TOLD, value });
      return told;
    });
  }

  /** Takes in what is here of the others, which is enough where one signature is. @throws MultisigError `too-few-signers` */
  takeIn(): Promise<void> {
    return this.#queue.run(async () => {
      const { threshold } = this.#requirePlan();
      const taken = await this.#importBest();
      if (!taken)
        throw new MultisigError('too-few-signers', 'expected exports of enough other signers', { required: threshold - 1 });
    });
  }

  /** Proposes what was prepared, which is let go of. Returns the id of the set. @throws MultisigError `info-missing`; SpendError */
  propose(preparedId: string, onProgress?: OnSpendProgress): Promise<string> {
    return this.#queue.run(async () => {
      const bytes = await this.#deps.payments.passedOn(preparedId, onProgress);
      const set = await this.#described(bytes);
      await this.#append(setKept(set));
      return set.id;
    });
  }

  /** @throws WalletError `not-found`; MultisigError, OfflineSigningError, SpendError of a payment that is not what it says */
  async review(id: string): Promise<GroupSetReview> {
    return this.#deps.cosigning.review(this.#requireSet(id).bytes);
  }

  /** @throws as {@link review}, and MultisigError `nonces-unknown`, `already-signed`, `bad-shares` */
  sign(id: string): Promise<void> {
    return this.#queue.run(async () => {
      const set = this.#requireSet(id);
      const { bytes } = await this.#deps.cosigning.sign(set.bytes);
      await this.#append(setKept({ ...(await this.#described(bytes)), at: set.at }));
    });
  }

  /** For the next member. @throws WalletError `not-found` */
  async file(id: string): Promise<Uint8Array> {
    return this.#requireSet(id).bytes;
  }

  /** Sends what enough have signed. Returns the hashes. @throws MultisigError, SpendError */
  submit(id: string): Promise<readonly string[]> {
    return this.#queue.run(async () => {
      const hashes = await this.#deps.cosigning.submit(this.#requireSet(id).bytes);
      await this.#append(setLeft(id));
      return hashes;
    });
  }

  /** Lets go of a payment. */
  giveUp(id: string): Promise<void> {
    return this.#queue.run(() => this.#append(setLeft(this.#requireSet(id).id)));
  }

  /** The seed of this member, hex. @throws StorageError `wrong-password`; MultisigError `not-ready` */
  async seed(password: string, passphrase: string): Promise<string> {
    await this.#deps.checkPassword(password);
    return this.#deps.multisig.seed(passphrase);
  }

  /** All of one text, or none; among several, one's own and those that are here are left out. */
  async #takeRounds(mail: readonly RoundMail[], member: number | undefined): Promise<readonly TakenMessage[]> {
    let plan = this.#requirePlan();
    const taken: TakenMessage[] = [];
    let needless: unknown;
    for (const [i, one] of mail.entries()) {
      try {
        const [next, whose] = this.#withRound(plan, one, i === 0 ? member : undefined);
        plan = next;
        taken.push({ kind: 'round', member: whose });
      } catch (error) {
        if (!(error instanceof MultisigError) || !NEEDLESS.includes(error.code)) throw error;
        needless = error;
      }
    }
    if (taken.length === 0) throw needless;
    await this.#keep(plan);
    return taken;
  }

  #withRound(plan: KeptPlan, { text, message }: RoundMail, member: number | undefined): [KeptPlan, number] {
    const account = this.#deps.ctx.state.multisig;
    if (account !== undefined && isReady(account))
      throw new MultisigError('already-complete', 'expected no more rounds: the group is made');
    const signer = bytesToHex(message.signer);
    if (signer === bytesToHex(this.#deps.multisig.signer))
      throw new MultisigError('own-message', 'expected a message of another member');
    const expected = roundUnderWay(account);
    const at = plan.others.findIndex((other) => other.signer === signer);
    const name = plan.others[at]?.name ?? '';
    if (message.round !== expected)
      throw new MultisigError('wrong-round', `expected messages of round ${expected}`, { expected, round: message.round, name });
    const before = plan.others[at];
    if (before?.round === expected) {
      if (sameContent(before.text, message)) throw new MultisigError('repeated', 'expected a message that is not here', { name });
      throw new MultisigError('contradiction', 'expected one message of each member in a round', { of: 'signer', name });
    }
    if (account !== undefined && at < 0) throw new MultisigError('unknown-signer', 'expected a message of a member');
    const free = (i: number): boolean => plan.others[i]?.signer === '';
    const wanted = member === undefined ? -1 : member - 1;
    const place = at >= 0 ? at : free(wanted) ? wanted : plan.others.findIndex((_, i) => free(i));
    if (place < 0) throw new MultisigError('too-many-signers', 'expected no more members than were said');
    const filed = (other: KeptMember, i: number): KeptMember =>
      i === place ? { ...other, signer, round: expected, text } : other;
    return [{ ...plan, others: plan.others.map(filed) }, place + 1];
  }

  async #takeInfo(bytes: Uint8Array): Promise<TakenMessage> {
    const { signer, outputs } = await this.#deps.cosigning.exportedBy(bytes);
    if (signer === bytesToHex(this.#deps.multisig.signer))
      throw new MultisigError('own-message', 'expected what another member told');
    const before = this.#heard(signer);
    if (before !== undefined && equalBytes(before, bytes)) throw new MultisigError('repeated', 'expected what is not here');
    // It is judged whole before it is kept: with what is here of the others, where that is enough.
    const taken = await this.#importBest({ signer, bytes, outputs });
    if (bytes.length > MOST_KEPT) this.#large.set(signer, bytes);
    else this.#large.delete(signer);
    const value = bytes.length > MOST_KEPT ? '' : bytesToHex(bytes);
    await this.#append({ type: 'AttributeSet', key: HEARD + signer, value });
    if (this.#deps.ctx.state.attributes.get(TAKEN_OUT + signer) === '1')
      await this.#append({ type: 'AttributeSet', key: TAKEN_OUT + signer, value: '' });
    const member = this.status?.members.findIndex((one) => one.signer === signer) ?? -1;
    return { kind: 'info', member, coins: outputs, taken };
  }

  /**
   * Imports what covers most coins, where enough members told of them. The members' messages replace each other's, so they go in together.
   * @param news comes before what is kept of its signer
   */
  async #importBest(news?: { signer: string; bytes: Uint8Array; outputs: number }): Promise<boolean> {
    const { cosigning } = this.#deps;
    const { threshold, others } = this.#requirePlan();
    const heard: { bytes: Uint8Array; outputs: number }[] = news === undefined ? [] : [news];
    for (const { signer } of others) {
      const bytes = signer === news?.signer ? undefined : this.#heard(signer);
      if (bytes !== undefined) heard.push({ bytes, outputs: (await cosigning.exportedBy(bytes)).outputs });
    }
    const needed = threshold - 1;
    if (heard.length < needed) return false;
    const covered = heard.map(({ outputs }) => outputs).sort((a, b) => b - a)[needed - 1] ?? 0;
    // Stored exports may be older than this wallet: then the new one waits for theirs.
    const all = this.#deps.ctx.state.outputs.size;
    if (news !== undefined && news.outputs >= all && covered < all && needed > 1) return false;
    await cosigning.import(heard.filter(({ outputs }) => outputs >= covered).map(({ bytes }) => bytes));
    return true;
  }

  async #unhear(signer: string | undefined): Promise<void> {
    if (signer === undefined) return;
    this.#large.delete(signer);
    await this.#append(
      { type: 'AttributeSet', key: HEARD + signer, value: '' },
      // Key images taken from it stay in the wallet; they do not make the member up to date.
      { type: 'AttributeSet', key: TAKEN_OUT + signer, value: '1' },
    );
  }

  #heard(signer: string): Uint8Array | undefined {
    return this.#large.get(signer) ?? keptBytes(this.#deps.ctx.state.attributes.get(HEARD + signer));
  }

  async #takeSet(bytes: Uint8Array): Promise<TakenMessage> {
    const { threshold } = this.#requirePlan();
    const set = await this.#described(bytes);
    const { id } = set;
    const before = keptSets(this.#deps.ctx.state.attributes).find((one) => one.id === id);
    const known = new Set(before?.signers);
    if (before !== undefined && set.signers.every((signer) => known.has(signer))) return { kind: 'set', id, news: 'same' };
    if (before?.signers.some((signer) => !set.signers.includes(signer))) return { kind: 'set', id, news: 'parallel' };
    if (set.signers.length >= threshold) await this.#requireSignatures(bytes);
    await this.#append(setKept({ ...set, at: before?.at ?? set.at }));
    return { kind: 'set', id, news: before === undefined ? 'new' : 'signed' };
  }

  /** A set that says of itself that it is signed does not take the place of one that can be. */
  async #requireSignatures(bytes: Uint8Array): Promise<void> {
    try {
      await this.#deps.cosigning.review(bytes);
    } catch (error) {
      // A set that cannot be judged yet, or was sent meanwhile, is reported when it is opened.
      const later = error instanceof MultisigError && (error.code === 'info-missing' || error.data.reason === 'spent');
      if (!later) throw error;
    }
  }

  async #described(bytes: Uint8Array): Promise<KeptSet> {
    const { ctx, cosigning } = this.#deps;
    const now = secondsOf(ctx.clock);
    return describedSet(await cosigning.look(bytes), bytes, ctx.keys.network, now);
  }

  async #lookAtMark(): Promise<void> {
    this.#stale = false;
    const { ctx } = this.#deps;
    const mark = await ctx.journal.mark().catch(() => undefined);
    const { own } = ctx.state.cosigning;
    if (own === undefined || own.mark === mark) return;
    this.#stale = true;
    this.#deps.changed();
  }

  #requireSet(id: string): KeptSet {
    const set = keptSets(this.#deps.ctx.state.attributes).find((one) => one.id === id);
    if (set === undefined) throw new WalletError('not-found', 'expected a payment that waits here');
    return set;
  }

  #requirePlan(): KeptPlan {
    const plan = planOf(this.#deps.ctx.state);
    if (plan === undefined) throw new MultisigError('not-multisig', 'expected a wallet of several signers');
    return plan;
  }

  #keep(plan: KeptPlan): Promise<void> {
    return this.#append(kept(plan));
  }

  #append(...events: readonly WalletEvent[]): Promise<void> {
    return this.#deps.ctx.append(events, 'strict');
  }
}

/** A message made anew says the same with another signature. */
function sameContent(text: string, message: RoundMail['message']): boolean {
  const before = decodeKexMessage(text);
  const parts = ({ keys, commonSecret }: RoundMail['message']): string =>
    [...keys, commonSecret ?? new Uint8Array()].map(bytesToHex).join();
  return parts(before) === parts(message);
}
