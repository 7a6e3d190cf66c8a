/** Code that runs inside the page to detect when something is shown. Times are of a clock that Node shares: `Date.now()`. */

/** The element that says that the wallet is at its daemon's tip. */
export const LIVE = '.sync .dot.good';

/** The time at which an element first exists. */
export function whenThere(selector: string): Promise<number> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => look());
    const look = (): void => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      resolve(Date.now());
    };
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
  });
}

/** The time at which the balance, including pending coins, first exceeds an amount. */
export function whenMoreThan(coins: number): Promise<number> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => look());
    const look = (): void => {
      const amounts = document.querySelectorAll(
        '[data-testid=balance] .visually-hidden, [data-testid=incoming] .visually-hidden',
      );
      const shown = [...amounts].map((amount) => Number(/[\d.]+/.exec(amount.textContent ?? '')?.[0] ?? 0));
      if (shown.reduce((total, one) => total + one, 0) <= coins) return;
      observer.disconnect();
      resolve(Date.now());
    };
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
}
