import { m } from '../language/messages.ts';

/** Mistakes in fields of proofs and messages, in words; undefined for none. */

export const hashOf = (text: string): string => text.trim().toLowerCase();

/** Why a text is no transaction id, 64 hex digits, in words; undefined where it is one. */
export const hashProblem = (text: string): string | undefined =>
  /^[0-9a-f]{64}$/.test(hashOf(text)) ? undefined : m.proof_tx_form();

/** Why an address cannot be read, in words, as far as the page sees: that it is missing. The worker decodes it. */
export const addressProblem = (text: string): string | undefined =>
  text.trim() === '' ? m.contacts_address_missing() : undefined;

/** A proof as it was handed over, whatever broke its lines. */
export const proofOf = (text: string): string => text.replaceAll(/\s/g, '');

/** @param kind what a proof of this kind begins with */
export const proofProblem = (text: string, kind: RegExp): string | undefined =>
  kind.test(text.trim()) ? undefined : m.err_proof_form();

/** Result of a check. `warn`: it holds, with a reservation. */
export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}
