import type { PaperCalls } from './host.ts';
import { lazily } from './lazily.ts';
import type { PaperHostWallets } from './paper-host.ts';

/** Calls about paper wallets, loaded at the first use: they are rare. */
export function lazyPaperHost(wallets: PaperHostWallets): PaperCalls {
  const paper = lazily(async () => new (await import('./paper-host.ts')).PaperHost(wallets));
  return {
    open: async (...asked) => (await paper.get()).open(...asked),
    price: async () => (await paper.get()).price(),
    take: async (...asked) => (await paper.get()).take(...asked),
    close: async () => (await paper.loaded)?.close(),
  };
}
