import { type Block, serializeBlock, type TransactionV2 } from '../../../src/protocol/index.ts';
import type { TestSampler } from '../random-sampler.ts';
import { mutatedList } from './keys.ts';
import { PREFIX_CHANGES } from './transactions.ts';

/** Ids of blocks and transactions that both nodes know. */
export interface KnownIds {
  readonly blocks: readonly Uint8Array[];
  /** Mined ones, including coinbases, and ones in the pool. */
  readonly transactions: readonly Uint8Array[];
  /** Unix seconds. */
  readonly now: number;
}

type Change = (block: Block, sampler: TestSampler, known: KnownIds) => Block;

const coinbase = (block: Block, change: (tx: TransactionV2) => object): Block => ({
  ...block,
  minerTx: { ...(block.minerTx as TransactionV2), ...change(block.minerTx as TransactionV2) } as TransactionV2,
});

const LITTLE = [-1_000_000n, -60n, -1n, 1n, 60n, 1_000_000n];

const CHANGES: readonly Change[] = [
  (block, sampler) => ({ ...block, majorVersion: sampler.pick([0, 1, 15, 17, 255, sampler.below(256)]) }),
  (block, sampler) => ({ ...block, minorVersion: sampler.pick([0, 15, 16, 17, 255, sampler.below(256)]) }),
  (block, sampler, { now }) => {
    const away = sampler.pick([0, 1, -1, 60, -60, 3_600, 7_000, 7_500, -100_000, 100_000, -now]);
    return { ...block, timestamp: BigInt(now + away) };
  },
  (block, sampler) => ({ ...block, timestamp: sampler.u64() }),
  (block, sampler, { blocks }) => ({ ...block, prevId: sampler.pick([...blocks, sampler.bytes(32)]) }),
  (block, sampler) => ({ ...block, nonce: sampler.u32() }),
  (block, sampler, { transactions }) => {
    const other = () => sampler.pick([...transactions, sampler.bytes(32)]);
    const list = block.txHashes.length > 0 ? block.txHashes : [other()];
    return { ...block, txHashes: mutatedList(list, other, sampler) };
  },
  (block, sampler) => coinbase(block, ({ unlockTime }) => ({ unlockTime: unlockTime + sampler.pick([-1n, 0n, 1n, 1_000n]) })),
  (block, sampler) => {
    const [input] = block.minerTx.inputs;
    const height = input?.type === 'gen' ? input.height : 0;
    return coinbase(block, () => ({
      inputs: [{ type: 'gen', height: sampler.pick([0, 1, height + 1, Math.max(0, height - 1), 202_612]) }],
    }));
  },
  (block, sampler) =>
    coinbase(block, ({ outputs }) => ({
      outputs: outputs.map((one) => ({ ...one, amount: BigInt.asUintN(64, one.amount + sampler.pick(LITTLE)) })),
    })),
  // The reward in two parts, with something withheld or added.
  (block, sampler) =>
    coinbase(block, ({ outputs: [first] }) => {
      const part = first!.amount / 3n;
      const rest = first!.amount - part + (sampler.chance(50) ? 0n : sampler.pick(LITTLE));
      return {
        outputs: [
          { ...first!, amount: part },
          { ...first!, amount: rest },
        ],
      };
    }),
  (block, sampler) => coinbase(block, (tx) => sampler.pick(PREFIX_CHANGES)(tx, sampler)),
  (block, sampler) =>
    coinbase(block, ({ extra }) => ({ extra: Uint8Array.from([...extra, ...sampler.bytes(sampler.between(1, 2_000))]) })),
  (block) => coinbase(block, () => ({ version: 1, signatures: [[]] })),
];

/** A block with one field changed, rarely two; undefined if the change cannot be serialized. */
export function mutatedBlock(block: Block, sampler: TestSampler, known: KnownIds): Uint8Array | undefined {
  try {
    let changed = sampler.pick(CHANGES)(block, sampler, known);
    if (sampler.chance(20)) changed = sampler.pick(CHANGES)(changed, sampler, known);
    return serializeBlock(changed);
  } catch {
    return undefined;
  }
}
