import { equalBytes } from '../src/base/index.ts';
import type { FieldModule } from '../src/crypto/field-module.ts';
import * as crypto from '../src/crypto/index.ts';
import { reloadCrypto } from '../src/crypto/load.ts';
import { median } from './rows.ts';

/** The timed operations: two CLSAGs of 16 members with the check of their amounts; a range proof of two outputs, created and verified. */
export type TimedProof = 'clsag' | 'prove' | 'verify';

const WARM_UP = 60;
const SAMPLES = 25;
const random = crypto.systemRandom;

/** One input of a ring of 16 that spends 6 coins, signed. */
function signedInput(message: Uint8Array, index: number) {
  const key = () => crypto.randomScalar(random);
  const ring = Array.from({ length: 16 }, () => ({
    key: crypto.scalarMulBase(key()),
    commitment: crypto.scalarMulBase(key()),
  }));
  const [secret, mask, pseudoMask] = [key(), key(), key()];
  ring[index] = { key: crypto.scalarMulBase(secret), commitment: crypto.commit(6n, mask) };
  const pseudoOut = crypto.commit(6n, pseudoMask);
  const request = { message, ring, index, secret, mask, pseudoMask, pseudoOut };
  return { ring, pseudoOut, pseudoMask, ...crypto.clsagSign(request, random) };
}

/** Two inputs of 6 pay two outputs of 5 and a fee of 2: verified like a node does. */
function clsagWork(): () => boolean {
  const message = crypto.keccak256(crypto.G);
  const inputs = [signedInput(message, 3), signedInput(message, 12)];
  const masks = crypto.scalarAdd(inputs[0]!.pseudoMask, inputs[1]!.pseudoMask);
  const first = crypto.randomScalar(random);
  const outputs = [crypto.commit(5n, first), crypto.commit(5n, crypto.scalarSub(masks, first))];
  const fee = crypto.commit(2n, crypto.SCALAR_ZERO);
  const sum = (points: readonly Uint8Array[]) => points.reduce(crypto.pointAdd);
  return () =>
    crypto.clsagVerify(message, inputs) && equalBytes(sum(inputs.map((input) => input.pseudoOut)), sum([...outputs, fee]));
}

function rangeWork(what: 'prove' | 'verify'): () => boolean {
  const amounts = [5n, 123_456_789_012n];
  const masks = amounts.map(() => crypto.randomScalar(random));
  if (what === 'prove') return () => crypto.bulletproofPlusProve(amounts, masks, random).commitments.length === 2;
  const item = crypto.bulletproofPlusProve(amounts, masks, random);
  return () => crypto.bulletproofPlusVerify([item], random);
}

/** Milliseconds, the median of several runs after a warm-up in the given field module. @throws Error if a proof is invalid */
export async function timeProof(what: TimedProof, field: FieldModule): Promise<number> {
  await reloadCrypto({ force: field });
  const work = what === 'clsag' ? clsagWork() : rangeWork(what);
  const times: number[] = [];
  for (let i = -WARM_UP; i < SAMPLES; i++) {
    const start = performance.now();
    if (!work()) throw new Error(`the proof timed (${what}) does not hold`);
    if (i >= 0) times.push(performance.now() - start);
    // Lets the optimising compiler install its code between runs.
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return median(times);
}
