import type { TestSampler } from '../random-sampler.ts';

type Mutate = (bytes: Buffer, sampler: TestSampler) => Buffer;

/** A position in bytes: as often near an end, where numbers and counts are, as anywhere. */
function place({ length }: Buffer, sampler: TestSampler): number {
  const near = Math.min(length, 64);
  const at = [() => sampler.below(length), () => sampler.below(near), () => length - 1 - sampler.below(near)];
  return sampler.pick(at)();
}

/** Replaces some bytes. */
const replaced = (bytes: Buffer, at: number, count: number, by: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + count)]);

/** Other encodings of a small number, most of them not allowed. */
const VARINTS: readonly ((value: number) => number[])[] = [
  (value) => [value | 0x80, 0],
  (value) => [value | 0x80, 0x80, 0],
  (value) => [value | 0x80, 1],
  (value) => [value | 0x80],
  (value) => [value | 0x80, ...new Array<number>(8).fill(0xff), 1],
  (value) => [value | 0x80, ...new Array<number>(8).fill(0xff), 2],
  (value) => [value | 0x80, ...new Array<number>(9).fill(0x80), 1],
  (value) => [(value + 1) & 0x7f],
  (value) => [(value - 1) & 0x7f],
  () => [0],
  () => [0x7f],
];

const WAYS: readonly Mutate[] = [
  (bytes, sampler) => {
    const at = place(bytes, sampler);
    return replaced(bytes, at, 1, Uint8Array.of(bytes[at]! ^ (1 << sampler.below(8))));
  },
  (bytes, sampler) => replaced(bytes, place(bytes, sampler), 1, sampler.bytes(1)),
  (bytes, sampler) => bytes.subarray(0, place(bytes, sampler)),
  (bytes, sampler) => replaced(bytes, place(bytes, sampler), 0, sampler.bytes(sampler.between(1, 40))),
  (bytes, sampler) => replaced(bytes, place(bytes, sampler), sampler.between(1, 40), new Uint8Array()),
  (bytes, sampler) => {
    const at = place(bytes, sampler);
    return replaced(bytes, at, 0, bytes.subarray(at, at + sampler.between(1, 64)));
  },
  (bytes, sampler) => replaced(bytes, place(bytes, sampler), 32, sampler.bytes(32)),
  (bytes, sampler) => {
    const at = place(bytes, sampler);
    return replaced(bytes, at, 1, Uint8Array.from(sampler.pick(VARINTS)(bytes[at]! & 0x7f)));
  },
  (bytes, sampler) => Buffer.concat([bytes.subarray(0, bytes.length - 1), Buffer.alloc(sampler.between(1, 12), 0x80)]),
];

/** The same bytes with one mistake; rarely with two. */
export function mutatedBytes(bytes: Uint8Array, sampler: TestSampler): Buffer {
  const once = sampler.pick(WAYS)(Buffer.from(bytes), sampler);
  return sampler.chance(15) && once.length > 0 ? sampler.pick(WAYS)(once, sampler) : once;
}
