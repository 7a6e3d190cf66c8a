import { equalBytes, hexToBytes, requireLength } from '../base/index.ts';
import { CryptoError } from './errors.ts';
import { keccak256 } from './hash.ts';
import { kernels } from './load.ts';

/**
 * Points of edwards25519 as their 32-byte encodings: y, little-endian, with the lowest bit of x on top. Points of any order are accepted.
 * Every function throws CryptoError `bad-length` for points and scalars of other lengths, except those that return whether something holds.
 */

/** The base point. */
export const G: Readonly<Uint8Array> = hexToBytes(`58${'66'.repeat(31)}`);
/** The second generator, of amounts in commitments: 8 times the point that Keccak(G) encodes (rctTypes.h). */
export const H: Readonly<Uint8Array> = hexToBytes('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94');
/** The neutral element. */
export const IDENTITY: Readonly<Uint8Array> = hexToBytes(`01${'00'.repeat(31)}`);
/** The group order as the 32 bytes of an integer. */
const ORDER = hexToBytes('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** Offsets in the kernels' memory of n inputs of 32 bytes, n outputs of 32 bytes and n result flags. */
interface Batch {
  readonly out: number;
  readonly ok: number;
  readonly at: number;
}

/** Runs a kernel over 32-byte inputs and returns `results` 32-byte outputs; undefined when an input is not a point. */
function batch(inputs: readonly Uint8Array[], results: number, run: (b: Batch) => void): Uint8Array[] | undefined {
  const machine = kernels();
  return machine.scratch(() => {
    const out = machine.alloc(32 * (results + inputs.length) + results);
    const at = out + 32 * results;
    const ok = at + 32 * inputs.length;
    const memory = machine.bytes;
    for (const [i, input] of inputs.entries()) memory.set(requireLength(input, 32), at + 32 * i);
    memory.fill(1, ok, ok + results);
    run({ out, ok, at });
    if (!machine.take(ok, results).every((good) => good === 1)) return undefined;
    return Array.from({ length: results }, (_, i) => machine.take(out + 32 * i, 32));
  });
}

function one(result: Uint8Array[] | undefined): Uint8Array {
  const point = result?.[0];
  if (point === undefined) throw new CryptoError('bad-point', 'expected 32 bytes that encode a point');
  return point;
}

/** Whether 32 bytes are the canonical encoding of a point of the curve, of any order (`check_key`). */
export function isPoint(bytes: Uint8Array): boolean {
  return bytes.length === 32 && arePoints([bytes]);
}

/** Whether every one of them is {@link isPoint}. */
export function arePoints(list: readonly Uint8Array[]): boolean {
  if (!list.every((bytes) => bytes.length === 32)) return false;
  const machine = kernels();
  return machine.scratch(() => {
    const at = machine.alloc(33 * list.length);
    const memory = machine.bytes;
    for (const [i, bytes] of list.entries()) memory.set(bytes, at + 32 * i);
    const ok = at + 32 * list.length;
    machine.exports.checkPoints(ok, at, list.length);
    return machine.take(ok, list.length).every((good) => good === 1);
  });
}

/** Whether 32 bytes encode a point of the prime subgroup; the neutral element is one. */
export function isInMainSubgroup(bytes: Uint8Array): boolean {
  return areInMainSubgroup([bytes]);
}

/** Whether every one of them is {@link isInMainSubgroup}: cheaper than one by one. */
export function areInMainSubgroup(list: readonly Uint8Array[]): boolean {
  if (!list.every((bytes) => bytes.length === 32)) return false;
  const n = list.length;
  const multiples = batch([...list.map(() => ORDER), ...list], n, ({ out, ok, at }) =>
    kernels().exports.multiplyBatch(out, ok, at, at + 32 * n, n, 1),
  );
  return multiples?.every((multiple) => equalBytes(multiple, IDENTITY)) ?? false;
}

/** a + b. @throws CryptoError `bad-point` */
export function pointAdd(a: Uint8Array, b: Uint8Array): Uint8Array {
  return one(batch([a, b], 1, ({ out, ok, at }) => kernels().exports.addBatch(out, ok, at, at + 32, 1, 0)));
}

/** a − b. @throws CryptoError `bad-point` */
export function pointSub(a: Uint8Array, b: Uint8Array): Uint8Array {
  return one(batch([a, b], 1, ({ out, ok, at }) => kernels().exports.addBatch(out, ok, at, at + 32, 1, 1)));
}

/** 8·a. @throws CryptoError `bad-point` */
export function pointMul8(a: Uint8Array): Uint8Array {
  return one(pointsMul8([a]));
}

/** 8·aᵢ for each i; undefined when one is no point. */
export function pointsMul8(list: readonly Uint8Array[]): Uint8Array[] | undefined {
  return batch(list, list.length, ({ out, ok, at }) => kernels().exports.timesEightBatch(out, ok, at, list.length));
}

/** s·G in constant time. The scalar may be any 256-bit integer, 32 little-endian bytes, as in all that follow. */
export function scalarMulBase(s: Uint8Array): Uint8Array {
  return one(batch([s], 1, ({ out, at }) => kernels().exports.multiplyBaseBatch(out, at, 1)));
}

/** s·P in constant time. @throws CryptoError `bad-point` */
export function scalarMulPoint(s: Uint8Array, p: Uint8Array): Uint8Array {
  return one(batch([s, p], 1, ({ out, ok, at }) => kernels().exports.multiplyBatch(out, ok, at, at + 32, 1, 0)));
}

/** sᵢ·Pᵢ for each i in constant time, cheaper than one by one. @throws CryptoError `bad-point`, `bad-argument` */
export function scalarMulPoints(scalars: readonly Uint8Array[], points: readonly Uint8Array[]): Uint8Array[] {
  const n = requireSameCount(scalars, points);
  const results = batch([...scalars, ...points], n, ({ out, ok, at }) =>
    kernels().exports.multiplyBatch(out, ok, at, at + 32 * n, n, 0),
  );
  if (results === undefined) throw new CryptoError('bad-point', 'expected encodings of points');
  return results;
}

/** 8·s·Pᵢ for each i in constant time, cheaper than one by one; undefined when one is no point. */
export function scalarMulPointsTimes8(s: Uint8Array, points: readonly Uint8Array[]): Uint8Array[] | undefined {
  const n = points.length;
  return batch([s, ...points], n, ({ out, ok, at }) => kernels().exports.deriveBatch(out, ok, at, at + 32, n));
}

/** s·P in a time that depends on both: for public values only. @throws CryptoError `bad-point` */
export function scalarMulPointVartime(s: Uint8Array, p: Uint8Array): Uint8Array {
  return one(batch([s, p], 1, ({ out, ok, at }) => kernels().exports.multiplyBatch(out, ok, at, at + 32, 1, 1)));
}

/** The common length of both lists. @throws CryptoError `bad-argument` if they differ */
function requireSameCount(scalars: readonly Uint8Array[], points: readonly Uint8Array[]): number {
  if (scalars.length !== points.length) throw new CryptoError('bad-argument', 'expected as many scalars as points');
  return scalars.length;
}

function multiScalarMul(scalars: readonly Uint8Array[], points: readonly Uint8Array[], vartime: 0 | 1): Uint8Array {
  const n = requireSameCount(scalars, points);
  if (n === 0) return IDENTITY.slice();
  let good = 0;
  const sum = batch([...scalars, ...points], 1, ({ out, at }) => {
    good = kernels().exports.multiplySum(out, at, at + 32 * n, n, vartime);
  });
  return one(good === 1 ? sum : undefined);
}

/** Σ sᵢ·Pᵢ in constant time. @throws CryptoError `bad-point`, `bad-argument` when the numbers of scalars and points differ */
export function multiScalarMulSecret(scalars: readonly Uint8Array[], points: readonly Uint8Array[]): Uint8Array {
  return multiScalarMul(scalars, points, 0);
}

/**
 * Σ sᵢ·Pᵢ in a time that depends on all: for public values only.
 * @throws CryptoError `bad-point`; `bad-argument` when the numbers of scalars and points differ
 */
export function multiScalarMulVartime(scalars: readonly Uint8Array[], points: readonly Uint8Array[]): Uint8Array {
  return multiScalarMul(scalars, points, 1);
}

/** The Elligator-like map of 32 hash bytes to a point (`ge_fromfe_frombytes_vartime`), without the multiplication by 8. */
export function hashToPointElligator(hash: Uint8Array): Uint8Array {
  return one(batch([hash], 1, ({ out, at }) => kernels().exports.hashToPointBatch(out, at, 1, 0)));
}

/** Hp of 32 bytes: Keccak, then the map, then multiplication by 8 (`hash_to_ec`, `hash_to_p3`). */
export function hashToEc(data: Uint8Array): Uint8Array {
  const hash = keccak256(requireLength(data, 32));
  return one(batch([hash], 1, ({ out, at }) => kernels().exports.hashToPointBatch(out, at, 1, 1)));
}
