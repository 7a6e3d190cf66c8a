import { m } from '../language/messages.ts';

/** Label that the reference wallet gives the first account, in every language. */
const FIRST_LABEL = 'Primary account';

/** Display name of a subaddress: its label, or its index. */
export function addressName(minor: number, label: string): string {
  if (minor === 0 && label === FIRST_LABEL) return m.account_primary();
  if (label !== '') return label;
  return minor === 0 ? m.receive_primary() : m.receive_nth({ number: minor });
}

/** Display name of an account: its label, or its index. */
export function accountName({ account, label }: { readonly account: number; readonly label: string }): string {
  if (account === 0 && label === FIRST_LABEL) return m.account_primary();
  return label === '' ? m.account_nth({ number: account }) : label;
}

/** Whitespace and zero-width characters that come along when text is copied. */
const BETWEEN = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;
const ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{95}|[1-9A-HJ-NP-Za-km-z]{106})$/;

/** Whether a text has the length and the characters of an address. */
export const hasAddressForm = (text: string): boolean => ADDRESS.test(text.replace(BETWEEN, ''));

/** An address without the whitespace it was copied with. Text that is no address is only trimmed. */
export function normalizedAddress(text: string): string {
  const whole = text.replace(BETWEEN, '');
  return ADDRESS.test(whole) ? whole : text.trim();
}

/** Whether a text looks like an OpenAlias name, e.g. `someone@example.org`. Addresses contain no dot. */
export const isOpenAliasName = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}_@-]+(?:\.[\p{L}\p{M}\p{N}_@-]+)+$/u.test(text.trim());
