import { FileJournalStore } from '../../src/storage/file-store.ts';
import { CHEAP_KDF, created, noted, secrets } from './samples.ts';

// Appends for ever and prints a dot for each record acknowledged: the process that crash tests kill.
const store = new FileJournalStore(process.argv[2]!, { kdf: CHEAP_KDF });
const journal = await store.create('w', 'pass', secrets(), [created]);
for (let n = 0; ; n++) {
  await journal.append([noted(n)], 'strict');
  process.stdout.write('.');
}
