import { keccak256, scalarMulBase } from '../../../src/crypto/index.ts';
import type { OutputByIndex } from '../../../src/daemon/index.ts';
import type { TxHash } from '../../../src/protocol/model.ts';

/** A made-up chain: so many RingCT outputs in each of so many blocks. */
export const OUTPUTS_A_BLOCK = 7;
export const BLOCKS = 400;

/** Cumulative outputs a block. */
export const offsets = (blocks = BLOCKS) => Float64Array.from({ length: blocks }, (_, i) => OUTPUTS_A_BLOCK * (i + 1));

const made = new Map<bigint, OutputByIndex>();

/** What the chain holds at an index: any output, the same at every look. */
export function onChain(index: bigint): OutputByIndex {
  let output = made.get(index);
  if (output === undefined) {
    const scalar = keccak256(Uint8Array.of(...[0n, 8n, 16n].map((bits) => Number((index >> bits) & 255n))));
    scalar[31]! &= 0x0f;
    const key = scalarMulBase(scalar);
    const height = Math.floor(Number(index) / OUTPUTS_A_BLOCK);
    output = { key, mask: key, unlocked: true, height, txHash: '' as TxHash };
    made.set(index, output);
  }
  return output;
}
