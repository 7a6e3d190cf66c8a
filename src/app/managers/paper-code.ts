import { router } from '../router.svelte.ts';

/** A scanned code of a wallet, on its way to the form that takes its money. */
let waiting: string | undefined;

/** Whether a text is the code of a wallet: whoever has it can take the money. */
export const isWalletCode = (text: string): boolean => /^\s*monero[-_]wallet:/i.test(text);

/** Leads to the form that takes a paper wallet's money. The code is as secret as the money: if the form never takes it, it is dropped. */
export function leadToPaper(code: string): void {
  waiting = code;
  router.go('paper');
  router.onLeave(() => {
    waiting = undefined;
  });
}

/** The code that waits, once. */
export function takePaperCode(): string | undefined {
  const code = waiting;
  waiting = undefined;
  return code;
}
