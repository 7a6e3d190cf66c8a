import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fiat } from '../../../src/app/managers/fiat.svelte.ts';
import { Recipient } from '../../../src/app/managers/recipient.svelte.ts';
import { isPriceJump } from '../../../src/app/services/price.ts';

const COIN = 10n ** 12n;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What the browser keeps for all pages. */
const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
});

/** As another page of this browser has it, opened now. */
async function otherPage(): Promise<typeof fiat> {
  vi.resetModules();
  return (await import('../../../src/app/managers/fiat.svelte.ts')).fiat;
}

/** A source of prices that answers when it is told to. */
async function source() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, answer) => {
    waiting.push(answer);
    server.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    at: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{currency}`, path: '' },
    asked: () => once(server, 'asked'),
    say: (price: string): void => void waiting.shift()?.end(price),
    close: () => server.close(),
  };
}

beforeEach(() => {
  kept.clear();
  fiat.reload();
});
afterEach(() => vi.useRealTimers());

it('a price that was asked for in other money, or before one was typed, is not taken', async () => {
  const { at, asked, say, close } = await source();
  vi.useFakeTimers({ toFake: ['Date'] });

  let question = asked();
  const begun = fiat.useSource('EUR', at);
  await question;
  say('150');
  expect(await begun).toBe(true);
  expect(fiat.rate?.price).toBe(150n * COIN);

  vi.setSystemTime(Date.now() + HOUR);
  question = asked();
  const late = fiat.refresh();
  await question;
  fiat.useHand('JPY', 25_000n * COIN);
  say('151');
  await late;
  expect([fiat.currency, fiat.rate?.price]).toEqual(['JPY', 25_000n * COIN]);

  const again = fiat.useSource('EUR', at);
  await asked();
  say('152');
  await again;
  question = asked();
  const days = fiat.askDays(['2026-01-01']);
  await question;
  fiat.useHand('JPY', 25_000n * COIN);
  say('153');
  expect(await days).toBe(0);
  expect(fiat.days.has('2026-01-01')).toBe(false);
  close();
});

it('a source that answers once the person has chosen otherwise is not used', async () => {
  const { at, asked, say, close } = await source();
  const other = await otherPage();
  for (const [choose, mode] of [
    [() => fiat.turnOff(), 'off'],
    [() => fiat.giveUp(), 'off'],
    [() => other.useHand('CHF', 140n * COIN), 'hand'],
  ] as const) {
    const question = asked();
    const begun = fiat.useSource('EUR', at);
    await question;
    choose();
    say('150');
    expect([await begun, fiat.mode, fiat.rate?.currency === 'EUR']).toEqual([false, mode, false]);
  }
  // Nor is the person told that it failed.
  const question = asked();
  const begun = fiat.useSource('EUR', at);
  await question;
  fiat.giveUp();
  say('no price');
  expect(await begun).toBe(false);
  close();
});

it('two pages never mix the currency of one with the price of the other', async () => {
  const { at, asked, say, close } = await source();
  vi.useFakeTimers({ toFake: ['Date'] });
  let question = asked();
  const begun = fiat.useSource('EUR', at);
  await question;
  say('160');
  await begun;
  const other = await otherPage();
  expect([other.mode, other.currency, other.source, other.rate]).toEqual([fiat.mode, 'EUR', at, fiat.rate]);
  vi.setSystemTime(Date.now() + HOUR);

  question = asked();
  const late = other.refresh();
  await question;
  fiat.useHand('JPY', 25_000n * COIN);
  say('160');
  await late;
  const told = { currency: 'JPY', price: 25_000n * COIN };
  for (const page of [fiat, other, await otherPage()])
    expect([page.mode, page.currency, page.rate]).toMatchObject(['hand', 'JPY', told]);

  other.turnOff();
  fiat.reload();
  expect([fiat.mode, fiat.on, fiat.worthNow(COIN)]).toEqual(['off', false, undefined]);
  close();
});

it('a kept price of nothing, or of other money, is none; a setting of before keeps all but its price', async () => {
  const record = (rate: object) =>
    JSON.stringify({ mode: 'hand', currency: 'EUR', source: { url: '', path: '' }, rate: { at: 1, ...rate }, days: [] });
  const opened = async (text: string) => {
    kept.set('nightjar.money', text);
    const { mode, currency, rate } = await otherPage();
    return [mode, currency, rate?.price];
  };
  expect(await opened(record({ currency: 'EUR', price: '150' }))).toEqual(['hand', 'EUR', 150n]);
  expect(await opened(record({ currency: 'EUR', price: '0' }))).toEqual(['hand', 'EUR', undefined]);
  expect(await opened(record({ currency: 'JPY', price: '25000' }))).toEqual(['hand', 'EUR', undefined]);
  expect(await opened('{}')).toEqual(['off', '', undefined]);
  for (const other of [
    { currency: 'EUR', price: 'much' },
    { currency: 'EUR', price: '1', at: 1e300 },
    { currency: 'EUR', price: '1', at: null },
  ])
    expect(await opened(record(other)), 'T12 junk').toEqual(['off', '', undefined]);
  expect(await opened(record({}).replace('"EUR"', '5')), 'T12 junk').toEqual(['off', '', undefined]);
  fiat.useHand('EUR', 0n);
  expect(fiat.on).toBe(false);

  kept.clear();
  for (const [key, value] of [
    ['', 'source'],
    ['-currency', 'EUR'],
    ['-rate', '25000 1'],
    ['-source', 'https://prices.example/{currency}\np'],
  ] as const)
    kept.set(`nightjar.fiat${key}`, value);
  const page = await otherPage();
  expect([page.mode, page.currency, page.source.path, page.on]).toEqual(['source', 'EUR', 'p', false]);
  page.turnOff();
  expect([...kept.keys()], 'the address of a source is not left behind').toEqual(['nightjar.money']);
});

it('T26 a price far from the one before is shown, and no payment is worked out with it before the person says yes', async () => {
  const { at, asked, say, close } = await source();
  vi.useFakeTimers({ toFake: ['Date'] });
  const told = async (price: string, ask: () => Promise<unknown> = () => fiat.refresh()) => {
    vi.setSystemTime(Date.now() + HOUR);
    const question = asked();
    const asking = ask();
    await question;
    say(price);
    await asking;
  };
  await told('160', () => fiat.useSource('EUR', at));
  const begun = new Recipient();
  begun.switchUnit();
  for (let hours = 0; hours < 3; hours += 1) await told('0.02');
  expect([fiat.rate?.price, fiat.rate?.before?.price, fiat.priceUnconfirmed]).toEqual([COIN / 50n, 160n * COIN, true]);
  expect([fiat.worthNow(COIN), [...fiat.days.values()]], 'amounts and days are told by the price of before').toEqual([
    160n * COIN,
    [160n * COIN],
  ]);
  expect((await otherPage()).priceUnconfirmed, 'after the page was opened anew').toBe(true);
  begun.type('160');
  expect(begun.parsed.value, 'by the price of before').toBe(COIN);
  const fresh = new Recipient();
  fresh.switchUnit();
  expect(fresh.money).toBeUndefined();

  await told('170');
  expect(fiat.priceUnconfirmed, 'near the price of before').toBe(false);
  await told('500', () => fiat.useSource('EUR', at));
  expect(fiat.priceUnconfirmed, 'also where the person has the source asked').toBe(true);
  if (fiat.rate) fiat.accept(fiat.rate);
  expect([fiat.priceUnconfirmed, fiat.worthNow(COIN), [...fiat.days.values()].at(-1)]).toEqual([false, 500n * COIN, 500n * COIN]);
  fresh.switchUnit();
  fresh.type('500');
  expect(fresh.parsed.value).toBe(COIN);
  const other = await otherPage();
  other.useHand('JPY', 25_000n * COIN);
  fiat.accept({ currency: 'EUR', price: 500n * COIN, at: 0 });
  expect([fiat.currency, fiat.rate?.price], 'not of other money').toEqual(['JPY', 25_000n * COIN]);
  fiat.useHand('EUR', 500n * COIN);
  fiat.useHand('EUR', 5n * COIN);
  expect(fiat.priceUnconfirmed, 'what a person types is meant').toBe(false);
  close();
});

it('T26 how far a price may have gone: a third, and a third more for each week', () => {
  for (const [price, days, far] of [
    [400n, 0, false],
    [401n, 0, true],
    [225n, 0, false],
    [224n, 0, true],
    [500n, 6, true],
    [500n, 7, false],
    [501n, 7, true],
    [3n * 10n ** 6n, 365, true],
    [400n, -1, false],
  ] as const)
    expect(isPriceJump(price, { price: 300n, at: 2 * DAY }, (2 + days) * DAY), `${price} after ${days} days`).toBe(far);
});
