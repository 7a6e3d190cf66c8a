import { describe, expect, it } from 'vitest';
import { contactsCsv, readContacts } from '../../src/app/services/contacts-csv.ts';

const ADDRESS = `4${'A'.repeat(94)}`;
const OTHER = `8${'b'.repeat(94)}`;
const named = (...names: readonly string[]) => names.map((description) => ({ description, address: ADDRESS }));

describe('the address book as a table', () => {
  it('T12 is read as it was written, and no name becomes a formula there', () => {
    const names = ['Ana', '=HYPERLINK("x")', 'a, b; "c"', 'two\nlines', "'quoted", '+1;=2', '商店'];
    const table = contactsCsv(names.map((description, i) => ({ id: `${i}`, description, address: ADDRESS })));
    expect(table).toContain('"\'=HYPERLINK(""x"")"');
    expect(table).toContain("'+1;'=2");
    expect(table.split('\r\n')[0]).toBe('name,address');
    expect(readContacts(table)).toEqual({ contacts: named(...names), unread: 0 });
  });

  it('is read by the names of its columns, whatever parts them, or by their order where none are named', () => {
    const bea = { description: 'Bea', address: OTHER };
    for (const table of [
      `\ufeffAddress;Note;Name\n${OTHER};x;Bea\n`,
      `"Label"\t"Address"\r\n"Bea"\t"${OTHER}"`,
      `Bea,${OTHER.replace(/(.{5})/g, '$1 ')}`,
      `\n\nBea,${OTHER},more\n\n`,
    ])
      expect(readContacts(table), table).toEqual({ contacts: [bea], unread: 0 });
  });

  it('counts the rows that nobody can be read from, and stops at a cell that does not end', () => {
    expect(readContacts(`Name,Address\n,${OTHER}\nAna,\nAna,${ADDRESS}\nlone\n`)).toEqual({ contacts: named('Ana'), unread: 3 });
    expect(readContacts(`Ana,${ADDRESS}\n"Bea,${OTHER}\n`).contacts).toEqual(named('Ana'));
    expect(readContacts(`Ana,${ADDRESS}\n`.repeat(1200))).toMatchObject({ unread: 200 });
    expect(readContacts('address\nx').contacts).toEqual([]);
    expect(readContacts('')).toEqual({ contacts: [], unread: 0 });
  });
});
