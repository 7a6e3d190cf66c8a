import { RandomSampler } from '../../base/index.ts';
import {
  type BulletproofPlusProof,
  bulletproofPlusProve,
  type Random,
  randomScalar,
  SCALAR_ZERO,
  scalarAdd,
  scalarSub,
} from '../../crypto/index.ts';
import type { UnsignedInput } from '../../wallet/spend/unsigned.ts';

/** Our random choices in a transaction; the device draws the rest. */
export interface SigningRandomness {
  /** For each output of the transaction its position among those asked for. */
  outputOrder(count: number): readonly number[];
  /** Commitments are whole, not divided by 8. */
  rangeProof(
    amounts: readonly bigint[],
    masks: readonly Uint8Array[],
  ): { readonly proof: BulletproofPlusProof; readonly commitments: readonly Uint8Array[] };
  /** Masks of the pseudo outputs, in the order of the inputs; their sum is that of the outputs' masks. */
  pseudoMasks(inputs: readonly UnsignedInput[], outputMasks: readonly Uint8Array[]): readonly Uint8Array[];
  /** A response for every member of a ring; that of the real one is replaced. */
  responses(input: UnsignedInput): readonly Uint8Array[];
  /**
   * Only to ask like the reference wallet: every public key of the transaction that made an output, the main one first. Undefined to make
   * no unneeded requests.
   */
  candidates?(input: UnsignedInput): readonly Uint8Array[];
}

/** Choices drawn from a source of randomness, as a wallet makes them. */
export function signingRandomness(random: Random): SigningRandomness {
  return {
    outputOrder: (count) => new RandomSampler(random).shuffled(Array.from({ length: count }, (_, i) => i)),
    rangeProof: (amounts, masks) => bulletproofPlusProve(amounts, masks, random),
    pseudoMasks(inputs, outputMasks) {
      const masks = inputs.slice(1).map(() => randomScalar(random));
      const sum = outputMasks.reduce(scalarAdd, SCALAR_ZERO);
      return [...masks, masks.reduce(scalarSub, sum)];
    },
    responses: ({ ring }) => ring.map(() => randomScalar(random)),
  };
}
