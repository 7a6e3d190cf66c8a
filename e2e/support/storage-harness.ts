import { IndexedDbJournalStore } from '../../src/storage/index.ts';
import { behaviours } from '../../test/storage/contract.ts';
import { CHEAP_KDF } from '../../test/storage/samples.ts';

/** Runs one behaviour inside the page. Returns what went wrong, or nothing. */
export async function run(index: number): Promise<string> {
  let made = 0;
  const fresh = async () => new IndexedDbJournalStore({ database: `test ${index} ${made++}`, kdf: CHEAP_KDF });
  try {
    await behaviours[index]?.run(fresh);
    return '';
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
  }
}
