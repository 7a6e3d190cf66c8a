import { m } from '../language/messages.ts';

/** Validation of the fields of proofs and signed messages. */

export const normalizedTxHash = (text: string): string => text.trim().toLowerCase();

/** Error text if this is no transaction id (64 hex digits). */
export const hashProblem = (text: string): string | undefined =>
  /^[0-9a-f]{64}$/.test(normalizedTxHash(text)) ? undefined : m.proof_tx_form();

/** Error text if the address is empty; the worker checks the rest. */
export const addressProblem = (text: string): string | undefined =>
  text.trim() === '' ? m.contacts_address_missing() : undefined;

/** A proof without the whitespace it was copied with. */
export const normalizedProof = (text: string): string => text.replaceAll(/\s/g, '');

/** Error text if this is no proof of the expected kind. @param kind pattern of its prefix */
export const proofProblem = (text: string, kind: RegExp): string | undefined =>
  kind.test(text.trim()) ? undefined : m.err_proof_form();

/** Result of a check. `warn`: valid, but with a reservation. */
export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}
