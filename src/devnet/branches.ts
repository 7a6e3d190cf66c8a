import type { AlternativeBlock, Alternatives } from './alternatives.ts';
import type { Chain, ChainBlock } from './chain.ts';
import type { Difficulties, Work } from './difficulty.ts';
import type { TemplateParent } from './miner.ts';
import type { ParsedBlock } from './parsed.ts';
import { TIMESTAMP_WINDOW } from './rules.ts';

/** A block of a branch that lost, with the fields of its header. */
export type OrphanBlock = ParsedBlock &
  Pick<AlternativeBlock, 'minerTx' | 'transactions' | 'height' | 'difficulty' | 'cumulativeDifficulty'> &
  Pick<ChainBlock, 'weight' | 'longTermWeight'>;

/** Blocks of a branch that is not the main chain. */
export interface AlternativeChain {
  readonly cumulativeDifficulty: bigint;
  /** Newest first. */
  readonly blockIds: readonly string[];
  /** Height of the first different block. */
  readonly height: number;
  readonly parentId: string;
}

/**
 * Values of a block that depend on its parent, which may be on the main chain or on a branch. Ids are 64 hex digits; except in `parent` and
 * `block`, they must be known.
 */
export class Branches {
  readonly #chain: Chain;
  readonly #alternatives: Alternatives;
  readonly #difficulties: Difficulties;

  constructor(chain: Chain, alternatives: Alternatives, difficulties: Difficulties) {
    this.#chain = chain;
    this.#alternatives = alternatives;
    this.#difficulties = difficulties;
  }

  /**
   * What a template needs of its parent block; undefined if that is unknown, if its branch began on a block that was popped, or if blocks
   * were popped until the branch began above the newest one (blockchain.cpp, build_alt_chain).
   */
  parent(id: string): TemplateParent | undefined {
    const branch = this.#branchTo(id);
    if (branch.length > 0 && branch[0]!.height >= this.#chain.height) return undefined;
    const root = this.#chain.blockById(branch[0]?.parentId ?? id);
    if (root === undefined) return undefined;
    const tip = branch.at(-1);
    return tip === undefined ? root : { id, height: tip.height, generatedCoins: tip.generatedCoins };
  }

  /** Difficulty of a block on top of this one. */
  difficultyOn(id: string): bigint {
    const branch = this.#branchTo(id);
    const forkId = branch[0]?.parentId ?? id;
    return this.#difficulties.afterBranch(this.#chain.blockById(forkId)!.height, branch.map(workOf));
  }

  /**
   * Timestamps (unix seconds) of this block and those before it, the oldest first: as many as a rule needs, fewer near the genesis block.
   */
  timesUpTo(id: string): number[] {
    const branch = this.#branchTo(id);
    const times = branch.slice(-TIMESTAMP_WINDOW).map((block) => workOf(block).timestamp);
    let height = this.#chain.blockById(branch[0]?.parentId ?? id)!.height;
    for (; times.length < TIMESTAMP_WINDOW && height >= 0; height--) times.unshift(this.#chain.blockAt(height)!.timestamp);
    return times;
  }

  /** Sum of the difficulties of this block and all before it. */
  cumulativeUpTo(id: string): bigint {
    return this.#alternatives.get(id)?.cumulativeDifficulty ?? this.#difficulties.cumulative(this.#chain.blockById(id)!.height);
  }

  /** All branches, each by its newest block. */
  get all(): AlternativeChain[] {
    return this.#alternatives.tips.map((tip) => {
      const branch = this.#alternatives.branchTo(tip);
      const { height, parentId } = branch[0]!;
      const blockIds = branch.map(({ parsed }) => parsed.id).reverse();
      return { blockIds, height, parentId, cumulativeDifficulty: tip.cumulativeDifficulty };
    });
  }

  /** Number of blocks on branches. */
  get blockCount(): number {
    return this.#alternatives.size;
  }

  /** A block of a branch, with the weights of the main chain at its height, as the reference reports it. */
  block(id: string): OrphanBlock | undefined {
    const found = this.#alternatives.get(id);
    const rival = found && this.#chain.blockAt(found.height);
    if (found === undefined || rival === undefined) return undefined;
    const { parsed, minerTx, transactions, height, difficulty, cumulativeDifficulty } = found;
    const { weight, longTermWeight } = rival;
    return { ...parsed, minerTx, transactions, height, difficulty, cumulativeDifficulty, weight, longTermWeight };
  }

  #branchTo(id: string): AlternativeBlock[] {
    return this.#alternatives.branchTo(this.#alternatives.get(id));
  }
}

const workOf = ({ parsed: { block }, cumulativeDifficulty }: AlternativeBlock): Work => ({
  timestamp: Number(block.timestamp),
  cumulative: cumulativeDifficulty,
});
