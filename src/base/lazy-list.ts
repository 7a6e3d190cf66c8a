/**
 * A list whose elements are made when they are asked for, one after the other, and not kept: for lists as long as a wallet's history.
 * That may be much later, so elements must be made of immutable values.
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

  /** Another list, whose elements are made of those of this one. */
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
