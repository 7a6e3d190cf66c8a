import type { Chain } from './chain.ts';
import { TARGET_SECONDS } from './rules.ts';
import { decodeBlock } from './store/records.ts';

/** Blocks that determine the next difficulty, how many of the newest are left out, and how many are cut at each end after sorting. */
const WINDOW = 720;
const LAG = 15;
const CUT = 60;

/** Inputs of the difficulty of later blocks. */
export interface Work {
  /** Unix seconds. */
  readonly timestamp: number;
  /** Difficulties of this block and all before it. */
  readonly cumulative: bigint;
}

/**
 * The difficulty after a run of blocks (difficulty.cpp, next_difficulty): the work of the middle of the window per second it took, times
 * the target block time.
 * @param blocks the oldest first, up to 735, without the genesis block
 */
export function nextDifficulty(blocks: readonly Work[]): bigint {
  const used = blocks.slice(0, WINDOW);
  if (used.length <= 1) return 1n;
  const times = used.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
  const count = WINDOW - 2 * CUT;
  const first = used.length <= count ? 0 : Math.floor((used.length - count + 1) / 2);
  const last = used.length <= count ? used.length - 1 : first + count - 1;
  const seconds = BigInt(Math.max(1, times[last]! - times[first]!));
  const work = used[last]!.cumulative - used[first]!.cumulative;
  return (work * BigInt(TARGET_SECONDS) + seconds - 1n) / seconds;
}

/**
 * Difficulties of the next block on the main chain or a branch: a fixed number, or one that follows from the times of the blocks before.
 * Those of stored blocks are in the chain.
 */
export class Difficulties {
  readonly #chain: Chain;
  readonly #fixed: bigint | undefined;
  /** Difficulty of the block after the one with that id. */
  #newest: { readonly id: string; readonly next: bigint } | undefined;

  /** @param fixed undefined to adjust to block times */
  constructor(chain: Chain, fixed: bigint | undefined) {
    this.#chain = chain;
    this.#fixed = fixed;
  }

  /** Difficulty of the next block of the main chain. */
  get next(): bigint {
    if (this.#fixed !== undefined) return this.#fixed;
    const { id, height } = this.#chain.top;
    if (this.#newest?.id !== id) this.#newest = { id, next: this.afterBranch(height, []) };
    return this.#newest.next;
  }

  /** Sum of difficulties up to a block of the main chain. */
  cumulative(height: number): bigint {
    return this.#chain.blockAt(height)!.cumulativeDifficulty;
  }

  /** Difficulty after a branch that forks off at a height of the main chain. @param branch its blocks, the oldest first */
  afterBranch(forkHeight: number, branch: readonly Work[]): bigint {
    if (this.#fixed !== undefined) return this.#fixed;
    // The genesis block's time is arbitrary: it is left out.
    const from = Math.max(1, forkHeight + 1 - WINDOW - LAG);
    const shared = Array.from(this.#chain.records(from, forkHeight + 1), decodeBlock).map(
      ({ timestamp, cumulativeDifficulty }) => ({ timestamp, cumulative: cumulativeDifficulty }),
    );
    return nextDifficulty([...shared, ...branch].slice(-(WINDOW + LAG)));
  }
}
