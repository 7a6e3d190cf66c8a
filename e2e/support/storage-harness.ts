import { IndexedDbJournalStore } from '../../src/storage/index.ts';
import type { Journal } from '../../src/wallet/ports.ts';
import { behaviours } from '../../test/storage/contract.ts';
import { CHEAP_KDF, collect, created, noted, secrets } from '../../test/storage/samples.ts';

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

const OTHERS = ['nothing', 'text', 'part', 'lost', 'gap'];

/** What a store makes of rows that are none of its own, beside a sound wallet. */
export async function amongOtherRows(): Promise<unknown> {
  const database = 'test of other rows';
  const store = new IndexedDbJournalStore({ database, kdf: CHEAP_KDF });
  for (const name of ['lost', 'sound']) await (await store.create(name, 'pass', secrets(), [created])).close();
  const gap = await store.create('gap', 'pass', secrets(), [created]);
  await gap.append([noted(1)], 'strict');
  await gap.close();
  const opened = indexedDB.open(database);
  await done(opened);
  const rows = opened.result.transaction(['wallets', 'records'], 'readwrite');
  for (const [key, row] of [
    ['nothing', null],
    ['text', 'row'],
    ['part', { generation: 1 }],
    [5, { header: 1 }],
  ] as const)
    rows.objectStore('wallets').put(row, key);
  rows.objectStore('records').put(null, ['lost', 1, 0]);
  rows.objectStore('records').delete(['gap', 1, 0]);
  opened.result.close();
  const listed = (await store.list()).map(({ name, kind }) => `${name} ${kind}`);
  const refused: string[] = [];
  for (const name of OTHERS) refused.push(await store.open(name, 'pass').then(readAll, codeOf));
  for (const name of OTHERS) await store.remove(name);
  return {
    listed,
    refused,
    left: (await store.list()).map(({ name }) => name),
    read: await store.open('sound', 'pass').then(readAll, codeOf),
  };
}

/** What is said where a later version of the program has changed the database. */
export async function laterVersion(): Promise<unknown> {
  const database = 'test of a later version';
  const later = indexedDB.open(database, 1_000);
  await done(later);
  later.result.close();
  return new IndexedDbJournalStore({ database, kdf: CHEAP_KDF }).list().catch(codeOf);
}

/** What is said to whoever writes on after the site's data was cleared. */
export async function clearedWhileOpen(): Promise<unknown> {
  const database = 'test of a cleared site';
  const store = new IndexedDbJournalStore({ database, kdf: CHEAP_KDF });
  const journal = await store.create('a', 'pass', secrets(), [created]);
  await done(indexedDB.deleteDatabase(database));
  const said = await journal.append([noted(1)], 'strict').then(() => 'acknowledged', codeOf);
  await journal.close();
  return said;
}

/** What is said to a writer whose lock another script of this origin has taken away, and what is left of the one that came after. */
export async function robbedOfTheLock(): Promise<unknown> {
  const database = 'test of a stolen lock';
  const store = new IndexedDbJournalStore({ database, kdf: CHEAP_KDF });
  const said: string[] = [];
  const write = async (journal: Journal, how: 'append' | 'compact'): Promise<void> => {
    const work = how === 'append' ? journal.append([noted(1)], 'strict') : journal.compact([created]);
    said.push(await work.then(() => 'acknowledged', codeOf));
  };
  const robbed = await store.create('a', 'pass', secrets(), [created]);
  await navigator.locks.request(`nightjar ${database}:a`, { steal: true }, () => undefined);
  const second = await store.open('a', 'pass');
  await write(second, 'append');
  await write(robbed, 'append');
  await write(robbed, 'compact');
  await write(second, 'compact');
  await write(robbed, 'append');
  await write(second, 'append');
  await robbed.close();
  await second.close();
  return { said, left: await store.open('a', 'pass').then(readAll, codeOf) };
}

const codeOf = (error: unknown): string => (error as { readonly code?: string }).code ?? String(error);

async function readAll(journal: Journal): Promise<string> {
  try {
    return `${(await collect(journal.read())).length} events`;
  } catch (error) {
    return codeOf(error);
  } finally {
    await journal.close();
  }
}

const done = (request: IDBRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
