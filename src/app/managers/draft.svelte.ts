import type { WalletHost } from '../../../workers/client.ts';
import { rememberedInTab } from '../services/remembered.ts';

/** Set while words were shown in this tab of which no wallet was made. */
const SHOWN = 'nightjar.words-shown';

/**
 * The words of a wallet that is not made yet. They may stand on paper by now: the worker keeps them while the person goes back and
 * forth, and where they are gone for good it is said that the paper is worth nothing.
 */
class Draft {
  words: readonly string[] = $state.raw([]);
  /** Words were shown before these, and are lost. */
  replaced = $state(false);
  /** There are words, and no wallet of them. */
  readonly pending = $derived(this.words.length > 0);

  async show(host: WalletHost): Promise<void> {
    const { words, fresh } = await host.draftSeed();
    if (fresh) this.replaced = rememberedInTab.get(SHOWN) !== undefined;
    rememberedInTab.set(SHOWN, 'yes');
    this.words = words;
  }

  /** They are a wallet now. */
  made(): void {
    this.lost();
    rememberedInTab.set(SHOWN, undefined);
  }

  /** The person wants none of them: what is on paper is known to be worthless. */
  async forget(host: WalletHost): Promise<void> {
    this.made();
    await host.dropDraft();
  }

  /** The worker has them no longer. Whoever makes a wallet next is told. */
  lost(): void {
    this.words = [];
    this.replaced = false;
  }
}

export const draft = new Draft();
