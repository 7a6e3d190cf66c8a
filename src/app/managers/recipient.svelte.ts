import { typedAmount } from '../language/formats.ts';
import { type ParsedAmount, readAmount } from '../services/amount.ts';
import { fiatValue, parseMoneyAsCoins, type Rate, toHundredths } from '../services/price.ts';
import { fiat } from './fiat.svelte.ts';

/** An amount typed in money. It counts in coins, by the price of the moment in which it was typed. */
interface TypedMoney {
  readonly text: string;
  readonly rate: Rate;
}

/** The coin's name behind an amount, as it is copied with it. */
const COIN_NAMED = /\s*XMR\s*$/i;

/** Whom a payment goes to, as it is being filled in. */
export class Recipient {
  readonly key = crypto.randomUUID();
  address = $state('');
  /** In coins, however it was typed: what is sent. */
  amount = $state('');
  #money: TypedMoney | undefined = $state.raw();
  addressProblem: string | undefined = $state();
  /** Description in a payment request: it becomes the payment's note. A stranger's words. */
  message = $state('');

  get parsed(): ParsedAmount {
    // No coins come of money that cannot be read: what is wrong there is said.
    return this.amount === '' && this.money ? parseMoneyAsCoins(this.money.text, this.money.rate.price) : readAmount(this.amount);
  }

  /** It is typed in money, while amounts are told in that money. */
  get money(): TypedMoney | undefined {
    return fiat.on && fiat.currency === this.#money?.rate.currency ? this.#money : undefined;
  }

  /** As it stands in the field. */
  get typed(): string {
    return this.money?.text ?? this.amount;
  }

  /** What the person types, in what they type it. */
  type(text: string): void {
    // A price that nobody has said yes to is not the price: that of before goes on.
    const rate = fiat.unsure ? this.money?.rate : fiat.rate;
    if (!this.money || !rate) {
      this.#money = undefined;
      this.amount = text.replace(COIN_NAMED, '');
      return;
    }
    this.#money = { text, rate };
    const { value } = parseMoneyAsCoins(text, rate.price);
    this.amount = value === undefined ? '' : typedAmount(value);
  }

  /** An amount in coins from elsewhere. */
  take(amount: bigint): void {
    this.#money = undefined;
    this.amount = typedAmount(amount);
  }

  /** On in money, or back in coins. The amount stays what it is until something is typed. */
  turn(): void {
    const { on, unsure, rate } = fiat;
    if (this.money || !on || unsure || !rate) {
      this.#money = undefined;
      return;
    }
    const { value } = readAmount(this.amount);
    if (value === undefined) this.amount = '';
    const text = value === undefined ? '' : typedAmount(toHundredths(fiatValue(value, rate.price)));
    this.#money = { text, rate };
  }
}
