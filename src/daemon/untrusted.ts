/**
 * What a daemon said, well-formed but not yet believed (design decision 3). The only way to the value is a check,
 * which returns what may be believed of it or throws.
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
}
