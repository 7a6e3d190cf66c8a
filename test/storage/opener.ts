import { FileJournalStore } from '../../src/storage/file-store.ts';
import { isStorageError } from '../../src/storage/index.ts';
import { CHEAP_KDF } from './samples.ts';

// Opens a wallet, and says "open" or the error's code; what it opened it holds until its input ends.
try {
  await new FileJournalStore(process.argv[2]!, { kdf: CHEAP_KDF }).open('w', 'pass');
  process.stdout.write('open');
  process.stdin.once('end', () => process.exit()).resume();
} catch (error) {
  process.stdout.write(isStorageError(error) ? error.code : String(error));
}
