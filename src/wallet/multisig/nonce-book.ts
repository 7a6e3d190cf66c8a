import { bytesToHex, hexToBytes } from '../../base/index.ts';
import type { OutputKey } from '../../protocol/model.ts';
import type { WalletContext } from '../context.ts';
import type { Journal } from '../ports.ts';
import type { MultisigAccount } from './account.ts';
import { drawNonceSeed } from './nonces.ts';
import type { NonceStore } from './sign-set.ts';

export interface NonceBookDeps {
  readonly ctx: Pick<WalletContext, 'state' | 'random' | 'append'>;
  readonly journal: Pick<Journal, 'mark' | 'setMark'>;
}

const MARK_BYTES = 16;

/**
 * Which of our nonces may sign: those that the journal says are unused, as long as the mark beside the journal says that it is the journal
 * as it was last. The journal is written first, the mark next, and only then does anything leave: a crash in between makes all nonces
 * unusable, as does a backup that is brought back, and an export makes new ones.
 */
export class NonceBook {
  readonly #deps: NonceBookDeps;

  constructor(deps: NonceBookDeps) {
    this.#deps = deps;
  }

  /** Draws new nonces for outputs, in place of all before. Resolves with their seed, the caller's to wipe. */
  async draw(account: MultisigAccount, keys: readonly OutputKey[]): Promise<Uint8Array> {
    const { ctx, journal } = this.#deps;
    const mark = this.#freshMark();
    const before = ctx.state.cosigning.own?.seed ?? '';
    const seed = drawNonceSeed(account, hexToBytes(mark + before), ctx.random);
    await ctx.append([{ type: 'MultisigNoncesTold', seed: bytesToHex(seed), mark, keys }], 'strict');
    await journal.setMark(mark);
    return seed;
  }

  /** The nonces as they are now. */
  async store(): Promise<NonceStore> {
    const { ctx, journal } = this.#deps;
    const { own } = ctx.state.cosigning;
    const isLast = own !== undefined && (await journal.mark()) === own.mark;
    return {
      seedOf: (key) => (isLast && own.unused.has(key) ? hexToBytes(own.seed) : undefined),
      use: (keys) => this.#use(keys),
    };
  }

  async #use(keys: readonly OutputKey[]): Promise<void> {
    const { ctx, journal } = this.#deps;
    const mark = this.#freshMark();
    await ctx.append([{ type: 'MultisigNoncesUsed', keys, mark }], 'strict');
    await journal.setMark(mark);
  }

  #freshMark(): string {
    return bytesToHex(this.#deps.ctx.random.bytes(MARK_BYTES));
  }
}
