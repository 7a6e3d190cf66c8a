/** By which column a table is sorted, and whether its greatest comes first. */
export interface Sorting<Column extends string> {
  readonly by: Column;
  readonly down: boolean;
}

/** How two entries compare by each column, the smaller one first. */
export type Comparators<Entry, Column extends string> = Readonly<Record<Column, (a: Entry, b: Entry) => number>>;

/** By value, texts by their code units: for what no person wrote. */
export const compareValues = <Value extends number | bigint | string>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

/** What pressing a heading makes of the order. @param downFirst the column begins with its greatest */
export const turned = <Column extends string>(
  { by, down }: Sorting<Column>,
  column: Column,
  downFirst: boolean,
): Sorting<Column> => ({ by: column, down: by === column ? !down : downFirst });

/** A copy in that order; what compares equal stays as it stood. */
export const sorted = <Entry, Column extends string>(
  entries: readonly Entry[],
  { by, down }: Sorting<Column>,
  comparators: Comparators<Entry, Column>,
): readonly Entry[] => {
  const compare = comparators[by];
  return entries.toSorted(down ? (a, b) => compare(b, a) : compare);
};
