import { describe, expect, it } from 'vitest';
import { type Comparators, compareValues, type Sorting, sorted, toggledSorting } from '../../src/app/services/sorting.ts';

interface Line {
  readonly name: string;
  readonly amount: bigint;
}
type Column = 'name' | 'amount';
const BY: Comparators<Line, Column> = {
  name: (a, b) => compareValues(a.name, b.name),
  amount: (a, b) => compareValues(a.amount, b.amount),
};
const lines: readonly Line[] = [
  { name: 'b', amount: 2n },
  { name: 'c', amount: -(10n ** 18n) },
  { name: 'a', amount: 2n },
];
const names = (sorting: Sorting<Column>): string => sorted(lines, sorting, BY).reduce((all, { name }) => all + name, '');

describe('the headings of a table', () => {
  it('sort by their column, and the other way round when pressed again', () => {
    const byName = toggledSorting<Column>({ by: 'amount', down: true }, 'name', false);
    expect(byName).toEqual({ by: 'name', down: false });
    expect(names(byName)).toBe('abc');
    expect(names(toggledSorting(byName, 'name', false))).toBe('cba');
  });

  it('begin with the greatest where that is what one looks for', () => {
    expect(toggledSorting<Column>({ by: 'name', down: false }, 'amount', true)).toEqual({ by: 'amount', down: true });
  });

  it('leave what is equal as it stood, either way', () => {
    expect(names({ by: 'amount', down: true })).toBe('bac');
    expect(names({ by: 'amount', down: false })).toBe('cba');
    expect(lines.map(({ name }) => name).join('')).toBe('bca');
  });
});
