import { type Rate, worthAt } from '../services/price.ts';
import type { RateSource } from '../services/rates.ts';
import { remembered } from '../services/remembered.ts';

const MODE = 'nightjar.fiat';
const CURRENCY = 'nightjar.fiat-currency';
const RATE = 'nightjar.fiat-rate';
const SOURCE = 'nightjar.fiat-source';
const DAYS = 'nightjar.fiat-days';
/** Milliseconds after which a source is asked anew. */
const STALE = 10 * 60_000;

export type FiatMode = 'off' | 'hand' | 'source';

/**
 * Worth of amounts in money, off until the person wants it. The price is typed by hand or asked of a source that the
 * person named; nobody else is asked anything, and nobody is told an amount.
 */
class Fiat {
  mode: FiatMode = $state(modeOf(remembered.get(MODE)));
  currency = $state(remembered.get(CURRENCY) ?? '');
  rate: Rate | undefined = $state.raw(keptRate());
  source: RateSource = $state.raw(keptSource());
  /** Prices by day (2026-02-28) that were known on that day, or asked for later. */
  days: ReadonlyMap<string, bigint> = $state.raw(keptDays());
  #asking = false;

  get on(): boolean {
    return this.mode !== 'off' && this.rate !== undefined;
  }

  /** Host that gave the price; undefined when it was typed. */
  get host(): string | undefined {
    return this.mode === 'source' && URL.canParse(this.source.url) ? new URL(this.source.url).host : undefined;
  }

  turnOff(): void {
    this.mode = 'off';
    remembered.set(MODE, undefined);
  }

  /** @param price 10^-12 of the money for a whole coin */
  useHand(currency: string, price: bigint): void {
    this.#use('hand', currency);
    this.#learn(price);
  }

  /** Asks the source, and goes on with it when it answers. @throws RateError */
  async useSource(currency: string, source: RateSource): Promise<void> {
    const { askRate } = await import('../services/rates.ts');
    const price = await askRate(source, currency, undefined);
    this.source = source;
    remembered.set(SOURCE, `${source.url}\n${source.path}`);
    this.#use('source', currency);
    this.#learn(price);
  }

  /** Asks the source where its last word is old; what was known stays where it does not answer. */
  async refresh(): Promise<void> {
    if (this.mode !== 'source' || this.#asking || (this.rate && Date.now() - this.rate.at < STALE)) return;
    this.#asking = true;
    try {
      const { askRate } = await import('../services/rates.ts');
      const { source, currency } = this;
      const price = await askRate(source, currency, undefined);
      // In other money, or typed by hand meanwhile, it is no longer the price.
      if (this.#asks(source, currency)) this.#learn(price);
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
    let known = 0;
    for (const day of days.filter((one) => !this.days.has(one))) {
      const price = await askRate(source, currency, day).catch(() => undefined);
      if (!this.#asks(source, currency)) break;
      if (price === undefined) continue;
      this.#note(day, price);
      known += 1;
    }
    return known;
  }

  /** Worth now. @param amount atomic units @returns 10^-12 of the money; undefined where fiat is off */
  worthNow(amount: bigint): bigint | undefined {
    return this.on && this.rate ? worthAt(amount, this.rate.price) : undefined;
  }

  /** Worth at a time, by the price of its day. @param seconds Unix time @returns undefined where that is not known */
  worthThen(amount: bigint, seconds: number): bigint | undefined {
    const price = this.on ? this.days.get(dayOf(seconds * 1000)) : undefined;
    return price === undefined ? undefined : worthAt(amount, price);
  }

  #asks(source: RateSource, currency: string): boolean {
    return this.mode === 'source' && this.source === source && this.currency === currency;
  }

  #use(mode: FiatMode, currency: string): void {
    // Prices in other money are no prices in this one.
    if (currency !== this.currency) this.#keepDays(new Map());
    this.mode = mode;
    this.currency = currency;
    remembered.set(MODE, mode);
    remembered.set(CURRENCY, currency);
  }

  #learn(price: bigint): void {
    const at = Date.now();
    this.rate = { price, at };
    remembered.set(RATE, `${price} ${at}`);
    this.#note(dayOf(at), price);
  }

  #note(day: string, price: bigint): void {
    this.#keepDays(new Map(this.days).set(day, price));
  }

  #keepDays(days: ReadonlyMap<string, bigint>): void {
    this.days = days;
    remembered.set(DAYS, days.size === 0 ? undefined : [...days].map(([day, price]) => `${day} ${price}`).join('\n'));
  }
}

/** A day in UTC as prices are kept by. @param at milliseconds since the epoch */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const modeOf = (kept: string | undefined): FiatMode => (kept === 'hand' || kept === 'source' ? kept : 'off');

function keptRate(): Rate | undefined {
  const [, price, at] = /^(\d+) (\d+)$/.exec(remembered.get(RATE) ?? '') ?? [];
  return price === undefined ? undefined : { price: BigInt(price), at: Number(at) };
}

function keptSource(): RateSource {
  const [url = '', path = ''] = remembered.get(SOURCE)?.split('\n') ?? [];
  return { url, path };
}

function keptDays(): ReadonlyMap<string, bigint> {
  const lines = (remembered.get(DAYS) ?? '').split('\n').flatMap((line) => {
    const [, day, price] = /^(\d{4}-\d\d-\d\d) (\d+)$/.exec(line) ?? [];
    return day === undefined || price === undefined ? [] : [[day, BigInt(price)] as const];
  });
  return new Map(lines);
}

export const fiat = new Fiat();
