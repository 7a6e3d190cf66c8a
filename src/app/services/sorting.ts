/** The column that a table is sorted by; `down` for descending. */
export interface Sorting<Column extends string> {
  readonly by: Column;
  readonly down: boolean;
}

/** An ascending comparator for each column. */
export type Comparators<Entry, Column extends string> = Readonly<Record<Column, (a: Entry, b: Entry) => number>>;

/** Compares by value, strings by code units: not for text that people read. */
export const compareValues = <Value extends number | bigint | string>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

/** The sorting after a press on a column heading. @param downFirst the column starts in descending order */
export const toggledSorting = <Column extends string>(
  { by, down }: Sorting<Column>,
  column: Column,
  downFirst: boolean,
): Sorting<Column> => ({ by: column, down: by === column ? !down : downFirst });

/** A sorted copy; the sort is stable. */
export const sorted = <Entry, Column extends string>(
  entries: readonly Entry[],
  { by, down }: Sorting<Column>,
  comparators: Comparators<Entry, Column>,
): readonly Entry[] => {
  const compare = comparators[by];
  return entries.toSorted(down ? (a, b) => compare(b, a) : compare);
};
