import { beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import type { WalletKeys } from '../../src/wallet/keys.ts';
import { DEFAULT_LOOKAHEAD, isWithin, MAX_WATCHED_ADDRESSES, majorsAhead, minorsAhead } from '../../src/wallet/lookahead.ts';
import { SubaddressTable } from '../../src/wallet/subaddresses.ts';
import { keysOf, newRegtestWallet } from './support.ts';

let keys: WalletKeys;

beforeAll(async () => {
  await loadCrypto();
  keys = keysOf(await newRegtestWallet());
});

const accounts = (count: number) => ({
  accounts: Array.from({ length: count }, () => ({ labels: [''] })),
  lookahead: DEFAULT_LOOKAHEAD,
});

it('every key is found at its place, in the order of making, as the table grows past its first room', async () => {
  const table = new SubaddressTable(keys);
  let turns = 0;
  const pause = async () => void turns++;
  await table.grow(accounts(1), pause);
  expect(table.indexAt(0)).toEqual({ major: 0, minor: 0 });
  const first = table.spendKeys();
  await table.grow(accounts(45), pause);
  expect(table.size).toBeGreaterThan(16_384);
  expect(turns).toBeGreaterThan(table.size / 600);
  const all = table.spendKeys();
  expect(bytesToHex(all.subarray(0, first.length))).toBe(bytesToHex(first));
  for (const position of [0, 1, 455, 456, 500, 16_383, 16_384, table.size - 1]) {
    const index = table.indexAt(position)!;
    const key = all.subarray(32 * position, 32 * position + 32);
    expect(bytesToHex(key), `${index.major}/${index.minor}`).toBe(bytesToHex(keys.addressKeys(index).spendKey));
    expect(table.find(key)).toEqual(index);
  }
  expect(table.indexAt(table.size)).toBeUndefined();
  expect(table.find(keys.addressKeys({ major: 5000, minor: 0 }).spendKey)).toBeUndefined();
  await table.grow(accounts(45), pause);
  expect(table.size).toBe(all.length / 32);
});

it('T6 accounts without number are watched for as many addresses as a wallet can, and as always below that', () => {
  const watched = (count: number): number => {
    const watch = accounts(count);
    return majorsAhead(watch) * minorsAhead(watch, 0);
  };
  expect(watched(9_000)).toBe(9_049 * DEFAULT_LOOKAHEAD.minor);
  for (const many of [10_001, 33_000, 1_000_000, 3_000_000])
    expect(watched(many), String(many)).toBeLessThan(MAX_WATCHED_ADDRESSES + many + 100 * DEFAULT_LOOKAHEAD.minor);
  expect(isWithin(accounts(1_000_000), { major: 999_999, minor: 1 })).toBe(true);
});
