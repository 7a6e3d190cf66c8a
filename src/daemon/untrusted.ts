/**
 * Why a word of a daemon is used although nothing that the wallet knows can be held against it. Each use stands in docs/threats.md,
 * with what a lie there can do.
 */
export type UnverifiedReason =
  /** How long the chain is said to be: tells when to stop asking, and what to show. The blocks prove themselves. */
  | 'claimed-tip'
  /** Height at which a new wallet, which nobody has paid yet, begins to scan. */
  | 'new-wallet-height'
  /** Block times on the way from a date to a height. */
  | 'restore-date'
  /** Backlog by which an automatic priority is chosen: one of four rates, each of which is bounded. */
  | 'fee-level'
  /** Transactions that wait to be mined. */
  | 'pool'
  /** Whether the daemon took what it was sent. */
  | 'send-answer'
  /** Whether the chain has a key image. Asked where a daemon is trusted, or for another's proof. */
  | 'spent-status'
  /** Printed for whoever asked this daemon by hand. */
  | 'asked-by-hand'
  /** News of another daemon for a devnet, which checks every block and transaction itself. */
  | 'neighbour'
  /** The ring that a proof of spending is about. */
  | 'ring-keys';

/**
 * A daemon's answer: well-formed, fitting the question, and not yet believed. A check compares it with what
 * the wallet knows, and returns the part that may be believed or throws; a check that lets everything through is no check.
 */
export class Untrusted<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Hands the value to a check and returns what the check returns. */
  check<U>(check: (value: T) => U): U {
    return check(this.#value);
  }

  /** The value as the daemon said it. The reason is a literal at the place of use: a test holds the uses against docs/threats.md. */
  acceptUnverified(_reason: UnverifiedReason): T {
    return this.#value;
  }

  /** A value computed from this one, and as untrusted. */
  async derive<U>(make: (value: T) => U | Promise<U>): Promise<Untrusted<U>> {
    return new Untrusted(await make(this.#value));
  }
}
