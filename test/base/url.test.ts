import { expect, it } from 'vitest';
import { readUrl } from '../../src/base/index.ts';

it('a URL is read alike however often it is asked, hosts beyond ASCII too', () => {
  const hosts = (text: string) => new Set(Array.from({ length: 20_000 }, () => readUrl(text)?.hostname));
  expect([...hosts('http://bücher.example')]).toEqual(['xn--bcher-kva.example']);
  // Bytes that would be a letter in UTF-8.
  expect([...hosts('http://\u00ca\u009b.org')]).toEqual([undefined]);
});

it('a URL against a base', () => {
  expect(readUrl('/json_rpc', 'http://localhost:1')?.href).toBe('http://localhost:1/json_rpc');
  expect(readUrl('/json_rpc')).toBeUndefined();
});
