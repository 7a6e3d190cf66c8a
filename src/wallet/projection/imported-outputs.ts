import type { OutputKey } from '../../protocol/index.ts';
import { SPENDABLE_AGE } from '../../protocol/rewards.ts';
import type { ImportedOutput } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import { FundsTable } from './funds.ts';

/**
 * Outputs imported from the view-only half that no scanned block holds: all that an offline wallet knows of its money. One that
 * was imported several times can be spent once: it counts at its largest amount (T7).
 */
export function importedOutputs({ imported, outputs }: WalletState): ImportedOutput[] {
  const byKey = new Map<OutputKey, ImportedOutput>();
  for (const told of imported) {
    if (told === undefined || outputs.has(told.key)) continue;
    const before = byKey.get(told.key);
    if (before === undefined || told.amount > before.amount) byKey.set(told.key, told);
  }
  return [...byKey.values()];
}

/** The reference has them in block 0 of a chain of one block (wallet2.cpp, import_outputs): locked, for so many blocks. */
const LOCKED_FOR = SPENDABLE_AGE - 1;

/** Funds of imported outputs. Only a set made by the view-only half can spend them. */
export function importedFunds(state: WalletState): FundsTable {
  const table = new FundsTable();
  for (const { subaddress, amount, spent, frozen } of importedOutputs(state)) {
    if (spent) continue;
    table.change(subaddress, (funds) => {
      funds.unspentOutputs += 1;
      if (frozen) {
        funds.aside += amount;
        return;
      }
      funds.mined += amount;
      funds.parts += 1;
      funds.blocksToUnlock = LOCKED_FOR;
    });
  }
  return table;
}
