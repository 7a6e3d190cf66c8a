import type { Network } from '../../protocol/model.ts';
import type {
  FeeLevels,
  OnSpendProgress,
  PreparedTransfer,
  Priority,
  SpendProgress,
  SweepRequest,
  TransferRequest,
  UnsignedSet,
} from '../../wallet/index.ts';
import { errorCode, errorText, mayHavePaid, movedCoins, wasStopped } from '../errors.ts';
import { m } from '../language/messages.ts';
import { isName } from '../services/addresses.ts';
import { formatAmount } from '../services/amount.ts';
import { toAtomic } from '../services/atomic.ts';
import { levelOf } from '../services/fee.ts';
import { saveFile } from '../services/file.ts';
import { FILES, formOf } from '../services/offline.ts';
import { overText, tooMuchText } from '../services/over.ts';
import { type PaymentRequest, parsePaymentUris } from '../services/uri.ts';
import { Attempt, orSay } from './attempt.svelte.ts';
import { type ChosenCoins, takeChosenCoins } from './coins.svelte.ts';
import { notices } from './notices.svelte.ts';
import { ready } from './ready.svelte.ts';
import { type Draft, Recipient } from './recipient.svelte.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Sixteen outputs at most, one of them the change. */
export const MAX_RECIPIENTS = 15;

/** Recipients that every Ledger has room for on its screen. */
const SHOWN_BY_ANY_LEDGER = 3;

/** Characters of a note. */
const MOST_NOTE = 300;

/** `proposed`: it waits for the other signers of a group. `saved`: it lies in a file for the half that can sign. `unclear`: it failed, and may have paid something all the same, so nothing is offered to be sent again. */
export type SendStep = 'form' | 'preparing' | 'review' | 'sending' | 'done' | 'saved' | 'proposed' | 'unclear';

/** One sending, from the form to the result. It outlives the view that began it, which a `$derived` would not. */
export class SendFlow {
  step: SendStep = $state('form');
  recipients: Recipient[] = $state([new Recipient()]);
  priority: Priority = $state(0);
  /** Costs of the priorities for this payment, as last told. */
  levels: FeeLevels | undefined = $state.raw();
  /** Everything that can be spent goes to the one recipient. */
  sweep = $state(false);
  /** An old release is to sign the file, where this wallet cannot sign. */
  older = $state(false);
  /** Only these coins are sent, all of them. */
  chosen: ChosenCoins | undefined = $state.raw();
  /** They are not sent away: so many coins are made of them. */
  split: number | undefined = $state();
  tried = $state(false);
  acceptHighFee = $state(false);
  /** The daemon's fee is above the cap; the person may say yes. */
  feeTooHigh = $state(false);
  problem: string | undefined = $state();
  /** Coins whose decoys no daemon accepts any more; the person may have new ones drawn. */
  moved: readonly string[] = $state.raw([]);
  /** Progress while it plans, signs or sends. */
  progress: SpendProgress | undefined = $state.raw();
  prepared: PreparedTransfer | undefined = $state.raw();
  /** In place of `prepared`, where this wallet cannot sign. */
  unsigned: UnsignedSet | undefined = $state.raw();
  sent: readonly string[] = $state.raw([]);
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
  #left = false;
  /** The form is being read. */
  #reading = false;
  /** The person wants to stop what is being signed. */
  #cancelled = false;
  /** Counts preparations: what belongs to one that was cancelled is not looked at. */
  #attempt = 0;

  constructor(readonly network: () => Network) {}

  /** The person comes to it, perhaps with coins chosen elsewhere; what was typed before is there. */
  enter(chosen: ChosenCoins | undefined): void {
    this.#left = false;
    if (chosen === undefined) return;
    // Coins chosen for a split are not for a recipient.
    if (this.split !== undefined || chosen.split !== undefined) this.clear();
    this.chosen = chosen;
    this.split = chosen.split?.coins;
    this.sweep = true;
    this.recipients = this.recipients.slice(0, 1);
    if (chosen.split && this.recipients[0]) this.recipients[0].address = chosen.split.address;
  }

  /** The form is as new. */
  clear(): void {
    this.recipients = [new Recipient()];
    this.priority = 0;
    this.older = false;
    this.release();
    this.tried = false;
    this.acceptHighFee = false;
    this.feeTooHigh = false;
    this.moved = [];
    this.problem = undefined;
  }

  /** After what was sent, the next payment. */
  begin(): void {
    this.clear();
    this.prepared = undefined;
    this.sent = [];
    this.step = 'form';
  }

  /** Contents of the form, to restore later; undefined where it was empty or has been sent. */
  draft(): Draft | undefined {
    if (!['form', 'preparing', 'review'].includes(this.step) || this.chosen !== undefined || this.empty) return undefined;
    const recipients = this.recipients.map(({ address, amount, message }) => ({ address, amount, message }));
    return { recipients, priority: this.priority, sweep: this.sweep, older: this.older };
  }

  /** Fills the form as it was. */
  resume({ recipients, ...rest }: Draft): void {
    Object.assign(this, rest);
    this.recipients = recipients.map((kept) => Object.assign(new Recipient(), kept));
    for (const recipient of this.recipients) void this.readAddress(recipient);
  }

  get total(): bigint {
    return this.recipients.reduce((sum, recipient) => sum + (recipient.parsed.value ?? 0n), 0n);
  }

  /** Message where the amount is more than can be spent; a fee counts where one is known. */
  get over(): string | undefined {
    const { total, levels } = this;
    const unlocked = wallet.accountBalance?.unlocked;
    if (this.sweep || unlocked === undefined) return undefined;
    const fee = levels?.planned === false ? levelOf(levels, this.priority)?.fee : undefined;
    return overText({ total, several: this.recipients.length > 1, fee }, unlocked);
  }

  /** Why it cannot be sent, once that was tried. */
  get tooMuch(): string | undefined {
    const { accountBalance, view } = wallet;
    return !this.tried || this.sweep || !accountBalance || !view ? undefined : tooMuchText(this.total, accountBalance, view);
  }

  /** Nothing has been filled in. */
  get empty(): boolean {
    return (
      !this.sweep &&
      this.priority === 0 &&
      !this.older &&
      this.recipients.every(({ address, amount }) => address === '' && amount === '')
    );
  }

  /** Back to an amount, from whatever coins. */
  release(): void {
    this.chosen = undefined;
    this.split = undefined;
    this.sweep = false;
  }

  add(): void {
    if (this.recipients.length < MAX_RECIPIENTS) this.recipients.push(new Recipient());
  }

  remove(recipient: Recipient): void {
    this.recipients = this.recipients.filter((entry) => entry !== recipient);
  }

  /** A link from elsewhere fills the form, in place of what was in it. */
  takeRequest(uri: string): void {
    this.clear();
    const [recipient] = this.recipients;
    if (!recipient) return;
    recipient.address = uri;
    void this.readAddress(recipient);
  }

  #hasRoomFor(count: number): boolean {
    return count === 0 || (!this.sweep && this.recipients.length + count <= MAX_RECIPIENTS);
  }

  #fill(recipient: Recipient, request: PaymentRequest): void {
    recipient.address = request.address;
    recipient.message = [request.recipientName, request.description].filter((part) => part !== '').join(': ');
    if (request.amount !== undefined && !this.sweep) recipient.amount = formatAmount(request.amount);
  }

  /** Reads an address as the person leaves the field; a whole payment request fills the amount as well. What is typed meanwhile is not judged. */
  async readAddress(recipient: Recipient): Promise<boolean> {
    const [request, ...others] = parsePaymentUris(recipient.address) ?? [];
    if (request && !this.#hasRoomFor(others.length)) {
      recipient.addressProblem = m.err_too_many();
      return false;
    }
    if (request) this.#fill(recipient, request);
    for (const other of others) {
      const added = new Recipient();
      this.recipients.push(added);
      // As it is in the list: what is noted of it is to be seen.
      const listed = this.recipients.at(-1) ?? added;
      this.#fill(listed, other);
      void this.readAddress(listed);
    }
    const address = recipient.address.trim();
    if (address === '') {
      recipient.addressProblem = this.tried ? m.err_address_missing() : undefined;
      return false;
    }
    // It stands for an address: that has to be looked up first.
    if (isName(address)) {
      recipient.addressProblem = this.tried ? m.alias_first() : undefined;
      return false;
    }
    try {
      await session.host.checkAddress(address, this.network());
      if (recipient.address.trim() !== address) return false;
      recipient.addressProblem = undefined;
      return true;
    } catch (error) {
      if (recipient.address.trim() === address) recipient.addressProblem = errorText(error);
      return false;
    }
  }

  /** Reads the form, then has it planned; nothing is signed and nothing leaves yet. */
  async prepare(): Promise<void> {
    if (this.step !== 'form' || this.#reading) return;
    this.#reading = true;
    try {
      if (!(await this.#readForm())) return;
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
    await orSay(this.#api.cancelPreparing());
  }

  /** Lets go of what was reviewed and not sent. */
  async back(): Promise<void> {
    const { prepared } = this;
    if (this.step !== 'review') return;
    this.prepared = undefined;
    this.unsigned = undefined;
    this.step = 'form';
    if (prepared) await orSay(this.#api.discard(prepared.id));
  }

  /** Hands out what was reviewed, to be signed elsewhere. Its coins are set aside first: no other payment takes them meanwhile. */
  async save(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      await this.#api.setFrozen(unsigned.coins, true);
      saveFile(FILES.unsigned, unsigned.file);
      this.step = 'saved';
    });
  }

  /** As {@link save}, by codes: the place that shows them goes on from here. */
  async showCodes(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.saving.run(async () => {
      const { openCodes } = await import('./codes.svelte.ts');
      await this.#api.setFrozen(unsigned.coins, true);
      openCodes('view').showUnsigned(unsigned);
      this.step = 'saved';
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
    this.problem = undefined;
    if (this.byDevice && !(await this.#reachDevice())) return;
    if (this.step !== 'review' || this.prepared !== prepared) return;
    this.step = 'sending';
    this.progress = undefined;
    this.#cancelled = false;
    try {
      if (this.isShared) {
        await this.#propose(prepared.id);
        return;
      }
      this.sent = await this.#api.send(prepared.id, this.#shown(this.#attempt));
      this.step = 'done';
      await orSay(this.#noteRequests());
    } catch (error) {
      this.prepared = undefined;
      this.step = mayHavePaid(error) ? 'unclear' : 'form';
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
    if (this.step !== 'form' && this.step !== 'sending') begun = undefined;
  }

  async #propose(preparedId: string): Promise<void> {
    this.proposal = await this.#api.group.propose(preparedId, this.#shown(this.#attempt));
    this.step = 'proposed';
    begun = undefined;
  }

  async #noteRequests(): Promise<void> {
    const note = this.recipients
      .flatMap(({ message }) => (message === '' ? [] : [message]))
      .join('; ')
      .slice(0, MOST_NOTE);
    if (note === '') return;
    for (const txHash of this.sent) await this.#api.note(txHash, note);
    await wallet.refreshLists();
  }

  async #readForm(): Promise<boolean> {
    this.tried = true;
    this.moved = [];
    this.problem = undefined;
    const good = await Promise.all(this.recipients.map((recipient) => this.readAddress(recipient)));
    if (good.includes(false)) return false;
    if (this.sweep) return true;
    if (this.recipients.some((recipient) => recipient.parsed.value === undefined)) return false;
    return this.tooMuch === undefined;
  }

  async #prepare(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.step = 'preparing';
    this.progress = undefined;
    this.asksImages = this.byDevice && wallet.view?.unseen !== undefined;
    try {
      // More recipients than any Ledger shows at once: which one it is has to be known.
      const many = this.byDevice && this.recipients.length > SHOWN_BY_ANY_LEDGER;
      if (this.asksImages || many) await (await ledgerOf()).ready();
      if (attempt !== this.#attempt) return;
      const shown = this.#shown(attempt);
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
      this.moved = movedCoins(error);
      this.problem = errorText(error);
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
    const api = this.#api;
    return this.sweep ? api.prepareSweep(this.#sweepRequest(), onProgress) : api.prepareTransfer(this.#request(), onProgress);
  }

  #askUnsigned(onProgress: OnSpendProgress): Promise<UnsignedSet> {
    const api = this.#api;
    const form = formOf(this.older);
    return this.sweep
      ? api.offline.prepareUnsignedSweep({ ...this.#sweepRequest(), ...form }, onProgress)
      : api.offline.prepareUnsigned({ ...this.#request(), ...form }, onProgress);
  }

  #sweepRequest(): SweepRequest {
    const coins = this.chosen === undefined ? {} : { keyImages: this.chosen.keyImages };
    const split = this.split === undefined ? {} : { outputs: this.split };
    return { ...this.terms, ...coins, ...split, address: this.recipients[0]?.address.trim() ?? '' };
  }

  #request(): TransferRequest {
    const destinations = this.recipients.map(({ address, parsed }) => ({
      address: address.trim(),
      amount: toAtomic(parsed.value ?? 0n),
    }));
    return { ...this.terms, destinations, severalTransactions: true, ...ready.terms };
  }

  /** Terms common to all requests. */
  get terms() {
    return { account: this.chosen?.account ?? wallet.account, priority: this.priority, acceptHighFee: this.acceptHighFee };
  }
}

/** Fetched when it is needed: most wallets have none. */
const ledgerOf = async () => (await import('./ledger.svelte.ts')).ledger;

/** Form in progress: kept while the person looks elsewhere, until it is sent or the wallet is left. In memory alone. */
let begun: SendFlow | undefined;
/** Forms in progress when a wallet was locked, by its address: restored once that wallet is unlocked. In memory alone. */
const drafts = new Map<string, Draft>();
wallet.atLeaving(() => {
  const draft = begun?.draft();
  if (draft && wallet.view) drafts.set(wallet.view.primaryAddress, draft);
  begun = undefined;
});

/** The sending that was begun, or a new one. */
export function openSending(network: () => Network): SendFlow {
  const chosen = takeChosenCoins();
  if (chosen !== undefined && begun?.step !== 'form') begun = undefined;
  begun ??= new SendFlow(network);
  const address = wallet.view?.primaryAddress ?? '';
  const draft = drafts.get(address);
  drafts.delete(address);
  if (draft) begun.resume(draft);
  begun.enter(chosen);
  return begun;
}
