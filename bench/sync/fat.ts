import { concatBytes } from '../../src/base/index.ts';
import { scalarMulBase } from '../../src/crypto/index.ts';
import { RctType, serializeTransaction } from '../../src/protocol/index.ts';
import type { SeededRandom } from './seeded.ts';
import type { BuiltTransaction } from './transactions.ts';

const INPUTS = 16;
const OUTPUTS = 16;
const RING_SIZE = 16;
const DRAWN_POINTS = 512;

/**
 * Transactions of sixteen inputs and outputs, as a daemon prunes them: over 3 kB each. A wallet never sees more of them, so they have no proofs and
 * a random id. Their points come from a small set, so that building is fast.
 */
export class FatTransactions {
  readonly #random: SeededRandom;
  readonly #points: readonly Uint8Array[];

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#points = Array.from({ length: DRAWN_POINTS }, () => scalarMulBase(random.scalar()));
  }

  next(): BuiltTransaction {
    const random = this.#random;
    const outputs = Array.from({ length: OUTPUTS }, () => ({ amount: 0n, key: this.#point(), viewTag: random.bytes(1)[0]! }));
    const pruned = serializeTransaction({
      version: 2,
      unlockTime: 0n,
      inputs: Array.from({ length: INPUTS }, () => ({
        type: 'key',
        amount: 0n,
        keyOffsets: this.#offsets(),
        keyImage: this.#point(),
      })),
      outputs,
      extra: concatBytes(Uint8Array.of(1), this.#point()),
      rct: {
        type: RctType.BulletproofPlus,
        fee: 30_000_000n,
        pseudoOuts: [],
        ecdhInfo: outputs.map(() => ({ mask: undefined, amount: random.bytes(8) })),
        outPk: outputs.map(() => this.#point()),
      },
      prunable: undefined,
    });
    return { whole: new Uint8Array(), pruned, hash: random.bytes(32), outputs: OUTPUTS };
  }

  #point(): Uint8Array {
    return this.#points[Math.floor(this.#random.fraction() * DRAWN_POINTS)]!;
  }

  /** Offsets of five bytes: output indices of a chain longer than any real one. */
  #offsets(): bigint[] {
    return Array.from({ length: RING_SIZE }, () => 1n << 28n);
  }
}
