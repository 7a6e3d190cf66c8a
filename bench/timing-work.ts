import { randomBytes } from 'node:crypto';
import type { FieldModule } from '../src/crypto/field-module.ts';
import * as crypto from '../src/crypto/index.ts';
import { loadKernels } from '../src/crypto/kernels.ts';
import { reloadCrypto } from '../src/crypto/load.ts';

/** An operation on a secret, to be timed. */
export interface TimedWork {
  /** Prepares, outside the timing and identically for both classes, to work with the fixed secret or with a random one. */
  readonly prepare: (fixed: boolean) => void;
  readonly run: () => void;
}

/** Multiplications of a point by a secret scalar; the last is the variable-time twin. */
export type Multiplication = 'deriveBatch' | 'multiplyBatch' | 'multiplyBaseBatch' | 'deriveBatchVartime';

/** A scalar with few digits, so that skipping and early ends would show: 2^200 + 1. */
const FIXED = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 || i === 25 ? 1 : 0));

/** Below 2^252, and therefore canonical. */
function randomSecret(): Uint8Array {
  const drawn = new Uint8Array(randomBytes(32));
  drawn[31]! &= 15;
  return drawn;
}

/** Draws in both cases and copies in neither, so that both classes leave the same state behind. */
function secret(fixed: boolean): Uint8Array {
  const drawn = randomSecret();
  return fixed ? FIXED : drawn;
}

/** One vector of multiplications, every lane with the same scalar. */
export async function multiplication(field: FieldModule, what: Multiplication): Promise<TimedWork> {
  const kernels = await loadKernels({ force: field });
  const { exports } = kernels;
  const count = exports.lanes();
  const scalars = kernels.alloc(32 * count);
  const points = kernels.alloc(32 * count);
  const out = kernels.alloc(32 * count);
  const ok = kernels.alloc(count);
  kernels.bytes.set(randomBytes(31), scalars);
  exports.multiplyBaseBatch(points, scalars, count);
  return {
    prepare(fixed) {
      const scalar = secret(fixed);
      const bytes = kernels.bytes;
      for (let lane = 0; lane < count; lane++) bytes.set(scalar, scalars + 32 * lane);
    },
    run() {
      if (what === 'multiplyBaseBatch') exports.multiplyBaseBatch(out, scalars, count);
      else if (what === 'multiplyBatch') exports.multiplyBatch(out, ok, scalars, points, count, 0);
      else exports[what](out, ok, scalars, points, count);
    },
  };
}

/** A CLSAG of two members: the output's secret key and the difference of the masks are fixed or random. */
export async function clsagSigning(field: FieldModule): Promise<TimedWork> {
  await reloadCrypto({ force: field });
  const random = crypto.systemRandom;
  const decoy = { key: crypto.scalarMulBase(randomSecret()), commitment: crypto.scalarMulBase(randomSecret()) };
  const message = crypto.keccak256(decoy.key);
  let request: crypto.ClsagRequest;
  return {
    prepare(fixed) {
      const [key, pseudoMask] = [secret(fixed), randomSecret()];
      const mask = crypto.scalarAdd(pseudoMask, secret(fixed));
      const own = { key: crypto.scalarMulBase(key), commitment: crypto.commit(6n, mask) };
      const pseudoOut = crypto.commit(6n, pseudoMask);
      request = { message, ring: [decoy, own], index: 1, secret: key, mask, pseudoMask, pseudoOut };
    },
    run: () => void crypto.clsagSign(request, random),
  };
}

/** A range proof of one output: amount and mask are fixed or random. */
export async function rangeProving(field: FieldModule): Promise<TimedWork> {
  await reloadCrypto({ force: field });
  let amount: bigint;
  let mask: Uint8Array;
  return {
    prepare(fixed) {
      const drawn = randomBytes(8).readBigUInt64LE();
      amount = fixed ? 1n : drawn;
      mask = secret(fixed);
    },
    run: () => void crypto.bulletproofPlusProve([amount], [mask], crypto.systemRandom),
  };
}
