import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { fetchText, parsePrice } from '../../workers/price.ts';

const COIN = 10n ** 12n;

it('a price is found where its names lead, as a number or as text, or as the first number of all', () => {
  const market = '{"monero":{"usd":170.5,"eur":152.25},"at":1}';
  expect(parsePrice(market, 'monero.eur')).toBe((15_225n * COIN) / 100n);
  expect(parsePrice(market, '')).toBe((1705n * COIN) / 10n);
  expect(parsePrice('{"result":{"pair":{"c":["148.10","3"]}}}', 'result.pair.c.0')).toBe((1481n * COIN) / 10n);
  expect(parsePrice('[[1700000000,"0.00000012"]]', '0.1')).toBe(120_000n);
});

it('T20 what is no price is none: other places, other values, other texts, and more than a price is', () => {
  const market = '{"monero":{"eur":152.25,"name":"x","off":null,"less":-1,"zero":0,"all":1e300}}';
  for (const path of [
    'monero.usd',
    'monero.name',
    'monero.off',
    'monero.less',
    'monero.zero',
    'monero.all',
    'toString',
    'monero.eur.x',
  ])
    expect(parsePrice(market, path), path).toBeUndefined();
  for (const text of ['', 'null', '<html>', '{', '"Infinity"']) expect(parsePrice(text, ''), text.slice(0, 9)).toBeUndefined();
});

it('a source that cannot be reached, refuses, sends elsewhere or says too much has said nothing', async () => {
  const answers: Readonly<Record<string, readonly [number, Record<string, string>, string]>> = {
    '/price': [200, {}, '{"eur":1}'],
    '/missing': [404, {}, '{"eur":1}'],
    '/moved': [302, { location: '/price' }, ''],
    '/long': [200, {}, '1'.repeat(1_000_001)],
  };
  const server = createServer(({ url = '' }, answer) => {
    const [status, headers, body] = answers[url]!;
    answer.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await fetchText(`${host}/price`)).toBe('{"eur":1}');
  for (const path of ['/missing', '/moved', '/long']) expect(await fetchText(host + path), path).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
  expect(await fetchText(`${host}/price`)).toBeUndefined();
});
