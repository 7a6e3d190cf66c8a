import type { KeyImage, OutputKey } from '../../protocol/index.ts';
import type { ImportedOutput } from '../model.ts';
import { isSpent } from '../projection/index.ts';
import type { OutputEntry, WalletState } from '../state/state.ts';

/**
 * An output as in the reference's list (`m_transfers`): both halves of a wallet refer to outputs by their position in this list, in chain
 * order.
 */
export interface Transfer extends Omit<ImportedOutput, 'keyImage'> {
  readonly keyImage: KeyImage | undefined;
  /** Spent on the chain, in the pool, or by a transaction of ours. */
  readonly spent: boolean;
  /** View-only half: its key image is needed. Cold half: it was requested. */
  readonly requested: boolean;
  /** 0 if only the other half knows it. */
  readonly height: number;
}

/** All outputs by position: as imported from the view-only half, otherwise as scanned. */
export function transfersOf(state: WalletState): Transfer[] {
  const chain = [...state.outputs.values()];
  return Array.from({ length: Math.max(chain.length, state.imported.length) }, (_, i) => {
    const imported = state.imported[i];
    return imported === undefined ? fromChain(state, chain[i]!) : fromImport(state, imported);
  });
}

/** Position of every output on the chain. */
export function positionsOf(state: WalletState): ReadonlyMap<OutputKey, number> {
  return new Map(transfersOf(state).map(({ key }, position) => [key, position]));
}

function fromChain(state: WalletState, entry: OutputEntry): Transfer {
  const { output } = entry;
  const { key, outputIndex, globalIndex, amount, rct, txPublicKey, subaddress, keyImage, height } = output;
  return {
    ...{ key, outputIndex, globalIndex, amount, rct, txPublicKey, subaddress, keyImage, height },
    spent: isSpent(state, entry),
    frozen: state.frozen.has(key),
    requested: state.description.kind === 'view' && (keyImage === undefined || state.predicted.has(key)),
  };
}

function fromImport(state: WalletState, imported: ImportedOutput): Transfer {
  const known = state.outputs.get(imported.key);
  if (known === undefined) return { ...imported, height: 0 };
  return { ...fromChain(state, known), requested: imported.requested };
}
