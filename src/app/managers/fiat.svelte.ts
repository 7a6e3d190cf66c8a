import { isoTime } from '../services/iso-time.ts';
import { localStore } from '../services/local-store.ts';
import { fiatValue, isPriceJump, type Rate } from '../services/price.ts';
import type { RateSource } from '../services/rates.ts';

/** One record, written whole: no page's currency ever stands beside another page's price. */
const KEPT = 'nightjar.money';
/** Where its parts lay once, a key each. */
const KEPT_BEFORE = ['', '-currency', '-source', '-rate', '-days'].map((part) => `nightjar.fiat${part}`);
/** Milliseconds after which a source is asked anew. */
const STALE = 10 * 60_000;

/** Where the price of a coin comes from: nowhere, typed by the person, or a source that the person chose. */
export type FiatMode = 'off' | 'hand' | 'source';

interface Kept {
  readonly mode: FiatMode;
  readonly currency: string;
  readonly source: RateSource;
  readonly rate: Rate | undefined;
  /** Prices by day (2026-02-28) that were known on that day, or asked for later. */
  readonly days: ReadonlyMap<string, bigint>;
}

interface WrittenPrice {
  readonly price: string;
  readonly at: number;
}

/** In JSON: prices are digits. */
interface Written extends Pick<Kept, 'currency' | 'source'> {
  readonly mode: string;
  readonly rate?: { readonly currency: string; readonly before?: WrittenPrice } & WrittenPrice;
  readonly days: readonly (readonly [day: string, price: string])[];
}

/**
 * Worth of amounts in money, off until the person wants it. The price is typed by hand or asked of a source that the
 * person named; nobody else is asked anything, and nobody is told an amount.
 */
class Fiat {
  /** As it was last read. */
  #text = localStore.get(KEPT);
  #kept: Kept = $state.raw(readKept(this.#text));
  #asking = false;
  /** Counts what the person chose: what was asked for before is no longer wanted. */
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

  /** The source's price is far from the one before, and the person has not said yes to it. */
  get priceUnconfirmed(): boolean {
    return this.on && this.rate?.before !== undefined;
  }

  /** The price that amounts are told by: while there is none that is sure, the one before it. */
  get confirmedRate(): Rate | undefined {
    const { rate } = this;
    return rate?.before === undefined ? rate : { currency: rate.currency, ...rate.before };
  }

  /** The person's yes to a price that is far from the one before. */
  accept({ currency, price, at }: Rate): void {
    this.reload();
    if (currency === this.currency) this.#keep({ rate: { currency, price, at }, days: new Map(this.days).set(dayOf(at), price) });
  }

  /** Host that gave the price; undefined when it was typed. */
  get host(): string | undefined {
    return this.mode === 'source' && URL.canParse(this.source.url) ? new URL(this.source.url).host : undefined;
  }

  /** Takes over what another page of this browser has kept meanwhile. */
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

  /** A source that has not answered yet is not used when it does. */
  giveUp(): void {
    this.#choice += 1;
  }

  /** @param price 10^-12 of the money for a whole coin */
  useHand(currency: string, price: bigint): void {
    this.#choice += 1;
    this.#use({ mode: 'hand', currency }, price);
  }

  /** Asks the source, and goes on with it when it answers. @returns whether that was still wanted then @throws RateError */
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
      // Nobody waits any more for what it failed at.
      if (wanted()) throw error;
      return false;
    }
  }

  /** Asks the source where its last word is old; what was known stays where it does not answer. */
  async refresh(): Promise<void> {
    this.reload();
    if (this.mode !== 'source' || this.#asking || (this.rate && Date.now() - this.rate.at < STALE)) return;
    this.#asking = true;
    const { source, currency } = this;
    const wanted = this.#wanted();
    try {
      const { askRate } = await import('../services/rates.ts');
      const price = await askRate(source, currency, undefined);
      // In other money, or typed by hand meanwhile, it is no longer the price.
      if (wanted()) this.#use({}, price);
    } catch {
      // It may answer another time.
    } finally {
      this.#asking = false;
    }
  }

  /** The source can tell the price of a day that is gone. */
  get knowsDays(): boolean {
    return this.mode === 'source' && this.source.url.includes('{date}');
  }

  /** Asks the source for days, one after the other; those that have no answer stay unknown. @returns how many became known */
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

  /** Worth now. @param amount atomic units @returns 10^-12 of the money; undefined where fiat is off */
  worthNow(amount: bigint): bigint | undefined {
    return this.on && this.confirmedRate ? fiatValue(amount, this.confirmedRate.price) : undefined;
  }

  /** Worth at a time, by the price of its day. @param seconds Unix time @returns undefined where that is not known */
  worthThen(amount: bigint, seconds: number): bigint | undefined {
    const price = this.on ? this.days.get(dayOf(seconds * 1000)) : undefined;
    return price === undefined ? undefined : fiatValue(amount, price);
  }

  /** @returns tells whether the person has chosen nothing else since, here or on another page */
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
    // Prices in other money are no prices in this one.
    const days = currency === this.currency ? this.days : new Map<string, bigint>();
    const last = this.rate?.currency === currency ? (this.rate.before ?? this.rate) : undefined;
    // What a person types is meant.
    const far = chosen.mode !== 'hand' && last !== undefined && isPriceJump(price, last, at);
    const rate = { currency, price, at, ...(far ? { before: { price: last.price, at: last.at } } : {}) };
    // Nor is one that nobody has said yes to the price of its day.
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

/** A day in UTC as prices are kept by. @param at milliseconds since the epoch */
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

/** @throws where it is no price, or of no time */
function priceIn({ price, at }: WrittenPrice) {
  if (!Number.isSafeInteger(at)) throw new TypeError('expected a time');
  return { price: BigInt(price), at };
}

/** @throws where it is no record of ours */
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

/** As it was kept once, under a key each. Prices are not taken over: nothing told what money they were in. */
function keptBefore(): Kept {
  const [url = '', path = ''] = localStore.get('nightjar.fiat-source')?.split('\n') ?? [];
  const currency = localStore.get('nightjar.fiat-currency') ?? '';
  return { mode: modeOf(localStore.get('nightjar.fiat')), currency, source: { url, path }, rate: undefined, days: new Map() };
}

export const fiat = new Fiat();
