import type { Network } from '../../protocol/model.ts';
import type { BegunPayment, OnSpendProgress, PreparedTransfer, SpendProgress, UnsignedSet } from '../../wallet/index.ts';
import { errorCode, mayHavePaid, movedCoins, wasStopped } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { saveFile } from '../services/file.ts';
import { FILES, formOf } from '../services/offline.ts';
import { isSameData, isSavableDraft } from '../services/payment-draft.ts';
import { Attempt, orSay } from './attempt.svelte.ts';
import { type ChosenCoins, takeChosenCoins } from './coins.svelte.ts';
import { notices } from './notices.svelte.ts';
import { SendForm } from './send-form.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Recipients that every Ledger has room for on its screen. */
const SHOWN_BY_ANY_LEDGER = 3;

/** Characters of a note. */
export const MOST_NOTE = 300;

/** `proposed`: it waits for the other signers of a group. `saved`: it lies in a file for the half that can sign. `unclear`: it failed, and may have paid something all the same, so nothing is offered to be sent again. */
export type SendStep = 'form' | 'preparing' | 'review' | 'sending' | 'done' | 'saved' | 'proposed' | 'unclear';

/** Payments that are kept, begun and not sent. */
const MOST_KEPT = 10;

/** Codes of a daemon that did not answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'http-status']);

/** One sending, from the form to the result. It outlives the view that began it, which a `$derived` would not. */
export class SendFlow {
  readonly form: SendForm;
  step: SendStep = $state('form');
  /** The daemon's fee is above the cap; the person may say yes. */
  feeTooHigh = $state(false);
  /** No node answered while it was planned: nothing of it has left. */
  noAnswer = $state(false);
  problem: string | undefined = $state();
  /** Coins whose decoys no daemon accepts any more; the person may have new ones drawn. */
  moved: readonly string[] = $state.raw([]);
  /** Progress while it plans, signs or sends. */
  progress: SpendProgress | undefined = $state.raw();
  prepared: PreparedTransfer | undefined = $state.raw();
  /** In place of `prepared`, where this wallet cannot sign. */
  unsigned: UnsignedSet | undefined = $state.raw();
  sent: readonly string[] = $state.raw([]);
  /** Account that pays what was planned. */
  account = $state(0);
  /** Proposal to the other signers of a group. */
  proposal: string | undefined = $state();

  readonly viewOnly = wallet.view?.kind === 'view';
  /** One of several signers: what is confirmed is proposed to the others. */
  readonly isShared = wallet.view?.kind === 'multisig';
  /** A Ledger signs. */
  readonly byDevice = wallet.view?.kind === 'device';
  /** It is asked for key images before the payment is planned. */
  asksImages = $state(false);
  /** It is being connected, so that it signs. */
  reaching = $state(false);
  readonly #api = wallet.api;
  /** Of the file, where this wallet cannot sign. */
  readonly saving = new Attempt();
  /** Payments that were begun when something else came to fill the form, the latest at the end. */
  aside: readonly BegunPayment[] = $state.raw([]);
  /** What the last link filled in, to tell whether it was changed. */
  #linked: BegunPayment | undefined;
  #left = false;
  /** The form is being read. */
  #reading = false;
  /** The person wants to stop what is being signed. */
  #cancelled = false;
  /** Counts preparations: what belongs to one that was cancelled is not looked at. */
  #attempt = 0;

  constructor(network: () => Network) {
    this.form = new SendForm(network);
  }

  /** Whom the planned payment pays, whatever has become of the form. What several transactions pay to one address is one. */
  get payees(): readonly { readonly address: string; readonly amount: bigint }[] {
    const paid = new Map<string, bigint>();
    for (const { address, amount } of this.prepared?.transactions.flatMap(({ destinations }) => destinations) ?? [])
      paid.set(address, (paid.get(address) ?? 0n) + amount);
    return [...paid].map(([address, amount]) => ({ address, amount }));
  }

  /** The person comes to it, perhaps with coins chosen elsewhere; what was typed before is there. */
  enter(chosen: ChosenCoins | undefined): void {
    this.#left = false;
    if (chosen !== undefined) {
      // A split empties the form.
      if (chosen.split !== undefined) this.#putAside();
      this.form.takeCoins(chosen);
      this.#forgetProblems();
    }
    void orSay(this.form.lookAtCoins());
  }

  /** The form is as new. */
  clear(): void {
    this.form.clear();
    this.#forgetProblems();
  }

  /** After what was sent, the next payment. */
  begin(): void {
    this.clear();
    this.prepared = undefined;
    this.sent = [];
    this.step = 'form';
  }

  /** Contents of the form, to restore later; undefined where nothing of it is to be kept, or it has been sent. */
  draft(): BegunPayment | undefined {
    return ['form', 'preparing', 'review'].includes(this.step) ? this.form.draft() : undefined;
  }

  /** A link from elsewhere, or an earlier payment, fills the form. What was in it is put aside, unless one before had filled it and nothing was changed since. */
  takeRequest(asked: string | BegunPayment): void {
    if (!isSameData(this.form.draft(), this.#linked)) this.#putAside();
    this.clear();
    if (typeof asked === 'string') this.form.takeRequest(asked);
    else this.form.resume(asked);
    this.#linked = this.form.draft();
    // The same asked for again is one payment.
    this.aside = this.aside.filter((draft) => !isSameData(draft, this.#linked));
  }

  /** Back to the payment that was put aside last; the one in the form changes places with it. */
  takeUp(): void {
    const draft = this.aside.at(-1);
    if (!draft) return;
    const others = this.aside.slice(0, -1);
    const here = this.form.draft();
    this.aside = here ? [here, ...others] : others;
    this.clear();
    this.form.resume(draft);
    void orSay(this.form.lookAtCoins());
  }

  /** What is in the form has more text than the wallet keeps. */
  get unkept(): boolean {
    const draft = this.draft();
    return draft !== undefined && !isSavableDraft(draft);
  }

  /** What was begun and not sent, for {@link resume}: the latest at the end, and no more than a journal has room for. */
  kept(): readonly BegunPayment[] {
    const draft = this.draft();
    return (draft ? [...this.aside, draft] : this.aside).filter(isSavableDraft).slice(-MOST_KEPT);
  }

  /** Has the wallet keep that, as it is now; a sending that another one took the place of keeps nothing. */
  async keep(): Promise<void> {
    if (begun === this && wallet.view !== undefined) await wallet.keepBegun(this.kept());
  }

  /** The latest fills the form, unless something else does. */
  resume(kept: readonly BegunPayment[]): void {
    const draft = this.form.empty ? kept.at(-1) : undefined;
    this.aside = [...(draft ? kept.slice(0, -1) : kept), ...this.aside];
    if (draft) this.form.resume(draft);
  }

  #putAside(): void {
    const draft = this.form.draft();
    if (draft) this.aside = [...this.aside, draft];
  }

  /** Reads the form, then has it planned; nothing is signed and nothing leaves yet. */
  async prepare(): Promise<void> {
    if (this.step !== 'form' || this.#reading) return;
    this.#reading = true;
    this.#forgetProblems();
    try {
      // Who has left it meanwhile finds the form as it was.
      if (!(await this.form.read()) || this.#left) return;
    } finally {
      this.#reading = false;
    }
    await this.#prepare();
  }

  /**
   * Stops planning: the form is as it was. Stops signing as well, up to the first byte that leaves; whether it came in time is told by what
   * {@link confirm} waits for.
   */
  async cancel(): Promise<void> {
    if (this.step === 'preparing') {
      this.#attempt += 1;
      this.step = 'form';
    } else if (this.step === 'sending') this.#cancelled = true;
    else return;
    await orSay(this.#api.payments.cancel());
  }

  /** Lets go of what was reviewed and not sent. */
  async back(): Promise<void> {
    const { prepared } = this;
    if (this.step !== 'review') return;
    this.prepared = undefined;
    this.unsigned = undefined;
    this.step = 'form';
    if (prepared) await orSay(this.#api.payments.discard(prepared.id));
  }

  /** Hands out what was reviewed, to be signed elsewhere. Its coins are set aside first: no other payment takes them meanwhile. */
  async save(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      if (await this.#setAside(unsigned)) saveFile(FILES.unsigned, unsigned.file);
    });
  }

  /** As {@link save}, by codes: the place that shows them goes on from here. */
  async showCodes(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      const { openCodes } = await import('./codes.svelte.ts');
      if (await this.#setAside(unsigned)) openCodes('view').showUnsigned(unsigned);
    });
  }

  /** The file will not be signed: its coins are free again, and the form is as it was. */
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

  /** The coins that have moved get new decoys with the next try. */
  async drawNewDecoys(): Promise<void> {
    const { moved } = this;
    this.moved = [];
    await orSay(
      this.#api.giveUpRings(moved).then(() => {
        this.problem = undefined;
        notices.say(m.send_new_decoys_done(), 'good');
      }),
    );
  }

  /** Has what was reviewed signed and sent, once: whatever comes of it, it is not offered again. */
  async confirm(): Promise<void> {
    const { prepared } = this;
    if (this.step !== 'review' || !prepared) return;
    this.#forgetProblems();
    if (this.byDevice && !(await this.#reachDevice())) return;
    if (this.step !== 'review' || this.prepared !== prepared) return;
    this.step = 'sending';
    this.progress = undefined;
    this.#cancelled = false;
    // The wallet lets go of it before it sends it: should the page end meanwhile, it is not in the form again.
    void orSay(this.keep());
    try {
      if (this.isShared) {
        await this.#propose(prepared.id);
        return;
      }
      this.sent = await this.#api.payments.send(prepared.id, this.#shown(this.#attempt));
      this.step = 'done';
      await orSay(this.#writeNote());
    } catch (error) {
      this.prepared = undefined;
      this.step = mayHavePaid(error) ? 'unclear' : 'form';
      void orSay(this.keep());
      if (this.#cancelled && wasStopped(error)) return;
      const refused = this.byDevice && errorCode(error) === 'signer-refused';
      this.problem = refused ? m.err_ledger_refused_payment() : errorText(error);
      if (this.#left && wallet.view !== undefined) notices.say(this.problem, 'bad');
    }
  }

  /** The person turns away; a wallet that was locked has let go of all by itself. What is being sent goes on, and failing is said. */
  leave(): void {
    this.#left = true;
    if (wallet.view === undefined) return;
    if (this.step === 'preparing') void this.cancel();
    void this.back();
    void orSay(this.keep());
    if (this.step !== 'form' && this.step !== 'sending') begun = undefined;
  }

  /** No other payment takes its coins. Free again where the person has turned away meanwhile: then it is not handed out. @returns whether it is */
  async #setAside(unsigned: UnsignedSet): Promise<boolean> {
    await this.#api.setFrozen(unsigned.coins, true);
    const wanted = this.unsigned === unsigned;
    if (wanted) this.step = 'saved';
    else await this.#api.setFrozen(unsigned.coins, false);
    return wanted;
  }

  /** What came of an earlier try. */
  #forgetProblems(): void {
    this.feeTooHigh = false;
    this.noAnswer = false;
    this.moved = [];
    this.problem = undefined;
  }

  async #propose(preparedId: string): Promise<void> {
    this.proposal = await this.#api.group.propose(preparedId, this.#shown(this.#attempt));
    this.step = 'proposed';
    begun = undefined;
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
      // More recipients than any Ledger shows at once: which one it is has to be known.
      const many = this.byDevice && this.form.recipients.length > SHOWN_BY_ANY_LEDGER;
      if (this.asksImages || many) await (await ledgerOf()).ready();
      if (attempt !== this.#attempt) return;
      const shown = this.#shown(attempt);
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

  /** Before anything is signed: what was reviewed stays while the Ledger is not there. */
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

  #shown(attempt: number): OnSpendProgress {
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

/** Fetched when it is needed: most wallets have none. */
const ledgerOf = async () => (await import('./ledger.svelte.ts')).ledger;

/** Form in progress: kept while the person looks elsewhere, until it is sent or the wallet is left. */
let begun: SendFlow | undefined;
wallet.atLeaving(() => {
  begun = undefined;
});
// What was typed last is kept as well (T13): nothing of it is readable until the wallet is unlocked.
wallet.atLocking(async () => begun?.keep());

/** The sending that was begun, or a new one with what the wallet has kept. */
export function openSending(network: () => Network): SendFlow {
  const chosen = takeChosenCoins();
  if (chosen !== undefined && begun?.step !== 'form') begun = undefined;
  if (begun === undefined) {
    begun = new SendFlow(network);
    begun.resume(wallet.begun);
  }
  begun.enter(chosen);
  return begun;
}
