import type { Contact } from '../../wallet/index.ts';
import { normalizedAddress } from './addresses.ts';
import { asText, csvOf } from './csv.ts';

/** The address book as comma-separated values (RFC 4180), and back. */

const COLUMNS = ['name', 'address'] as const;
/** Names that other programs give the two columns, in small letters. */
const NAMES: readonly string[] = ['name', 'description', 'label', 'contact'];
/** Characters of a name, as a person may type. */
const LONGEST_NAME = 80;
/** Rows that are read at the most: each entry is written to the disk by itself. */
const MOST_ROWS = 1000;

/** Who is in a table, and how many of its rows nobody can be read from. */
export interface ReadContacts {
  readonly contacts: readonly Omit<Contact, 'id'>[];
  readonly unread: number;
}

export const contactsCsv = (contacts: readonly Contact[]): string =>
  csvOf([COLUMNS, ...contacts.map(({ description, address }) => [asText(description), address])]);

/** Names and addresses of a table, whose first row may say which column is which; without that, the first two. Addresses are not checked. */
export function readContacts(text: string): ReadContacts {
  const rows = rowsOf(text.replace(/^\ufeff/, ''));
  const head = (rows[0] ?? []).map((cell) => cell.trim().toLowerCase());
  const headed = head.includes('address');
  const [name, address] = headed ? [head.findIndex((cell) => NAMES.includes(cell)), head.indexOf('address')] : [0, 1];
  const told = rows.slice(headed ? 1 : 0);
  const contacts = told.slice(0, MOST_ROWS).flatMap((row) => {
    const contact = { description: asTyped(row[name] ?? ''), address: normalizedAddress(row[address] ?? '') };
    return contact.description === '' || contact.address === '' ? [] : [contact];
  });
  return { contacts, unread: told.length - contacts.length };
}

/** Without the mark that keeps a spreadsheet from running it. */
const asTyped = (cell: string): string =>
  cell
    .replace(/(?<=^|[;\r\n])'(?=\s*[=+\-@＝＋－＠])/g, '')
    .trim()
    .slice(0, LONGEST_NAME);

/** A cell, in quotes or without, and what ends it. */
const cellOf = (parts: string): RegExp => new RegExp(`(?:"((?:[^"]|"")*)"|([^"${parts}\\r\\n]*))([${parts}]|\\r?\\n|$)`, 'y');

/** Rows of cells; those that are empty are left out, and all that follows a cell that does not end. Whatever ends the first cell parts the others. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const [, , , first = ','] = cellOf(',;\t').exec(text.trimStart()) ?? [];
  const parts = first.trim() === '' && first !== '\t' ? ',' : first;
  const cell = cellOf(parts);
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const [, quoted, plain = '', end = ''] = cell.exec(text) ?? [];
    if (cell.lastIndex === 0) break;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === parts) continue;
    rows.push(row);
    row = [];
  }
  return [...rows, row].filter(isFull);
}

const isFull = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '');
