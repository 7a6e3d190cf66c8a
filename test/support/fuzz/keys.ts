import { hexToBytes } from '../../../src/base/index.ts';
import type { TestSampler } from '../random-sampler.ts';

/** Special points: the neutral one, one of order two, one of order eight, one with two encodings, and bytes that are not a point. */
const ODD_KEYS = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0200000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
].map(hexToBytes);

/** The order of the group. */
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

/** Replaces a point or a scalar by other 32 bytes. */
export function mutatedKey(key: Uint8Array, sampler: TestSampler): Uint8Array {
  const ways = [
    () => key.map((byte, i) => (i === sampler.below(32) ? byte ^ (1 << sampler.below(8)) : byte)),
    () => key.with(31, key[31]! ^ 0x80),
    () => sampler.bytes(32),
    () => sampler.pick(ODD_KEYS),
    // The same scalar, encoded differently.
    () => (numberOf(key) + ORDER < 1n << 256n ? bytesOf(numberOf(key) + ORDER) : key),
  ];
  return sampler.pick(ways)();
}

/** A list with other, fewer or more items, or in another order. */
export function mutatedList<T>(list: readonly T[], change: (one: T) => T, sampler: TestSampler): T[] {
  const at = sampler.below(Math.max(1, list.length));
  const other = sampler.below(Math.max(1, list.length));
  const ways: readonly (() => readonly T[])[] = [
    () => list.map((one, i) => (i === at ? change(one) : one)),
    () => list.map((one, i) => (i === at ? change(one) : one)),
    () => list.filter((_, i) => i !== at),
    () => list.flatMap((one, i) => (i === at ? [one, one] : [one])),
    () => list.map((one, i) => (i === at ? list[other]! : i === other ? list[at]! : one)),
    () => [],
  ];
  return [...sampler.pick(ways)()];
}
