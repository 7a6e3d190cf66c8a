import { equalBytes } from '../../base/index.ts';
import { generateKeyDerivation, isPoint, SCALAR_ONE } from '../../crypto/index.ts';
import { eraOfOutputs, type Transaction } from '../../protocol/index.ts';
import { ProofError } from './errors.ts';

/** 8·r·A for the transaction's own key and for those of single outputs, 32 bytes each; undefined where it was not proven. */
export interface Derivations {
  readonly main: Uint8Array | undefined;
  /** Derivations from the additional keys, one for each output; empty when the transaction has none. */
  readonly additional: readonly (Uint8Array | undefined)[];
}

/** The derivation of a shared point r·A. @throws ProofError `bad-key` when it is not a point */
export function derivationOf(shared: Uint8Array): Uint8Array {
  const derivation = generateKeyDerivation(shared, SCALAR_ONE);
  if (derivation === undefined) throw new ProofError('bad-key', 'expected a shared secret that is a point');
  return derivation;
}

/**
 * Amount that a transaction pays to an address, in atomic units (`check_tx_key_helper`, wallet2.cpp). Outputs whose amounts contradict
 * their commitments do not count (T8). Outputs beyond the additional derivations use only the main one.
 * @throws ProofError `bad-key`
 */
export function receivedBy(transaction: Transaction, spendKey: Uint8Array, { main, additional }: Derivations): bigint {
  if (!isPoint(spendKey)) throw new ProofError('bad-key', 'expected an address that consists of points');
  const { outputs } = eraOfOutputs(transaction);
  let received = 0n;
  for (let i = 0; i < transaction.outputs.length; i++) {
    const isPaid = (shared: Uint8Array): boolean => {
      const receiver = outputs.isTagged(transaction, i, shared) ? outputs.receiver(transaction, i, shared) : undefined;
      return receiver !== undefined && equalBytes(receiver, spendKey);
    };
    const shared = [main, additional[i]].find((one) => one !== undefined && isPaid(one));
    if (shared !== undefined) received += outputs.open(transaction, i, shared)?.amount ?? 0n;
  }
  return received;
}
