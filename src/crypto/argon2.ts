import { CryptoError } from './errors.ts';
import { compiledModule } from './kernels.ts';

/** Cost of a hash of {@link argon2id}, the same for the owner and for somebody who guesses. */
export interface Argon2Cost {
  /** KiB, at least 8 for each lane. */
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Inputs of the hash, with the lengths that RFC 9106 allows. The caller wipes them. */
export interface Argon2Input {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  /** A key besides the password; none by default. */
  readonly secret?: Uint8Array;
  /** Data that the hash is bound to; none by default. */
  readonly associated?: Uint8Array;
}

/** Exports of wasm/argon2/index.ts. */
interface Argon2Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  reserve(size: number, kibibytes: number): number;
  argon2id(size: number, kibibytes: number, passes: number, lanes: number, length: number): number;
  wipe(): void;
}

/** Version 1.3, and Argon2id, whose first half pass does not depend on the password. */
const VERSION = 0x13;
const ARGON2ID = 2;
const NOTHING = new Uint8Array(0);
/** The largest values that the parameters of Argon2 can have (RFC 9106, 3.1): more would wrap around to a cheap hash. */
const MOST = 2 ** 32 - 1;
const MOST_LANES = 2 ** 24 - 1;

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/** A kernel for one hash, prepared by {@link readyArgon2}. */
export type ReadyArgon2 = Argon2Exports;

/** Memory (KiB) and number of warm-up hashes, after which an engine that compiles in two tiers has optimised the code. */
const TRIED = 1024;
const TRIES = 8;
/** Bytes of input for which a kernel is prepared; a longer password takes a page more. */
const ROOM = 4096;
/** Bytes: the smallest page size of any system, and the memory touched in one step. */
const PAGE = 4096;
const STEP = 4_194_304;

/**
 * Does as much of a hash as is possible before its password is known: warms up the code and touches the memory. (A system provides a page
 * when it is first written to, which for 64 MiB takes a quarter of the hash's time.)
 * @param memory KiB that the hash is expected to take; it may take more, or less
 * @param goOn called before each step of a few milliseconds: false if the hash is wanted now
 * @throws CryptoError `kernel-unavailable`
 */
export async function readyArgon2(memory: number, goOn: () => Promise<boolean>): Promise<ReadyArgon2> {
  const kernel = await freshKernel();
  for (let i = 0; i < TRIES && (await goOn()); i++) {
    if (kernel.reserve(0, TRIED) !== 0) kernel.argon2id(0, TRIED, 1, 1, 4);
  }
  const from = kernel.reserve(ROOM, memory);
  const size = from === 0 ? 0 : kernel.memory.buffer.byteLength;
  for (let at = from; at < size && (await goOn()); at += STEP) {
    const pages = new Uint8Array(kernel.memory.buffer, at, Math.min(STEP, size - at));
    for (let page = 0; page < pages.length; page += PAGE) pages[page] = 0;
  }
  return kernel;
}

/**
 * Argon2id, version 1.3 (RFC 9106). Blocks its thread, and wipes everything it used.
 * @param length bytes of the hash, 4 to 1024
 * @param ready an unused kernel of {@link readyArgon2}, which serves once; a new one by default
 * @throws CryptoError `bad-argument` for a cost or a length out of bounds, `kernel-unavailable` without a kernel or the memory
 */
export async function argon2id(
  input: Argon2Input,
  cost: Argon2Cost,
  length: number,
  ready?: ReadyArgon2,
): Promise<Uint8Array<ArrayBuffer>> {
  const { memory, passes, lanes } = cost;
  const exists = isWhole(lanes, 1, MOST_LANES) && isWhole(memory, 8 * lanes, MOST) && isWhole(passes, 1, MOST);
  if (!exists || !isWhole(length, 4, 1024)) {
    throw new CryptoError('bad-argument', 'expected 4 to 1024 bytes at a cost that Argon2 has', {
      length,
      memory,
      passes,
      lanes,
    });
  }
  const kernel = ready ?? (await freshKernel());
  const hashed = firstInput(input, cost, length);
  try {
    const at = kernel.reserve(hashed.length, memory);
    if (at === 0) throw new CryptoError('kernel-unavailable', 'expected memory for a hash of this cost', { memory });
    new Uint8Array(kernel.memory.buffer).set(hashed, at);
    const hash = kernel.argon2id(hashed.length, memory, passes, lanes, length);
    return new Uint8Array(kernel.memory.buffer).slice(hash, hash + length);
  } finally {
    hashed.fill(0);
    kernel.wipe();
  }
}

/** @throws CryptoError `kernel-unavailable` */
async function freshKernel(): Promise<Argon2Exports> {
  const module = await compiledModule('argon2');
  try {
    return (await WebAssembly.instantiate(module, {})).exports as unknown as Argon2Exports;
  } catch {
    throw new CryptoError('kernel-unavailable', 'expected memory for another kernel');
  }
}

/** Input of the first hash (RFC 9106, 3.2): six numbers, and each text preceded by its length. */
function firstInput({ password, salt, secret, associated }: Argon2Input, cost: Argon2Cost, length: number): Uint8Array {
  const numbers = [cost.lanes, length, cost.memory, cost.passes, VERSION, ARGON2ID];
  const texts = [password, salt, secret ?? NOTHING, associated ?? NOTHING];
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + 4 + text.length, numbers.length * 4));
  const view = new DataView(bytes.buffer);
  let at = 0;
  const put = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  for (const value of numbers) put(value);
  for (const text of texts) {
    put(text.length);
    bytes.set(text, at);
    at += text.length;
  }
  return bytes;
}
