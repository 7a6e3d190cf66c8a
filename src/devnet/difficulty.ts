import type { Chain } from './chain.ts';
import { TARGET_SECONDS } from './rules.ts';

/** Blocks that the next difficulty follows from, how many of the newest are left out, and how many at each end after they are sorted. */
const WINDOW = 720;
const LAG = 15;
const CUT = 60;

/** What the difficulty of later blocks follows from. */
export interface Work {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Difficulties of this block and all before it. */
  readonly cumulative: bigint;
}

/**
 * The difficulty after a run of blocks (difficulty.cpp, next_difficulty): the work of the middle of the window, for each second that it took,
 * times the seconds that a block is to take.
 * @param blocks the oldest first, as many as there are up to 735, the genesis block left out
 */
export function nextDifficulty(blocks: readonly Pick<Work, 'timestamp' | 'cumulative'>[]): bigint {
  const used = blocks.slice(0, WINDOW);
  if (used.length <= 1) return 1n;
  const times = used.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
  const kept = WINDOW - 2 * CUT;
  const first = used.length <= kept ? 0 : Math.floor((used.length - kept + 1) / 2);
  const last = used.length <= kept ? used.length - 1 : first + kept - 1;
  const seconds = BigInt(Math.max(1, times[last]! - times[first]!));
  const work = used[last]!.cumulative - used[first]!.cumulative;
  return (work * BigInt(TARGET_SECONDS) + seconds - 1n) / seconds;
}

/**
 * Difficulties of the main chain's blocks and of those that follow them: one number for all but the genesis block, or numbers that follow the
 * times of the blocks before. The second are kept beside the chain, and brought up to it when they are asked for.
 */
export class Difficulties {
  readonly #chain: Chain;
  readonly #fixed: bigint | undefined;
  readonly #work: Work[] = [];

  /** @param fixed undefined to follow the blocks' times */
  constructor(chain: Chain, fixed: bigint | undefined) {
    this.#chain = chain;
    this.#fixed = fixed;
  }

  /** Of the next block of the main chain. */
  get next(): bigint {
    return this.#fixed ?? this.#after(this.#upToDate());
  }

  /** Of a block of the main chain. */
  at(height: number): bigint {
    if (height === 0) return 1n;
    return this.#fixed ?? this.cumulative(height) - this.cumulative(height - 1);
  }

  /** Of a block of the main chain and all before it. */
  cumulative(height: number): bigint {
    if (this.#fixed !== undefined) return 1n + BigInt(height) * this.#fixed;
    return this.#upToDate()[height]!.cumulative;
  }

  /** After a branch that follows the block at a height of the main chain. @param branch its blocks, the oldest first */
  afterBranch(forkHeight: number, branch: readonly Work[]): bigint {
    if (this.#fixed !== undefined) return this.#fixed;
    const most = WINDOW + LAG;
    const shared = this.#upToDate().slice(Math.max(0, forkHeight + 1 - most), forkHeight + 1);
    return this.#after([...shared, ...branch]);
  }

  #after(blocks: readonly Work[]): bigint {
    const recent = blocks.slice(-(WINDOW + LAG));
    // The genesis block is as old as its maker wanted.
    return nextDifficulty(recent[0]?.id === this.#chain.blockAt(0)?.id ? recent.slice(1) : recent);
  }

  /** A block's parent is known by its id: where the newest entry is on the chain, all before it are. */
  #upToDate(): readonly Work[] {
    const work = this.#work;
    while (work.length > 0 && this.#chain.blockAt(work.length - 1)?.id !== work.at(-1)!.id) work.pop();
    while (work.length < this.#chain.height) {
      const { id, block } = this.#chain.blockAt(work.length)!;
      const cumulative = (work.at(-1)?.cumulative ?? 0n) + (work.length === 0 ? 1n : this.#after(work));
      work.push({ id, timestamp: Number(block.timestamp), cumulative });
    }
    return work;
  }
}
