import type { TxHash } from '../../protocol/index.ts';
import type { SentTransaction } from '../model.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';
import type { UnsignedInput } from './unsigned.ts';

/**
 * A daemon may broadcast a transaction that it claims to have refused. A later payment therefore spends an input of the refused one: only
 * one of the two can ever be mined. Sweeps need no such care, because a coin is swept once.
 */

/**
 * A small set of outputs that has an input of every refused transaction, chosen greedily by how many share an output.
 * @throws SpendError `refused-before` when one of them has no spendable input
 */
export function inputsSharedWithRefused(
  refused: readonly SentTransaction[],
  spendable: readonly SpendableOutput[],
): SpendableOutput[] {
  const chosen: SpendableOutput[] = [];
  let left = refused;
  while (left.length > 0) {
    const hits = (output: SpendableOutput) => left.filter((tx) => spends(tx, output)).length;
    const best = spendable.reduce<SpendableOutput | undefined>(
      (most, output) => (hits(output) > (most === undefined ? 0 : hits(most)) ? output : most),
      undefined,
    );
    if (best === undefined) throw refusedBefore(left[0]!.txHash);
    chosen.push(best);
    left = left.filter((tx) => !spends(tx, best));
  }
  return chosen;
}

/** @throws SpendError `refused-before` when a transaction shares no input with one of the refused */
export function requireInputsShared(refused: readonly SentTransaction[], inputs: readonly UnsignedInput[]): void {
  const free = refused.find((tx) => !inputs.some(({ output }) => spends(tx, output)));
  if (free !== undefined) throw refusedBefore(free.txHash);
}

const spends = (tx: SentTransaction, { keyImage }: SpendableOutput): boolean => tx.inputs.includes(keyImage);

function refusedBefore(txHash: TxHash): SpendError {
  return new SpendError(
    'refused-before',
    'expected to spend a coin of the payment that a daemon refused before, which may have been passed on all the same: wait until it is seen, or give it up',
    { txHash },
  );
}
