/**
 * Why an answer of a daemon is used although the wallet knows nothing to check it against. Each use is listed in docs/threats.md, with what
 * a lie there can do.
 */
export type UnverifiedReason =
  /** Claimed length of the chain: when to stop requesting, and what to show. The blocks are verified themselves. */
  | 'claimed-tip'
  /** Height at which a new wallet, which nobody has paid yet, begins to scan. */
  | 'new-wallet-height'
  /** Block times, to convert a date to a height. */
  | 'restore-date'
  /** Backlog for the automatic priority: one of four rates, each of which is bounded. */
  | 'fee-level'
  /** Unconfirmed transactions. */
  | 'pool'
  /** Whether the daemon accepted what it was sent. */
  | 'send-answer'
  /** Whether the chain has a key image. Asked of a trusted daemon, or for somebody else's proof. */
  | 'spent-status'
  /** Printed for the person who queried this daemon. */
  | 'asked-by-hand'
  /** Data of another daemon for a devnet, which checks every block and transaction itself. */
  | 'neighbour'
  /** The ring of a proof of spending. */
  | 'ring-keys';

/**
 * A daemon's answer: well-formed, matching the request, but not trusted yet. A check compares it with what the wallet knows, and returns
 * the trusted part or throws; a check that accepts everything is no check.
 */
export class Untrusted<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Passes the value to a check and returns its result. */
  check<U>(check: (value: T) => U): U {
    return check(this.#value);
  }

  /** The value as the daemon sent it. The reason is a literal at the place of use: a test compares the uses with docs/threats.md. */
  acceptUnverified(_reason: UnverifiedReason): T {
    return this.#value;
  }

  /** A value computed from this one, which is also untrusted. */
  async derive<U>(make: (value: T) => U | Promise<U>): Promise<Untrusted<U>> {
    return new Untrusted(await make(this.#value));
  }
}
