import { bytesToHex, hexToBytes } from '../../base/index.ts';
import type { OutputKey } from '../../protocol/index.ts';
import type { WalletContext } from '../context.ts';
import type { MultisigAccount } from './account.ts';
import { drawNonceSeed } from './nonces.ts';
import type { NonceStore } from './sign-set.ts';

const MARK_BYTES = 16;

/**
 * Which of our nonces may sign: those that the journal says are unused, if the mark beside the journal shows that this is the newest
 * journal. The journal is written first, then the mark, and only then does anything leave. After a crash in between, or after a backup
 * is restored, no nonce is usable until the next export makes new ones.
 */
export class NonceBook {
  readonly #ctx: Pick<WalletContext, 'state' | 'random' | 'append' | 'journal'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'random' | 'append' | 'journal'>) {
    this.#ctx = ctx;
  }

  /** Draws new nonces for outputs, which replace all earlier ones. Resolves with their seed, which the caller wipes. */
  async draw(account: MultisigAccount, keys: readonly OutputKey[]): Promise<Uint8Array> {
    const ctx = this.#ctx;
    const mark = this.#freshMark();
    const before = ctx.state.cosigning.own?.seed ?? '';
    const seed = drawNonceSeed(account, hexToBytes(mark + before), ctx.random);
    await ctx.append([{ type: 'MultisigNoncesTold', seed: bytesToHex(seed), mark, keys }], 'strict');
    await ctx.journal.setMark(mark);
    return seed;
  }

  /** The current nonces. */
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
