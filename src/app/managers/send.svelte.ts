import type { Network } from '../../protocol/model.ts';
import type { PreparedTransfer, Priority } from '../../wallet/api.ts';
import { errorCode, errorText } from '../errors.ts';
import { m } from '../paraglide/messages.js';
import { formatAmount, parseAmount } from '../services/amount.ts';
import { toAtomic } from '../services/atomic.ts';
import { parsePaymentUri } from '../services/uri.ts';
import { type ChosenCoins, takeChosenCoins } from './coins.svelte.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Sixteen outputs at most, one of them the change. */
export const MAX_RECIPIENTS = 15;

export class Recipient {
  readonly key = crypto.randomUUID();
  address = $state('');
  amount = $state('');
  addressProblem: string | undefined = $state();
  /** The address was read and is good. */
  checked = $state(false);
  parsed = $derived(parseAmount(this.amount));
}

export type SendStep = 'form' | 'preparing' | 'review' | 'sending' | 'done';

/** One sending, from the form to the result. Made anew each time the view opens. */
export class SendFlow {
  step: SendStep = $state('form');
  recipients: Recipient[] = $state([new Recipient()]);
  priority: Priority = $state(0);
  /** Everything that can be spent goes to the one recipient. */
  sweep = $state(false);
  /** Only these coins are sent, all of them. */
  chosen: ChosenCoins | undefined = $state.raw(takeChosenCoins());
  tried = $state(false);
  acceptHighFee = $state(false);
  /** The daemon's fee is above the cap; the person may say yes. */
  feeTooHigh = $state(false);
  problem: string | undefined = $state();
  prepared: PreparedTransfer | undefined = $state.raw();
  sent: readonly string[] = $state.raw([]);

  total = $derived(this.recipients.reduce((sum, recipient) => sum + (recipient.parsed.value ?? 0n), 0n));

  constructor(readonly network: () => Network) {
    this.sweep = this.chosen !== undefined;
  }

  /** Back to an amount, from whatever coins. */
  release(): void {
    this.chosen = undefined;
    this.sweep = false;
  }

  add(): void {
    if (this.recipients.length < MAX_RECIPIENTS) this.recipients.push(new Recipient());
  }

  remove(recipient: Recipient): void {
    this.recipients = this.recipients.filter((entry) => entry !== recipient);
  }

  /** Reads an address as the person leaves the field; a whole payment request fills the amount as well. */
  async readAddress(recipient: Recipient): Promise<boolean> {
    const request = parsePaymentUri(recipient.address);
    if (request) {
      recipient.address = request.address;
      if (request.amount !== undefined && !this.sweep) recipient.amount = formatAmount(request.amount);
    }
    const address = recipient.address.trim();
    recipient.checked = false;
    if (address === '') {
      recipient.addressProblem = this.tried ? m.err_address_missing() : undefined;
      return false;
    }
    try {
      await session.host.checkAddress(address, this.network());
      recipient.addressProblem = undefined;
      recipient.checked = true;
    } catch (error) {
      recipient.addressProblem = errorText(error);
    }
    return recipient.checked;
  }

  /** Builds and signs; nothing leaves yet. */
  async prepare(): Promise<void> {
    this.tried = true;
    this.problem = undefined;
    const good = await Promise.all(this.recipients.map((recipient) => this.readAddress(recipient)));
    if (good.includes(false)) return;
    if (!this.sweep && this.recipients.some((recipient) => recipient.parsed.value === undefined)) return;
    const balance = wallet.accountBalance;
    if (!this.sweep && balance && this.total > balance.unlocked) {
      const { total, unlocked } = balance;
      this.problem =
        this.total > total
          ? m.err_over_balance({ amount: formatAmount(total) })
          : m.err_over_unlocked({ amount: formatAmount(unlocked) });
      return;
    }
    this.step = 'preparing';
    try {
      this.prepared = await this.#ask();
      this.step = 'review';
    } catch (error) {
      this.feeTooHigh = errorCode(error) === 'fee-too-high';
      this.problem = errorText(error);
      this.step = 'form';
    }
  }

  async back(): Promise<void> {
    const { prepared } = this;
    this.prepared = undefined;
    this.step = 'form';
    if (prepared) await wallet.api.discard(prepared.id);
  }

  async confirm(): Promise<void> {
    const { prepared } = this;
    if (!prepared) return;
    this.step = 'sending';
    try {
      this.sent = await wallet.api.send(prepared.id);
      this.step = 'done';
    } catch (error) {
      this.problem = errorText(error);
      this.step = 'review';
    }
  }

  async #ask(): Promise<PreparedTransfer> {
    const common = { account: wallet.account, priority: this.priority, acceptHighFee: this.acceptHighFee };
    if (this.sweep) {
      const coins = this.chosen === undefined ? {} : { keyImages: this.chosen.keyImages };
      return wallet.api.prepareSweep({ ...common, ...coins, address: this.recipients[0]?.address.trim() ?? '' });
    }
    const destinations = this.recipients.map(({ address, parsed }) => ({
      address: address.trim(),
      amount: toAtomic(parsed.value ?? 0n),
    }));
    return wallet.api.prepareTransfer({ ...common, destinations });
  }
}
