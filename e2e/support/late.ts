import { expect, type Page } from '@playwright/test';

/** Runs in the page before its scripts: keeps back what is asked of the wallet worker by the name of a call, or of the part that has it, until it is let go. */
export function keepBack(): void {
  const kept: (() => Promise<void>)[] = [];
  const post = Worker.prototype.postMessage;
  const page = globalThis as { keptBack?: string | undefined; held?: () => number; letGo?: () => Promise<void> };
  Worker.prototype.postMessage = function (message: { id?: string; path?: readonly string[] }, ...rest: never[]) {
    const send = (): void => post.call(this, message, ...rest);
    if (page.keptBack === undefined || !message.path?.includes(page.keptBack)) return send();
    kept.push(() => {
      const answered = new Promise<void>((resolve) =>
        this.addEventListener('message', ({ data }) => data.id === message.id && requestAnimationFrame(() => resolve())),
      );
      send();
      return answered;
    });
  };
  page.held = () => kept.length;
  /** Resolves when all of it was answered, and the page has had its turn. */
  page.letGo = async () => {
    page.keptBack = undefined;
    await Promise.all(kept.splice(0).map((send) => send()));
  };
}

/** From now on. @param call name of a call to the wallet worker, or of the part that has it */
export const keepAnswers = (page: Page, call: string): Promise<unknown> =>
  page.evaluate((name) => Object.assign(globalThis, { keptBack: name }), call);

/** Waits until something was asked that is kept back. */
export const isKept = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => (globalThis as { held?: () => number }).held?.())).toBeGreaterThan(0);

/** What was kept back is answered now. */
export const letGo = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as { letGo?: () => Promise<void> }).letGo?.());
