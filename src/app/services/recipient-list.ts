import type { Contact } from '../../wallet/index.ts';
import { isOpenAliasName, normalizedAddress } from './addresses.ts';
import { type AmountProblem, readAmount } from './amount.ts';

/** Recipients of one payment as text: one per line, an address or a name and an amount in XMR, with any separator. */

export interface ListedRecipient {
  /** Number of the line, from 1. */
  readonly line: number;
  /** An address, not checked, or an OpenAlias name, not looked up. */
  readonly address: string;
  /** Atomic units. */
  readonly amount: bigint;
}

/**
 * Why a line is refused: it is not just an address or a name and an amount; its name is not in the address book, or more than once; its
 * amount cannot be paid.
 */
export type LineProblem = 'line-form' | 'name-unknown' | 'name-twice' | AmountProblem;

/** A line that is refused. */
export interface RefusedLine {
  readonly line: number;
  readonly problem: LineProblem;
  /** The name in question; empty without one. */
  readonly name: string;
}

export interface ReadRecipients {
  readonly recipients: readonly ListedRecipient[];
  readonly refused: readonly RefusedLine[];
}

/** An address: 106 characters with a payment id, otherwise 95. */
const ADDRESS = /(?<![1-9A-HJ-NP-Za-km-z])(?:[1-9A-HJ-NP-Za-km-z]{106}|[1-9A-HJ-NP-Za-km-z]{95})(?![1-9A-HJ-NP-Za-km-z])/;
/** Most characters of a list. What is longer names more recipients than a payment has; looking through it would stop the page. */
export const LIST_MOST = 20_000;
/** Separators of cells, the quotes that tables put around them, and signs that are not seen, which are copied along with text. */
const EDGE = String.raw`[\s,;:"\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+`;
const AROUND = new RegExp(`^${EDGE}|${EDGE}$`, 'g');
/** A name, a separator and the amount: the first separator, or else the last space, since names have spaces. */
const NAMED = /^([^,;:\t]*)[,;:\t](.*)$|^(.*)\s(\S+)$/;
/** The header row of a table. */
const HEADING = /^\W*(?:address|name|recipient)\W+amount\W*$/i;
const COIN_NAMED = /\s*XMR$/i;

/** Reads a list. Empty lines and the header of a table are skipped; every other line is either a recipient or refused. */
export function readRecipients(text: string, contacts: readonly Contact[]): ReadRecipients {
  const lines = text.split(/\r\n|\r|\n/).map((line, at) => ({ line: at + 1, text: line.replace(AROUND, '') }));
  const said = lines.filter((one) => one.text !== '');
  const read = said
    .filter((one, at) => at > 0 || !HEADING.test(one.text))
    .map((one) => ({ line: one.line, ...readLine(one.text, contacts) }));
  return {
    recipients: read.flatMap((one) => ('problem' in one ? [] : [one])),
    refused: read.flatMap((one) => ('problem' in one ? [one] : [])),
  };
}

type ReadLine = Omit<ListedRecipient, 'line'> | Omit<RefusedLine, 'line'>;

function readLine(text: string, contacts: readonly Contact[]): ReadLine {
  const { who, rest } = partsOf(text);
  // An amount instead of a name identifies nobody.
  if (who === '' || readAmount(who).problem !== 'amount-format') return { problem: 'line-form', name: '' };
  const payee = payeeOf(who, contacts);
  if ('problem' in payee) return payee;
  const { value, problem } = readAmount(rest.replace(COIN_NAMED, ''));
  return problem === undefined ? { ...payee, amount: value } : { problem, name: '' };
}

/** The recipient, and the rest of the line: the amount, on either side of an address. */
function partsOf(text: string): { readonly who: string; readonly rest: string } {
  const match = ADDRESS.exec(text);
  if (match) {
    const before = text.slice(0, match.index).replace(AROUND, '');
    const after = text.slice(match.index + match[0].length).replace(AROUND, '');
    // With text on both sides, neither counts as the amount.
    return before !== '' && after !== '' ? { who: '', rest: '' } : { who: match[0], rest: before || after };
  }
  const [, name, amount, words, last] = NAMED.exec(text) ?? [];
  const [who = text, rest = ''] = name === undefined ? [words, last] : [name, amount];
  return { who: who.replace(AROUND, ''), rest: rest.replace(AROUND, '') };
}

function payeeOf(who: string, contacts: readonly Contact[]): { readonly address: string } | Omit<RefusedLine, 'line'> {
  const address = normalizedAddress(who);
  if (ADDRESS.test(address)) return { address };
  const named = contacts.filter(({ description }) => description.trim().toLowerCase() === who.toLowerCase());
  const [contact, another] = named;
  if (another) return { problem: 'name-twice', name: who };
  if (contact) return { address: contact.address };
  return isOpenAliasName(who) ? { address: who } : { problem: 'name-unknown', name: who };
}
