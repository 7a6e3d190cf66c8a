/**
 * A list whose elements are made on access and not stored: for lists as long as a wallet's history. Access may be much later, so elements
 * must be made from immutable values.
 */
export class LazyList<T> {
  readonly length: number;
  /** Makes the element at an index below `length`. */
  readonly at: (index: number) => T;

  private constructor(length: number, at: (index: number) => T) {
    this.length = length;
    this.at = at;
  }

  /** An element for each item. */
  static of<S, T>(items: readonly S[], make: (item: S) => T): LazyList<T> {
    return new LazyList(items.length, (index) => make(items[index]!));
  }

  /** A list of elements made from this list's. */
  map<U>(make: (item: T) => U): LazyList<U> {
    return new LazyList(this.length, (index) => make(this.at(index)));
  }

  /** The same from the last to the first. */
  reversed(): LazyList<T> {
    return new LazyList(this.length, (index) => this.at(this.length - 1 - index));
  }

  /** All elements, made now. */
  toArray(): T[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}
