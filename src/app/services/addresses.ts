import { m } from '../language/messages.ts';

/** The label that the reference gives the first account, in every language. */
const FIRST_LABEL = 'Primary account';

/** Name of an address of ours: its label, else its number in the account. */
export function addressName(minor: number, label: string): string {
  if (minor === 0 && label === FIRST_LABEL) return m.account_primary();
  if (label !== '') return label;
  return minor === 0 ? m.receive_primary() : m.receive_nth({ number: minor });
}

/** Name of an account: its label, else its number. */
export function accountName({ account, label }: { readonly account: number; readonly label: string }): string {
  if (account === 0 && label === FIRST_LABEL) return m.account_primary();
  return label === '' ? m.account_nth({ number: account }) : label;
}

/** Spaces, and marks without any width that come along when text is copied. */
const BETWEEN = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;
const ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{95}|[1-9A-HJ-NP-Za-km-z]{106})$/;

/** An address in one piece, however it was broken into groups and lines where it was copied. Another text stays, without the space around it. */
export function addressOf(text: string): string {
  const whole = text.replace(BETWEEN, '');
  return ADDRESS.test(whole) ? whole : text.trim();
}

/** Whether a text looks like an OpenAlias name: `someone@example.org`. No address has a dot in it. */
export const isName = (text: string): boolean => /^[\p{L}\p{M}\p{N}_@-]+(?:\.[\p{L}\p{M}\p{N}_@-]+)+$/u.test(text.trim());
