import type { Network } from '../../protocol/model.ts';
import type { OnSpendProgress, PaymentDraft, PreparedTransfer, SpendProgress, UnsignedSet } from '../../wallet/index.ts';
import { errorCode, mayHavePaid, movedCoins, wasStopped } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { saveFile } from '../services/file.ts';
import { FILES, formOf } from '../services/offline.ts';
import { isSameData, isSavableDraft } from '../services/payment-draft.ts';
import { Attempt, noticeErrors } from './attempt.svelte.ts';
import { type ChosenCoins, takeChosenCoins } from './coins.svelte.ts';
import { notices } from './notices.svelte.ts';
import { SendForm } from './send-form.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Number of recipients that every Ledger model can show. */
const SHOWN_BY_ANY_LEDGER = 3;

/** Longest note, in characters. */
export const MOST_NOTE = 300;

/**
 * `proposed`: waits for the other signers of a group. `saved`: exported to be signed on the offline device. `unclear`: failed, but may have paid
 * something, so it is not offered again.
 */
export type SendStep = 'form' | 'preparing' | 'review' | 'sending' | 'done' | 'saved' | 'proposed' | 'unclear';

/** Most drafts that are saved. */
const MOST_KEPT = 10;

/** Error codes for a daemon that did not answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'http-status']);

/** One payment, from the form to the result. It outlives the view, so it must not depend on the view's `$derived` values. */
export class SendFlow {
  readonly form: SendForm;
  step: SendStep = $state('form');
  /** The daemon's fee is above the limit; the person may accept it. */
  feeTooHigh = $state(false);
  /** The daemon did not answer while the payment was planned; nothing was sent. */
  noAnswer = $state(false);
  problem: string | undefined = $state();
  /** Coins whose rings are no longer valid after a chain reorganization; the person may have new decoys drawn. */
  moved: readonly string[] = $state.raw([]);
  /** Progress of planning, signing or sending. */
  progress: SpendProgress | undefined = $state.raw();
  prepared: PreparedTransfer | undefined = $state.raw();
  /** The unsigned set, in place of `prepared`, if this wallet cannot sign. */
  unsigned: UnsignedSet | undefined = $state.raw();
  sent: readonly string[] = $state.raw([]);
  /** Account that pays. */
  account = $state(0);
  /** Id of the proposal to the other signers of a group. */
  proposal: string | undefined = $state();

  readonly viewOnly = wallet.view?.kind === 'view';
  /** A multisig wallet: confirming proposes the payment to the other signers. */
  readonly isShared = wallet.view?.kind === 'multisig';
  /** A Ledger signs. */
  readonly byDevice = wallet.view?.kind === 'device';
  /** The Ledger is asked for missing key images before the payment is planned. */
  asksImages = $state(false);
  /** The Ledger is being connected to sign. */
  reaching = $state(false);
  readonly #api = wallet.api;
  /** Exporting the unsigned set. */
  readonly saving = new Attempt();
  /** Drafts that were in the form when something else filled it, latest last. */
  otherDrafts: readonly PaymentDraft[] = $state.raw([]);
  /** Draft that the last link or repeated payment filled in, to tell whether it was edited since. */
  #linked: PaymentDraft | undefined;
  #left = false;
  /** The form is being read. */
  #reading = false;
  /** The person asked to cancel the signing. */
  #cancelled = false;
  /** Counts preparations: results of a cancelled one are dropped. */
  #attempt = 0;

  constructor(network: () => Network) {
    this.form = new SendForm(network);
  }

  /** Recipients of the planned payment; amounts of several transactions to one address are added up. */
  get payees(): readonly { readonly address: string; readonly amount: bigint }[] {
    const paid = new Map<string, bigint>();
    for (const { address, amount } of this.prepared?.transactions.flatMap(({ destinations }) => destinations) ?? [])
      paid.set(address, (paid.get(address) ?? 0n) + amount);
    return [...paid].map(([address, amount]) => ({ address, amount }));
  }

  /** What the person compares before saying yes, and sees again when it is sent: the props of `PaymentFacts.svelte`. */
  facts({ totalAmount, totalFee, transactions }: PreparedTransfer) {
    const { form, account, payees, isShared } = this;
    return {
      recipients: payees.map((payee) => ({ ...payee, asked: form.asked(payee.address), own: form.own(payee.address) })),
      account,
      amount: totalAmount,
      fee: totalFee,
      transactions: transactions.length,
      split: form.split,
      note: isShared ? undefined : form.note?.trim(),
    };
  }

  /** Called when the view opens, possibly with coins selected in the coin list. */
  enter(chosen: ChosenCoins | undefined): void {
    this.#left = false;
    if (chosen !== undefined) {
      // A split replaces the form's contents.
      if (chosen.split !== undefined) this.#stashDraft();
      this.form.takeCoins(chosen);
      this.#forgetProblems();
    }
    void noticeErrors(this.form.lookAtCoins());
  }

  /** Clears the form. */
  clear(): void {
    this.form.clear();
    this.#forgetProblems();
  }

  /** Starts the next payment. */
  begin(): void {
    this.clear();
    this.prepared = undefined;
    this.sent = [];
    this.step = 'form';
  }

  /** The form's contents as a draft; undefined if it is empty or the payment is already being sent. */
  draft(): PaymentDraft | undefined {
    return ['form', 'preparing', 'review'].includes(this.step) ? this.form.draft() : undefined;
  }

  /** Fills the form from a payment link or an earlier payment. An edited draft in the form is kept among {@link otherDrafts}. */
  takeRequest(asked: string | PaymentDraft): void {
    if (!isSameData(this.form.draft(), this.#linked)) this.#stashDraft();
    this.clear();
    if (typeof asked === 'string') this.form.takeRequest(asked);
    else this.form.resume(asked);
    this.#linked = this.form.draft();
    // The same request twice is one draft.
    this.otherDrafts = this.otherDrafts.filter((draft) => !isSameData(draft, this.#linked));
  }

  /** Swaps the form's contents with the latest of {@link otherDrafts}. */
  switchToOtherDraft(): void {
    const draft = this.otherDrafts.at(-1);
    if (!draft) return;
    const others = this.otherDrafts.slice(0, -1);
    const here = this.form.draft();
    this.otherDrafts = here ? [here, ...others] : others;
    this.clear();
    this.form.resume(draft);
    void noticeErrors(this.form.lookAtCoins());
  }

  /** The form's contents are too long to be saved as a draft. */
  get draftTooLong(): boolean {
    const draft = this.draft();
    return draft !== undefined && !isSavableDraft(draft);
  }

  /** Drafts to save, latest last, for {@link resume}. */
  draftsToSave(): readonly PaymentDraft[] {
    const draft = this.draft();
    return (draft ? [...this.otherDrafts, draft] : this.otherDrafts).filter(isSavableDraft).slice(-MOST_KEPT);
  }

  /** Saves the drafts in the wallet, unless this flow was replaced by another. */
  async saveDrafts(): Promise<void> {
    if (current === this && wallet.view !== undefined) await wallet.saveDrafts(this.draftsToSave());
  }

  /** Restores saved drafts; the latest fills the form if it is empty. */
  resume(draftsToSave: readonly PaymentDraft[]): void {
    const draft = this.form.empty ? draftsToSave.at(-1) : undefined;
    this.otherDrafts = [...(draft ? draftsToSave.slice(0, -1) : draftsToSave), ...this.otherDrafts];
    if (draft) this.form.resume(draft);
  }

  #stashDraft(): void {
    const draft = this.form.draft();
    if (draft) this.otherDrafts = [...this.otherDrafts, draft];
  }

  /** Validates the form and plans the payment. Nothing is signed or sent yet. */
  async prepare(): Promise<void> {
    if (this.step !== 'form' || this.#reading) return;
    this.#reading = true;
    this.#forgetProblems();
    try {
      // If the person left the view meanwhile, nothing is planned.
      if (!(await this.form.read()) || this.#left) return;
    } finally {
      this.#reading = false;
    }
    await this.#prepare();
  }

  /**
   * Cancels planning, which leads back to the form, or signing, as long as nothing was sent. Whether that was in time is known when
   * {@link confirm} ends.
   */
  async cancel(): Promise<void> {
    if (this.step === 'preparing') {
      this.#attempt += 1;
      this.step = 'form';
    } else if (this.step === 'sending') this.#cancelled = true;
    else return;
    await noticeErrors(this.#api.payments.cancel());
  }

  /** Discards the reviewed payment and returns to the form. */
  async back(): Promise<void> {
    const { prepared } = this;
    if (this.step !== 'review') return;
    this.prepared = undefined;
    this.unsigned = undefined;
    this.step = 'form';
    if (prepared) await noticeErrors(this.#api.payments.discard(prepared.id));
  }

  /** Saves the unsigned set to a file, to be signed elsewhere. Its coins are frozen first, so that no other payment spends them. */
  async save(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      if (await this.#setAside(unsigned)) saveFile(FILES.unsigned, unsigned.file);
    });
  }

  /** Like {@link save}, but shows the set as QR codes. */
  async showCodes(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      const { openColdSigning } = await import('./codes.svelte.ts');
      if (await this.#setAside(unsigned)) openColdSigning('view').showUnsigned(unsigned);
    });
  }

  /** Gives up the exported set: unfreezes its coins and returns to the form. */
  async giveUp(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      await this.#api.setFrozen(unsigned.coins, false);
      this.unsigned = undefined;
      this.step = 'form';
      notices.say(m.offline_given_up(), 'good');
    });
  }

  /** Draws new decoys for the coins in `moved` at the next attempt. */
  async drawNewDecoys(): Promise<void> {
    const { moved } = this;
    this.moved = [];
    await noticeErrors(
      this.#api.giveUpRings(moved).then(() => {
        this.problem = undefined;
        notices.say(m.send_new_decoys_done(), 'good');
      }),
    );
  }

  /** Signs and sends the reviewed payment. Whatever the outcome, the same payment is not offered again. */
  async confirm(): Promise<void> {
    const { prepared } = this;
    if (this.step !== 'review' || !prepared) return;
    this.#forgetProblems();
    if (this.byDevice && !(await this.#reachDevice())) return;
    if (this.step !== 'review' || this.prepared !== prepared) return;
    this.step = 'sending';
    this.progress = undefined;
    this.#cancelled = false;
    // Removes the draft before sending: if the page is closed meanwhile, the form must not offer the payment again.
    void noticeErrors(this.saveDrafts());
    try {
      if (this.isShared) {
        await this.#propose(prepared.id);
        return;
      }
      this.sent = await this.#api.payments.send(prepared.id, this.#onProgress(this.#attempt));
      this.step = 'done';
      await noticeErrors(this.#writeNote());
    } catch (error) {
      this.prepared = undefined;
      this.step = mayHavePaid(error) ? 'unclear' : 'form';
      void noticeErrors(this.saveDrafts());
      if (this.#cancelled && wasStopped(error)) return;
      const refused = this.byDevice && errorCode(error) === 'signer-refused';
      this.problem = refused ? m.err_ledger_refused_payment() : errorText(error);
      if (this.#left && wallet.view !== undefined) notices.say(this.problem, 'bad');
    }
  }

  /** Called when the view closes. A payment that is being sent continues; if it fails, a notice says so. */
  leave(): void {
    this.#left = true;
    if (wallet.view === undefined) return;
    if (this.step === 'preparing') void this.cancel();
    void this.back();
    void noticeErrors(this.saveDrafts());
    if (this.step !== 'form' && this.step !== 'sending') current = undefined;
  }

  /** Freezes the set's coins; unfreezes them if the person left the review meanwhile. @returns whether the set may be exported */
  async #setAside(unsigned: UnsignedSet): Promise<boolean> {
    await this.#api.setFrozen(unsigned.coins, true);
    const wanted = this.unsigned === unsigned;
    if (wanted) this.step = 'saved';
    else await this.#api.setFrozen(unsigned.coins, false);
    return wanted;
  }

  /** Clears the errors of the previous attempt. */
  #forgetProblems(): void {
    this.feeTooHigh = false;
    this.noAnswer = false;
    this.moved = [];
    this.problem = undefined;
  }

  async #propose(preparedId: string): Promise<void> {
    this.proposal = await this.#api.group.propose(preparedId, this.#onProgress(this.#attempt));
    this.step = 'proposed';
    current = undefined;
  }

  async #writeNote(): Promise<void> {
    const note = [this.form.note?.trim() ?? '', ...this.form.recipients.map(({ message }) => message)]
      .filter((text) => text !== '')
      .join('; ')
      .slice(0, MOST_NOTE);
    if (note === '') return;
    await this.#api.notes.write(this.sent.map((txHash) => ({ txHash, note })));
    await wallet.refreshLists();
  }

  async #prepare(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.step = 'preparing';
    this.progress = undefined;
    this.asksImages = this.byDevice && wallet.view?.unseen !== undefined;
    try {
      // More recipients than some Ledger models can show: the model must be known.
      const many = this.byDevice && this.form.recipients.length > SHOWN_BY_ANY_LEDGER;
      if (this.asksImages || many) await (await ledgerOf()).ready();
      if (attempt !== this.#attempt) return;
      const shown = this.#onProgress(attempt);
      this.account = this.form.account;
      const [prepared, unsigned] = this.viewOnly
        ? [undefined, await this.#askUnsigned(shown)]
        : [await this.#ask(shown), undefined];
      if (attempt !== this.#attempt) return;
      this.prepared = prepared;
      this.unsigned = unsigned;
      this.step = 'review';
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.feeTooHigh = errorCode(error) === 'fee-too-high';
      this.noAnswer = NO_ANSWER.has(errorCode(error));
      this.moved = movedCoins(error);
      this.problem = this.form.feeFromAmount && errorCode(error) === 'not-possible' ? m.fee_from_less() : errorText(error);
      this.step = 'form';
    }
  }

  /** Connects the Ledger before signing; if that fails, the review stays. */
  async #reachDevice(): Promise<boolean> {
    if (this.reaching) return false;
    this.reaching = true;
    try {
      const ledger = await ledgerOf();
      await ledger.ready();
      ledger.begin();
      return true;
    } catch (error) {
      this.problem = errorText(error);
      return false;
    } finally {
      this.reaching = false;
    }
  }

  #onProgress(attempt: number): OnSpendProgress {
    return (progress) => {
      if (attempt === this.#attempt) this.progress = progress;
    };
  }

  #ask(onProgress: OnSpendProgress): Promise<PreparedTransfer> {
    const { form } = this;
    const api = this.#api;
    return form.sweep
      ? api.payments.prepareSweep(form.sweepRequest(), onProgress)
      : api.payments.prepareTransfer(form.transferRequest(), onProgress);
  }

  #askUnsigned(onProgress: OnSpendProgress): Promise<UnsignedSet> {
    const { form } = this;
    const { offline } = this.#api;
    const written = formOf(form.older);
    return form.sweep
      ? offline.prepareUnsignedSweep({ ...form.sweepRequest(), ...written }, onProgress)
      : offline.prepareUnsigned({ ...form.transferRequest(), ...written }, onProgress);
  }
}

/** Loaded on demand: most wallets have no Ledger. */
const ledgerOf = async () => (await import('./ledger.svelte.ts')).ledger;

/** The current payment: kept while the person is on other views, until it is sent or the wallet is closed. */
let current: SendFlow | undefined;
wallet.onLeave(() => {
  current = undefined;
});
// Also saves what was typed last (T13), encrypted by the wallet.
wallet.beforeLock(async () => current?.saveDrafts());

/** The current payment, or a new one with the wallet's saved drafts. */
export function openSendFlow(network: () => Network): SendFlow {
  const chosen = takeChosenCoins();
  if (chosen !== undefined && current?.step !== 'form') current = undefined;
  if (current === undefined) {
    current = new SendFlow(network);
    current.resume(wallet.drafts);
  }
  current.enter(chosen);
  return current;
}
