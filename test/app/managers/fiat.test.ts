import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { fiat } from '../../../src/app/managers/fiat.svelte.ts';

const COIN = 10n ** 12n;
const HOUR = 3_600_000;

afterEach(() => vi.useRealTimers());

it('a price that was asked for in other money, or before one was typed, is not taken', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, answer) => {
    waiting.push(answer);
    server.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const source = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{currency}`, path: '' };
  const say = (price: string): void => void waiting.shift()?.end(price);
  vi.useFakeTimers({ toFake: ['Date'] });

  let asked = once(server, 'asked');
  const begun = fiat.useSource('EUR', source);
  await asked;
  say('150');
  await begun;
  expect(fiat.rate?.price).toBe(150n * COIN);

  vi.setSystemTime(Date.now() + HOUR);
  asked = once(server, 'asked');
  const late = fiat.refresh();
  await asked;
  fiat.useHand('JPY', 25_000n * COIN);
  say('151');
  await late;
  expect([fiat.currency, fiat.rate?.price]).toEqual(['JPY', 25_000n * COIN]);

  const again = fiat.useSource('EUR', source);
  await once(server, 'asked');
  say('152');
  await again;
  asked = once(server, 'asked');
  const days = fiat.askDays(['2026-01-01']);
  await asked;
  fiat.useHand('JPY', 25_000n * COIN);
  say('153');
  expect(await days).toBe(0);
  expect(fiat.days.has('2026-01-01')).toBe(false);
  server.close();
});
