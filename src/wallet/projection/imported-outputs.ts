import type { OutputKey } from '../../protocol/index.ts';
import { SPENDABLE_AGE } from '../../protocol/rewards.ts';
import type { ImportedOutput } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import { FundsTable } from './funds.ts';

/**
 * Outputs imported from the view-only half that are in no scanned block: all that an offline wallet knows of its money. One that was
 * imported several times can be spent once, and counts at its largest amount (T7).
 */
export function importedOutputs({ imported, outputs }: WalletState): ImportedOutput[] {
  const byKey = new Map<OutputKey, ImportedOutput>();
  for (const output of imported) {
    if (output === undefined || outputs.has(output.key)) continue;
    const before = byKey.get(output.key);
    if (before === undefined || output.amount > before.amount) byKey.set(output.key, output);
  }
  return [...byKey.values()];
}

/** The reference puts them in block 0 of a chain of one block (wallet2.cpp, import_outputs): locked, for this many blocks. */
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
