import { type Transaction, type TxHash, toOutputKey } from '../../protocol/index.ts';
import type { SentTransaction } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import { SpendError } from './errors.ts';

/**
 * A transaction key that is used twice makes the same output key again: for a recipient who is paid twice at one address, and for our own
 * change. Only one of the outputs with one key can ever be spent (T7). Our keys are random each time; a device's random source may be
 * broken.
 */

/** @throws SpendError `check-failed` for an output with the key of one of ours from another transaction */
export function requireNewOutputs({ outputs }: Pick<WalletState, 'outputs'>, transaction: Transaction, hash: TxHash): void {
  for (const { key } of transaction.outputs) {
    const copies = outputs.get(toOutputKey(key))?.copies ?? [];
    if (copies.some(({ txHash }) => txHash !== hash)) throw used();
  }
}

/**
 * A key sealed by a device has the same text each time.
 * @throws SpendError `check-failed` for a transaction key that another sent or pending transaction has
 */
export function requireNewTxKeys({ sent, multisig }: WalletState, transactions: readonly SentTransaction[]): void {
  const before = [...sent.values()].map(({ tx }) => tx);
  for (const [i, tx] of transactions.entries()) {
    const others = [...before, ...transactions.slice(0, i)].filter(({ txHash }) => txHash !== tx.txHash);
    // A group's keys follow from its inputs: only one of several attempts to spend these can be mined.
    const counted = multisig === undefined ? others : others.filter((other) => !shareInput(other, tx));
    if (counted.some(({ txKeys }) => txKeys.some((key) => tx.txKeys.includes(key)))) throw used();
  }
}

const shareInput = (a: SentTransaction, b: SentTransaction): boolean => a.inputs.some((image) => b.inputs.includes(image));

const used = (): SpendError => new SpendError('check-failed', 'expected transaction keys that served no payment before');
