import type { BalanceDay } from '../api.ts';

const DAY_SECONDS = 86_400;

/** Change of the balance for each day (UTC). A payment takes one addition. */
export class DailyBalances {
  readonly #changes = new Map<number, bigint>();

  /** @param timestamp unix seconds @param change atomic units; negative for spends */
  add(timestamp: number, change: bigint): void {
    const day = Math.floor(timestamp / DAY_SECONDS);
    this.#changes.set(day, (this.#changes.get(day) ?? 0n) + change);
  }

  /** Balances at the end of each day with a change, oldest first. */
  balances(): BalanceDay[] {
    let balance = 0n;
    return [...this.#changes]
      .sort(([a], [b]) => a - b)
      .map(([day, change]) => {
        balance += change;
        return { start: day * DAY_SECONDS, balance };
      });
  }
}
