import type { BalanceDay } from '../api.ts';

const DAY_SECONDS = 86_400;

/** What each day (UTC) added to what the wallet owns, or took from it. A payment costs one addition. */
export class Days {
  readonly #changes = new Map<number, bigint>();

  /** @param timestamp unix seconds @param change atomic units; negative for what went */
  add(timestamp: number, change: bigint): void {
    const day = Math.floor(timestamp / DAY_SECONDS);
    this.#changes.set(day, (this.#changes.get(day) ?? 0n) + change);
  }

  /** What was owned at the end of each day that something came or went, the oldest first. */
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
