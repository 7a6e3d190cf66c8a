import { isoTime } from '../services/iso-time.ts';
import { localStore } from '../services/local-store.ts';
import { fiatValue, isPriceJump, type Rate } from '../services/price.ts';
import type { RateSource } from '../services/rates.ts';

/** One JSON record, so that one tab's currency is never combined with another tab's price. */
const KEPT = 'nightjar.money';
/** Keys of an earlier format, one per field. */
const KEPT_BEFORE = ['', '-currency', '-source', '-rate', '-days'].map((part) => `nightjar.fiat${part}`);
/** Milliseconds after which a price is outdated. */
const STALE = 10 * 60_000;

/** Origin of the price: none, typed by the person (`hand`), or a price source. */
export type FiatMode = 'off' | 'hand' | 'source';

interface Kept {
  readonly mode: FiatMode;
  readonly currency: string;
  readonly source: RateSource;
  readonly rate: Rate | undefined;
  /** Prices by day (`YYYY-MM-DD`). */
  readonly days: ReadonlyMap<string, bigint>;
}

interface WrittenPrice {
  readonly price: string;
  readonly at: number;
}

/** The record as JSON, with prices as decimal strings. */
interface Written extends Pick<Kept, 'currency' | 'source'> {
  readonly mode: string;
  readonly rate?: { readonly currency: string; readonly before?: WrittenPrice } & WrittenPrice;
  readonly days: readonly (readonly [day: string, price: string])[];
}

/**
 * Values of amounts in fiat; off by default. The price is typed by the person or requested from a price source that they set. No other server is
 * contacted, and no amount is sent to anybody.
 */
class Fiat {
  /** The record as last read. */
  #text = localStore.get(KEPT);
  #kept: Kept = $state.raw(readKept(this.#text));
  #asking = false;
  /** Counts changes of the settings: answers to earlier requests are dropped. */
  #choice = 0;

  get mode(): FiatMode {
    return this.#kept.mode;
  }

  get currency(): string {
    return this.#kept.currency;
  }

  get rate(): Rate | undefined {
    return this.#kept.rate;
  }

  get source(): RateSource {
    return this.#kept.source;
  }

  get days(): ReadonlyMap<string, bigint> {
    return this.#kept.days;
  }

  get on(): boolean {
    return this.mode !== 'off' && this.rate !== undefined;
  }

  /** The price is far from the previous one, and the person has not confirmed it. */
  get priceUnconfirmed(): boolean {
    return this.on && this.rate?.before !== undefined;
  }

  /** The price to display amounts with: the last confirmed one. */
  get confirmedRate(): Rate | undefined {
    const { rate } = this;
    return rate?.before === undefined ? rate : { currency: rate.currency, ...rate.before };
  }

  /** The person confirms a price that is far from the previous one. */
  accept({ currency, price, at }: Rate): void {
    this.reload();
    if (currency === this.currency) this.#keep({ rate: { currency, price, at }, days: new Map(this.days).set(dayOf(at), price) });
  }

  /** Host of the price source; undefined if the price was typed. */
  get host(): string | undefined {
    return this.mode === 'source' && URL.canParse(this.source.url) ? new URL(this.source.url).host : undefined;
  }

  /** Reloads the record, which another tab may have changed. */
  reload(): void {
    const text = localStore.get(KEPT);
    if (text === this.#text) return;
    const before = this.#kept;
    this.#text = text;
    this.#kept = readKept(text);
    if (chosenIn(before) !== chosenIn(this.#kept)) this.#choice += 1;
  }

  turnOff(): void {
    this.#choice += 1;
    this.#keep({ mode: 'off' });
  }

  /** Drops a pending request to a price source. */
  giveUp(): void {
    this.#choice += 1;
  }

  /** @param price 10^-12 of the money for a whole coin */
  useHand(currency: string, price: bigint): void {
    this.#choice += 1;
    this.#use({ mode: 'hand', currency }, price);
  }

  /** Requests a price and, on success, switches to this source. @returns false if the settings were changed meanwhile @throws RateError */
  async useSource(currency: string, source: RateSource): Promise<boolean> {
    this.#choice += 1;
    const wanted = this.#wanted();
    try {
      const { askRate } = await import('../services/rates.ts');
      const price = await askRate(source, currency, undefined);
      if (!wanted()) return false;
      this.#use({ mode: 'source', currency, source }, price);
      return true;
    } catch (error) {
      // The error no longer matters if the settings were changed meanwhile.
      if (wanted()) throw error;
      return false;
    }
  }

  /** Updates an outdated price; the old one stays if the source does not answer. */
  async refresh(): Promise<void> {
    this.reload();
    if (this.mode !== 'source' || this.#asking || (this.rate && Date.now() - this.rate.at < STALE)) return;
    this.#asking = true;
    const { source, currency } = this;
    const wanted = this.#wanted();
    try {
      const { askRate } = await import('../services/rates.ts');
      const price = await askRate(source, currency, undefined);
      // Not if the settings were changed meanwhile.
      if (wanted()) this.#use({}, price);
    } catch {
      // Retried later.
    } finally {
      this.#asking = false;
    }
  }

  /** The source has historical prices. */
  get knowsDays(): boolean {
    return this.mode === 'source' && this.source.url.includes('{date}');
  }

  /** Requests historical prices, one after the other. @returns the number of days that became known */
  async askDays(days: readonly string[]): Promise<number> {
    const { askRate } = await import('../services/rates.ts');
    const { source, currency } = this;
    const wanted = this.#wanted();
    let known = 0;
    for (const day of days.filter((one) => !this.days.has(one))) {
      const price = await askRate(source, currency, day).catch(() => undefined);
      if (!wanted()) break;
      if (price === undefined) continue;
      this.#keep({ days: new Map(this.days).set(day, price) });
      known += 1;
    }
    return known;
  }

  /** Current value. @param amount atomic units @returns 10^-12 of the money; undefined where fiat is off */
  worthNow(amount: bigint): bigint | undefined {
    return this.on && this.confirmedRate ? fiatValue(amount, this.confirmedRate.price) : undefined;
  }

  /** Value at a time, by that day's price. @param seconds Unix time @returns undefined if unknown */
  worthThen(amount: bigint, seconds: number): bigint | undefined {
    const price = this.on ? this.days.get(dayOf(seconds * 1000)) : undefined;
    return price === undefined ? undefined : fiatValue(amount, price);
  }

  /** @returns a function that tells whether the settings are unchanged since, in all tabs */
  #wanted(): () => boolean {
    const choice = this.#choice;
    return () => {
      this.reload();
      return choice === this.#choice;
    };
  }

  /** @param price 10^-12 of the money for a whole coin; none of 0 is taken */
  #use(chosen: Partial<Kept>, price: bigint): void {
    if (price <= 0n) return;
    this.reload();
    const { currency = this.currency } = chosen;
    const at = Date.now();
    // Historical prices are in the old currency.
    const days = currency === this.currency ? this.days : new Map<string, bigint>();
    const last = this.rate?.currency === currency ? (this.rate.before ?? this.rate) : undefined;
    // A typed price is never questioned.
    const far = chosen.mode !== 'hand' && last !== undefined && isPriceJump(price, last, at);
    const rate = { currency, price, at, ...(far ? { before: { price: last.price, at: last.at } } : {}) };
    // An unconfirmed price is not recorded for its day either.
    this.#keep({ ...chosen, rate, days: far ? days : new Map(days).set(dayOf(at), price) });
  }

  #keep(changed: Partial<Kept>): void {
    this.reload();
    this.#kept = { ...this.#kept, ...changed };
    localStore.set(KEPT, writeKept(this.#kept));
    this.#text = localStore.get(KEPT);
    for (const key of KEPT_BEFORE) localStore.set(key, undefined);
  }
}

/** A UTC day as `YYYY-MM-DD`. @param at milliseconds since the epoch */
export const dayOf = (at: number): string => isoTime(at).slice(0, 10);

const modeOf = (kept: unknown): FiatMode => (kept === 'hand' || kept === 'source' ? kept : 'off');

const chosenIn = ({ mode, currency, source }: Kept): string => JSON.stringify([mode, currency, source.url, source.path]);

const writeKept = ({ days, ...kept }: Kept): string =>
  JSON.stringify({ ...kept, days: [...days] }, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

function readKept(text: string | undefined): Kept {
  try {
    return text === undefined ? keptBefore() : keptIn(JSON.parse(text) as Written);
  } catch {
    return keptBefore();
  }
}

/** @throws if it is no valid price and time */
function priceIn({ price, at }: WrittenPrice) {
  if (!Number.isSafeInteger(at)) throw new TypeError('expected a time');
  return { price: BigInt(price), at };
}

/** @throws if it is no valid record */
function keptIn({ mode, currency, source: { url, path }, rate: written, days }: Written): Kept {
  if (![currency, url, path].every((text) => typeof text === 'string')) throw new TypeError('expected texts');
  const before = written?.before ? { before: priceIn(written.before) } : {};
  const rate = written?.currency === currency ? { currency, ...priceIn(written), ...before } : undefined;
  return {
    ...{ mode: modeOf(mode), currency, source: { url, path } },
    rate: rate !== undefined && rate.price > 0n ? rate : undefined,
    days: new Map(days.map(([day, told]) => [day, BigInt(told)])),
  };
}

/** Settings of the earlier format. Its prices are dropped, as their currency is not recorded. */
function keptBefore(): Kept {
  const [url = '', path = ''] = localStore.get('nightjar.fiat-source')?.split('\n') ?? [];
  const currency = localStore.get('nightjar.fiat-currency') ?? '';
  return { mode: modeOf(localStore.get('nightjar.fiat')), currency, source: { url, path }, rate: undefined, days: new Map() };
}

export const fiat = new Fiat();
