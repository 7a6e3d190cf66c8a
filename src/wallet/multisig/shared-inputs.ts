import { equalBytes } from '../../base/index.ts';
import type { RingMember, SharedClsag } from '../../crypto/index.ts';
import { keyInputs, signatureMessage, type WholeTransaction } from '../../protocol/index.ts';

/** Offset of the key image in `multisig_kLRki`. */
export const KEY_IMAGE_AT = 96;

/** An input as all signers know it. */
export interface KnownInput {
  readonly ring: readonly RingMember[];
  /** Index in `ring` of the output that is spent. */
  readonly real: number;
}

/**
 * Values that the signers of each input must agree on; all are in the transaction, signed or not.
 * @param inputs in the transaction's order
 */
export function sharedInputs(transaction: WholeTransaction, inputs: readonly KnownInput[]): SharedClsag[] {
  const { clsags, pseudoOuts } = transaction.prunable;
  const message = signatureMessage(transaction);
  return keyInputs(transaction).map(({ keyImage }, i) => {
    const { ring, real } = inputs[i]!;
    const { s, D } = clsags[i]!;
    return { message, ring, index: real, keyImage, D, pseudoOut: pseudoOuts[i]!, s };
  });
}

/** The transaction with complete signatures. @param closing by input: challenge of the first ring member, response of the spent one */
export function withResponses(
  transaction: WholeTransaction,
  inputs: readonly KnownInput[],
  closing: { readonly c1: readonly Uint8Array[]; readonly s: readonly Uint8Array[] },
): WholeTransaction {
  const clsags = transaction.prunable.clsags.map(({ s, D }, i) => {
    const responses = s.map((response, member) => (member === inputs[i]!.real ? closing.s[i]! : response));
    return { s: responses, c1: closing.c1[i]!, D };
  });
  return { ...transaction, prunable: { ...transaction.prunable, clsags } };
}

/** Whether a key is in a list of keys. */
export const includesKey = (keys: readonly Uint8Array[], key: Uint8Array): boolean => keys.some((one) => equalBytes(one, key));
