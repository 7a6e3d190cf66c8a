import { FileJournalStore } from '../../src/storage/file-store.ts';
import { isStorageError } from '../../src/storage/index.ts';
import { CHEAP_KDF, created, noted, secrets } from './samples.ts';

// Appends until it cannot and prints a dot for each record acknowledged, then the error's code: the process that crash tests kill.
const store = new FileJournalStore(process.argv[2]!, { kdf: CHEAP_KDF });
const journal = await store.create('w', 'pass', secrets(), [created]);
try {
  for (let n = 0; ; n++) {
    await journal.append([noted(n)], 'strict');
    process.stdout.write('.');
  }
} catch (error) {
  process.stdout.write(isStorageError(error) ? error.code : String(error));
}
await journal.close();
