import { typedAmount } from '../language/formats.ts';
import { type ParsedAmount, readAmount } from '../services/amount.ts';
import { fiatValue, parseMoneyAsCoins, type Rate, toHundredths } from '../services/price.ts';
import { fiat } from './fiat.svelte.ts';

/** An amount typed in fiat, with the rate at the time of typing, which converts it to XMR. */
interface TypedMoney {
  readonly text: string;
  readonly rate: Rate;
}

/** A trailing "XMR" in pasted amounts. */
const COIN_NAMED = /\s*XMR\s*$/i;

/** One recipient in the send form. */
export class Recipient {
  readonly key = crypto.randomUUID();
  address = $state('');
  /** In XMR, also if it was typed in fiat: this is what is sent. */
  amount = $state('');
  #money: TypedMoney | undefined = $state.raw();
  addressProblem: string | undefined = $state();
  /** Tells which of the wallet's own addresses this is; undefined for another's, or while unknown. */
  own: string | undefined = $state();
  /** Description from a payment request; becomes the payment's note. Untrusted text. */
  message = $state('');

  get parsed(): ParsedAmount {
    // Fiat text that cannot be parsed: report its problem.
    return this.amount === '' && this.money ? parseMoneyAsCoins(this.money.text, this.money.rate.price) : readAmount(this.amount);
  }

  /** The fiat amount, if one was typed and that currency is still selected. */
  get money(): TypedMoney | undefined {
    return fiat.on && fiat.currency === this.#money?.rate.currency ? this.#money : undefined;
  }

  /** Text of the field. */
  get typed(): string {
    return this.money?.text ?? this.amount;
  }

  /** Sets the text of the field, in the current unit. */
  type(text: string): void {
    // An unconfirmed price is not used: the previous rate is.
    const rate = fiat.priceUnconfirmed ? this.money?.rate : fiat.rate;
    if (!this.money || !rate) {
      this.#money = undefined;
      this.amount = text.replace(COIN_NAMED, '');
      return;
    }
    this.#money = { text, rate };
    const { value } = parseMoneyAsCoins(text, rate.price);
    this.amount = value === undefined ? '' : typedAmount(value);
  }

  /** Sets an amount in atomic units. */
  take(amount: bigint): void {
    this.#money = undefined;
    this.amount = typedAmount(amount);
  }

  /** Switches the field between XMR and fiat. The amount itself does not change. */
  switchUnit(): void {
    const { on, priceUnconfirmed, rate } = fiat;
    if (this.money || !on || priceUnconfirmed || !rate) {
      this.#money = undefined;
      return;
    }
    const { value } = readAmount(this.amount);
    if (value === undefined) this.amount = '';
    const text = value === undefined ? '' : typedAmount(toHundredths(fiatValue(value, rate.price)));
    this.#money = { text, rate };
  }
}
