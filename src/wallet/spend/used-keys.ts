import { type Transaction, type TxHash, toOutputKey } from '../../protocol/index.ts';
import type { SentTransaction } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import { SpendError } from './errors.ts';

/**
 * A transaction key that serves twice makes the same output key again: for whoever is paid twice at one address, and for our own change. Of
 * outputs with one key one alone can ever be spent (T7). Ours are drawn anew each time; a device draws its own, and may have lost its chance.
 */

/** @throws SpendError `check-failed` for an output with the key of one that we have already, of another transaction */
export function requireNewOutputs({ outputs }: Pick<WalletState, 'outputs'>, transaction: Transaction, hash: TxHash): void {
  for (const { key } of transaction.outputs) {
    const copies = outputs.get(toOutputKey(key))?.copies ?? [];
    if (copies.some(({ txHash }) => txHash !== hash)) throw used();
  }
}

/**
 * Sealed by a device, a key is the same text each time.
 * @throws SpendError `check-failed` for a transaction key of one that was sent before, or is to be sent first
 */
export function requireNewTxKeys({ sent, multisig }: WalletState, transactions: readonly SentTransaction[]): void {
  const before = [...sent.values()].map(({ tx }) => tx);
  for (const [i, tx] of transactions.entries()) {
    const others = [...before, ...transactions.slice(0, i)].filter(({ txHash }) => txHash !== tx.txHash);
    // Those of a group follow from its inputs: of several attempts to spend these one alone is ever mined.
    const counted = multisig === undefined ? others : others.filter((other) => !shareInput(other, tx));
    if (counted.some(({ txKeys }) => txKeys.some((key) => tx.txKeys.includes(key)))) throw used();
  }
}

const shareInput = (a: SentTransaction, b: SentTransaction): boolean => a.inputs.some((image) => b.inputs.includes(image));

const used = (): SpendError => new SpendError('check-failed', 'expected transaction keys that served no payment before');
