import { bytesToHex, hexToBytes } from '../../base/index.ts';
import type { OutputKey } from '../../protocol/index.ts';
import type { WalletContext } from '../context.ts';
import type { MultisigAccount } from './account.ts';
import { drawNonceSeed } from './nonces.ts';
import type { NonceStore } from './sign-set.ts';

const MARK_BYTES = 16;

/**
 * Which of our nonces may sign: those that the journal says are unused, as long as the mark beside the journal says that it is the journal
 * as it was last. The journal is written first, the mark next, and only then does anything leave: a crash in between makes all nonces
 * unusable, as does a backup that is brought back, and an export makes new ones.
 */
export class NonceBook {
  readonly #ctx: Pick<WalletContext, 'state' | 'random' | 'append' | 'journal'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'random' | 'append' | 'journal'>) {
    this.#ctx = ctx;
  }

  /** Draws new nonces for outputs, in place of all before. Resolves with their seed, the caller's to wipe. */
  async draw(account: MultisigAccount, keys: readonly OutputKey[]): Promise<Uint8Array> {
    const ctx = this.#ctx;
    const mark = this.#freshMark();
    const before = ctx.state.cosigning.own?.seed ?? '';
    const seed = drawNonceSeed(account, hexToBytes(mark + before), ctx.random);
    await ctx.append([{ type: 'MultisigNoncesTold', seed: bytesToHex(seed), mark, keys }], 'strict');
    await ctx.journal.setMark(mark);
    return seed;
  }

  /** The nonces as they are now. */
  async store(): Promise<NonceStore> {
    const ctx = this.#ctx;
    const { own } = ctx.state.cosigning;
    const isLast = own !== undefined && (await ctx.journal.mark()) === own.mark;
    return {
      seedOf: (key) => (isLast && own.unused.has(key) ? hexToBytes(own.seed) : undefined),
      use: (keys) => this.#use(keys),
    };
  }

  async #use(keys: readonly OutputKey[]): Promise<void> {
    const ctx = this.#ctx;
    const mark = this.#freshMark();
    await ctx.append([{ type: 'MultisigNoncesUsed', keys, mark }], 'strict');
    await ctx.journal.setMark(mark);
  }

  #freshMark(): string {
    return bytesToHex(this.#ctx.random.bytes(MARK_BYTES));
  }
}
