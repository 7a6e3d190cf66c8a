import type { WalletCode } from '../../../workers/client.ts';
import { errorText } from '../errors.ts';
import { router } from '../router.svelte.ts';
import { session } from './session.svelte.ts';

/** A scanned code of a wallet, and the text that it was read from. */
type Scanned = WalletCode & { readonly text: string };

/** Forms that take what a code holds. */
const FORMS: Readonly<Record<WalletCode['kind'], string>> = { words: 'restore', keys: 'restore-keys', pairing: 'watch' };

/** Read, and not yet taken by the form that it is for. */
let scanned: Scanned | undefined = $state.raw();

/** The code of the given kind that was scanned, once: whoever takes it has it. */
export function takeScanned<K extends WalletCode['kind']>(kind: K): Extract<Scanned, { kind: K }> | undefined {
  const code = scanned;
  if (code?.kind !== kind) return undefined;
  scanned = undefined;
  return code as Extract<Scanned, { kind: K }>;
}

/** Reads codes of wallets where a wallet comes back, whatever they hold: another form opens where they hold something else. */
export class WalletScan {
  /** Why the last code restores no wallet. */
  problem: string | undefined = $state();

  async read(text: string): Promise<void> {
    this.problem = undefined;
    const from = router.here;
    try {
      const code = await session.host.readWalletCode(text, session.network);
      // Who went elsewhere meanwhile stays there.
      if (!router.isAt(from)) return;
      scanned = { ...code, text };
      if (router.view !== FORMS[code.kind]) router.go(FORMS[code.kind]);
      // It is as secret as the wallet: if the form never takes it, for example when it fails to load, it must not stay in memory.
      router.onLeave(() => {
        scanned = undefined;
      });
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}
