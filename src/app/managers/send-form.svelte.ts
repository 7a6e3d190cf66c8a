import type { Network } from '../../protocol/model.ts';
import type {
  DraftCoins,
  FeeLevels,
  PaymentDraft,
  PricedRequest,
  Priority,
  SweepRequest,
  TransferRequest,
} from '../../wallet/index.ts';
import { errorText, requestText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { isOpenAliasName, normalizedAddress } from '../services/addresses.ts';
import { toAtomic } from '../services/atomic.ts';
import { levelOf } from '../services/fee.ts';
import { overspendError, overspendHint } from '../services/overspend.ts';
import { mayBeSecret } from '../services/secret-text.ts';
import { type PaymentRequest, parsePaymentUris } from '../services/uri.ts';
import { noticeErrors } from './attempt.svelte.ts';
import type { ChosenCoins } from './coins.svelte.ts';
import { keepReady } from './keep-ready.svelte.ts';
import { ownAddressText } from './own-address.ts';
import { Recipient } from './recipient.svelte.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Most recipients of a payment: a transaction has at most 16 outputs, one of them the change. */
export const MAX_RECIPIENTS = 15;

/** The send form: recipients, amounts, coins, priority. */
export class SendForm {
  recipients: Recipient[] = $state([new Recipient()]);
  /** The person's note on the payment; undefined when the form has no field for it. */
  note: string | undefined = $state();
  priority: Priority = $state(0);
  /** Latest fee estimates of this payment for each priority. */
  levels: FeeLevels | undefined = $state.raw();
  /** The fee was asked for, and the node named none that can be used. */
  unpriced = $state(false);
  /** Sends everything that can be spent to the one recipient. */
  sweep = $state(false);
  /** Subtracts the fee from the amounts. */
  feeFromAmount = $state(false);
  /** Writes the unsigned file in the format of the older release that will sign it. */
  older = $state(false);
  /** Chosen coins, all of which are sent. */
  chosen: ChosenCoins | undefined = $state.raw();
  /** Amount of the chosen coins that can still be spent, atomic units, at the last check; undefined before it. */
  chosenFree: bigint | undefined = $state();
  /** Number of coins to split the chosen ones into, in place of sending them. */
  split: number | undefined = $state();
  /** Whether the review was asked for: missing fields show errors from then on. */
  tried = $state(false);
  acceptHighFee = $state(false);

  constructor(readonly network: () => Network) {}

  /** Takes coins chosen in the coin list; the recipient stays. */
  takeCoins(chosen: ChosenCoins): void {
    // Coins of a split have no recipient.
    if (this.split !== undefined || chosen.split !== undefined) this.clear();
    this.chosen = chosen;
    this.chosenFree = undefined;
    this.split = chosen.split?.coins;
    this.sweep = true;
    this.recipients = this.recipients.slice(0, 1);
    if (chosen.split && this.recipients[0]) this.recipients[0].address = chosen.split.address;
  }

  /** Clears the form. */
  clear(): void {
    this.recipients = [new Recipient()];
    this.note = undefined;
    this.priority = 0;
    this.feeFromAmount = false;
    this.older = false;
    this.release();
    this.tried = false;
    this.acceptHighFee = false;
  }

  /** Contents to restore later; undefined when the form is empty. */
  draft(): PaymentDraft | undefined {
    if (this.empty) return undefined;
    const recipients = this.recipients.map(({ address, amount, message }) => ({
      address: mayBeSecret(address) ? '' : address,
      amount,
      message,
    }));
    const { note = '', account, priority, sweep, older, feeFromAmount, chosen } = this;
    const kept = { recipients, note, account, priority, sweep, older };
    return { ...kept, ...(feeFromAmount && { feeFromAmount }), ...(chosen && { coins: coinsOf(chosen) }) };
  }

  /** Restores saved contents. */
  resume({ recipients, note, account, coins, feeFromAmount = false, ...rest }: PaymentDraft): void {
    Object.assign(this, rest, { feeFromAmount });
    this.note = note === '' ? undefined : note;
    this.chosen = coins && { account, ...coins };
    this.chosenFree = undefined;
    this.split = coins?.split?.coins;
    if (wallet.view?.accounts[account]) void noticeErrors(wallet.chooseAccount(account));
    this.recipients = recipients.map((kept) => Object.assign(new Recipient(), kept));
    for (const recipient of this.recipients) void this.readAddress(recipient);
  }

  /** Checks which of the chosen coins can still be spent. */
  async lookAtCoins(): Promise<void> {
    const { chosen } = this;
    if (chosen === undefined) return;
    const coins = await wallet.api.outputs(chosen.account);
    if (this.chosen !== chosen) return;
    const free = coins.filter(({ hold, keyImage }) => hold === undefined && chosen.keyImages.includes(keyImage ?? ''));
    this.chosenFree = free.reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** Whether some of the chosen coins can no longer be spent. */
  get coinsGone(): boolean {
    return this.chosen !== undefined && this.chosenFree !== undefined && this.chosenFree < this.chosen.amount;
  }

  /** Account that pays. */
  get account(): number {
    return this.chosen?.account ?? wallet.account;
  }

  get total(): bigint {
    return this.recipients.reduce((sum, recipient) => sum + (recipient.parsed.value ?? 0n), 0n);
  }

  /** Message of the payment request for this address; undefined without one. Untrusted text. */
  readonly asked = (payee: string): string | undefined =>
    this.recipients.find(({ address, message }) => message !== '' && address.trim() === payee)?.message;

  /** Tells which of the wallet's own addresses this is; undefined for another's. */
  readonly own = (payee: string): string | undefined => this.recipients.find(({ address }) => address.trim() === payee)?.own;

  /** Index of an earlier recipient with the same address; undefined without one. */
  sameAs({ key, address }: Recipient): number | undefined {
    const payee = address.trim();
    const first = this.recipients.findIndex((one) => one.address.trim() === payee);
    return payee === '' || this.recipients[first]?.key === key ? undefined : first;
  }

  /** Message where the amount is more than can be spent, unless {@link overspendError} says so; a fee counts where one is known. */
  get overspendHint(): string | undefined {
    const { total, levels } = this;
    const balance = wallet.accountBalance;
    if (this.sweep || balance === undefined || this.overspendError !== undefined) return undefined;
    const fee = levels?.planned === false && !this.feeFromAmount ? levelOf(levels, this.priority)?.fee : undefined;
    return overspendHint({ total, several: this.recipients.length > 1, fee }, balance);
  }

  /** Why the form cannot be sent, after the review was asked for. */
  get overspendError(): string | undefined {
    const { accountBalance, view } = wallet;
    if (this.tried && this.coinsGone) return m.send_coins_gone();
    if (!this.tried || this.sweep || !accountBalance || !view) return undefined;
    // One error at a time, the recipient's first.
    if (this.recipients.some(({ addressProblem }) => addressProblem !== undefined)) return undefined;
    return overspendError(this.total, accountBalance, view);
  }

  /** Whether nothing was filled in. */
  get empty(): boolean {
    return (
      !this.sweep &&
      this.priority === 0 &&
      !this.older &&
      !this.feeFromAmount &&
      !this.note &&
      this.recipients.every(({ address, typed }) => address === '' && typed === '')
    );
  }

  /** Returns from chosen coins to an amount. */
  release(): void {
    this.chosen = undefined;
    this.chosenFree = undefined;
    this.split = undefined;
    this.sweep = false;
  }

  add(): void {
    if (this.recipients.length < MAX_RECIPIENTS) this.recipients.push(new Recipient());
  }

  /** Adds recipients and removes empty ones. Their addresses are checked with the form. @returns false when there is no room for them */
  addAll(payees: readonly { readonly address: string; readonly amount: bigint }[]): boolean {
    const kept = this.recipients.filter(({ address, typed }) => address !== '' || typed !== '');
    if (kept.length + payees.length > MAX_RECIPIENTS) return false;
    const added = payees.map(({ address, amount }) => {
      const recipient = new Recipient();
      recipient.address = address;
      recipient.take(amount);
      return recipient;
    });
    this.recipients = [...kept, ...added];
    return true;
  }

  remove(recipient: Recipient): void {
    this.recipients = this.recipients.filter((entry) => entry !== recipient);
  }

  /** Replaces the contents by those of a payment link. */
  takeRequest(uri: string): void {
    this.clear();
    const [recipient] = this.recipients;
    if (!recipient) return;
    recipient.address = uri;
    void this.readAddress(recipient);
  }

  /** Checks an address when the person leaves its field; a payment request fills in the amount, too. Ignored if the field has changed meanwhile. */
  async readAddress(recipient: Recipient): Promise<boolean> {
    if (!this.#takeRequests(recipient)) return false;
    const address = normalizedAddress(recipient.address);
    recipient.address = address;
    const { problem, isAddress } = this.#firstLook(address);
    if (!isAddress) {
      recipient.addressProblem = problem;
      return false;
    }
    try {
      await session.host.checkAddress(address, this.network());
      if (recipient.address.trim() !== address) return false;
      recipient.addressProblem = undefined;
      void this.#tellOwn(recipient, address);
      return true;
    } catch (error) {
      if (recipient.address.trim() === address) recipient.addressProblem = errorText(error);
      return false;
    }
  }

  /** Tells whether the address is one of the wallet's own. The payment does not wait for it. */
  async #tellOwn(recipient: Recipient, address: string): Promise<void> {
    const own = await ownAddressText(address).catch(() => undefined);
    if (recipient.address.trim() === address) recipient.own = own;
  }

  /** Fills in a payment request that was entered as an address, and adds its further recipients. False when there is no room for them. */
  #takeRequests(recipient: Recipient): boolean {
    const [request, ...others] = parsePaymentUris(recipient.address) ?? [];
    if (!request) return true;
    if (!this.#hasRoomFor(others.length)) {
      recipient.addressProblem = m.err_too_many();
      return false;
    }
    this.#fill(recipient, request);
    for (const other of others) {
      const added = new Recipient();
      this.recipients.push(added);
      // As in the list, so that its label is shown.
      const listed = this.recipients.at(-1) ?? added;
      this.#fill(listed, other);
      void this.readAddress(listed);
    }
    return true;
  }

  /** First check of an address field: whether the text may be an address, or else its error. An empty field has one only after the review was asked for. */
  #firstLook(address: string): { readonly isAddress: boolean; readonly problem?: string | undefined } {
    if (address === '') return { isAddress: false, problem: this.tried ? m.err_address_missing() : undefined };
    // An OpenAlias name must be looked up first.
    if (isOpenAliasName(address)) return { isAddress: false, problem: this.tried ? m.alias_first() : undefined };
    const problem = requestText(address);
    return { isAddress: problem === undefined, problem };
  }

  /** Validates the form and shows its errors from now on. Returns whether it can be planned. */
  async read(): Promise<boolean> {
    this.tried = true;
    const good = await Promise.all(this.recipients.map((recipient) => this.readAddress(recipient)));
    if (good.includes(false)) return false;
    await noticeErrors(this.lookAtCoins());
    if (this.sweep) return !this.coinsGone;
    if (this.recipients.some((recipient) => recipient.parsed.value === undefined)) return false;
    return this.overspendError === undefined;
  }

  sweepRequest(): SweepRequest {
    return { ...this.#sweepTerms(), address: this.recipients[0]?.address.trim() ?? '' };
  }

  transferRequest(): TransferRequest {
    const destinations = this.recipients.map(({ address, parsed }) => ({
      address: address.trim(),
      amount: toAtomic(parsed.value ?? 0n),
    }));
    return { ...this.#transferTerms(), destinations, ...(this.feeFromAmount && { feeFrom: destinations.map((_, i) => i) }) };
  }

  /** The payment as far as it is filled in, for a fee estimate. `address` stands in for all recipients, which do not matter for the fee. */
  pricedRequest(address: string): PricedRequest {
    if (this.sweep) return { kind: 'sweep', outputs: 1, ...this.#sweepTerms(), address };
    const destinations = this.recipients.map(({ parsed }) => ({ address, amount: toAtomic(parsed.value || 1n) }));
    return { kind: 'transfer', ...this.#transferTerms(), destinations };
  }

  #hasRoomFor(count: number): boolean {
    return count === 0 || (!this.sweep && this.recipients.length + count <= MAX_RECIPIENTS);
  }

  #fill(recipient: Recipient, request: PaymentRequest): void {
    recipient.address = request.address;
    recipient.message = [request.recipientName, request.description].filter((part) => part !== '').join(': ');
    if (request.amount !== undefined && !this.sweep) recipient.take(request.amount);
  }

  #sweepTerms() {
    const coins = this.chosen === undefined ? {} : { keyImages: this.chosen.keyImages };
    const split = this.split === undefined ? {} : { outputs: this.split };
    return { ...this.#terms(), ...coins, ...split };
  }

  #transferTerms() {
    return { ...this.#terms(), severalTransactions: true, ...keepReady.requestOptions };
  }

  #terms() {
    return { account: this.account, priority: this.priority, acceptHighFee: this.acceptHighFee };
  }
}

/** As they are kept: the payment says whose they are. */
const coinsOf = ({ account: _, ...coins }: ChosenCoins): DraftCoins => coins;
