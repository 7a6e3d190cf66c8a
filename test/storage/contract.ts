import { splitContainer } from '../../src/storage/container.ts';
import { decodeHeader, openHeader } from '../../src/storage/seal/header.ts';
import { openRecord } from '../../src/storage/seal/records.ts';
import type { JournalStore } from '../../src/wallet/ports.ts';
import { collect, created, noted, secrets, synced } from './samples.ts';

/** One behaviour that every journal store has. Rejects or throws when the store has it not. */
export interface Behaviour {
  readonly name: string;
  run(fresh: () => Promise<JournalStore>): Promise<void>;
}

/**
 * What any JournalStore does, free of a test framework, so that the same list runs in Node and inside a real browser.
 * `fresh` gives an empty store with a cheap key derivation.
 */
export const behaviours: readonly Behaviour[] = [
  {
    name: 'gives back what was written, in order, after closing and opening again',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('first', 'pass', secrets(), [created]);
      await journal.append([synced(0, 3), noted(1)], 'relaxed');
      await journal.append([noted(2)], 'strict');
      const all = [created, synced(0, 3), noted(1), noted(2)];
      same(await collect(journal.read()), all);
      await journal.close();
      const again = await store.open('first', 'pass');
      same(again.secrets, secrets());
      same(await collect(again.read()), all);
      await again.append([noted(3)], 'strict');
      same(await collect(again.read()), [...all, noted(3)]);
      await again.close();
    },
  },
  {
    name: 'keeps view-only secrets without a spend key',
    async run(fresh) {
      const store = await fresh();
      const viewOnly = { ...secrets(), spendKey: undefined };
      await (await store.create('view', 'pass', viewOnly, [created])).close();
      const journal = await store.open('view', 'pass');
      same(journal.secrets, viewOnly);
      await journal.close();
    },
  },
  {
    name: 'lists names, networks and kinds without a password',
    async run(fresh) {
      const store = await fresh();
      same(await store.list(), []);
      await (await store.create('b', 'pass', secrets(), [created])).close();
      await (await store.create('a', 'pass', secrets(), [created])).close();
      const summary = { network: 'stagenet', kind: 'full' };
      same(await store.list(), [
        { name: 'a', ...summary },
        { name: 'b', ...summary },
      ]);
    },
  },
  {
    name: 'refuses a wrong password in so many words and lets go of the lock',
    async run(fresh) {
      const store = await fresh();
      await (await store.create('w', 'right', secrets(), [created])).close();
      await rejects('wrong-password', store.open('w', 'wrong'));
      await rejects('wrong-password', store.open('w', ''));
      await (await store.open('w', 'right')).close();
    },
  },
  {
    name: 'opens with an empty password where that is the password',
    async run(fresh) {
      const store = await fresh();
      await (await store.create('w', '', secrets(), [created])).close();
      await rejects('wrong-password', store.open('w', ' '));
      await (await store.open('w', '')).close();
    },
  },
  {
    name: 'T17 two writers: a wallet opens in one place at a time',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'pass', secrets(), [created]);
      await rejects('locked', store.open('w', 'pass'));
      await rejects('locked', store.remove('w'));
      await journal.close();
      const again = await store.open('w', 'pass');
      await rejects('locked', store.open('w', 'pass'));
      await again.close();
      await (await store.open('w', 'pass')).close();
    },
  },
  {
    name: 'refuses a name that is taken, missing or a way out of its place',
    async run(fresh) {
      const store = await fresh();
      const made = await store.create('w', 'pass', secrets(), [created]);
      const backup = await made.backup();
      await made.close();
      await rejects('exists', store.create('w', 'other', secrets(), [created]));
      await rejects('exists', store.restore('w', 'pass', backup));
      await rejects('not-found', store.open('v', 'pass'));
      await rejects('not-found', store.remove('v'));
      const bad = [
        '',
        '.',
        '..',
        '../w',
        'a/b',
        'a\\b',
        'a\0b',
        '.hidden',
        '-w',
        ' w',
        'w.',
        'w ',
        'nul',
        'a\nb',
        'a:b',
        'a|b',
        'e\u0301',
      ];
      for (const name of [...bad, 'a'.repeat(129), '好'.repeat(81), '\ud800']) {
        await rejects('bad-name', store.create(name, 'pass', secrets(), [created]));
        await rejects('bad-name', store.open(name, 'pass'));
        await rejects('bad-name', store.restore(name, 'pass', backup));
        await rejects('bad-name', store.remove(name));
      }
      for (const name of [`user_${'0f'.repeat(32)}`, "Anna's #1 ✓ 50% [cold]", '好'.repeat(80), '~']) {
        await (await store.create(name, 'pass', secrets(), [created])).close();
        same(
          (await store.list()).some((summary) => summary.name === name),
          true,
        );
        await store.remove(name);
      }
      const journal = await store.open('w', 'pass');
      same(await collect(journal.read()), [created]);
      await journal.close();
    },
  },
  {
    name: 'compacts to what it is given and goes on from there',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'pass', secrets(), [created]);
      for (let n = 0; n < 20; n++) await journal.append([synced(n)], 'relaxed');
      const snapshot = [created, ...Array.from({ length: 600 }, (_, n) => noted(n))];
      await journal.compact(snapshot);
      same(await collect(journal.read()), snapshot);
      await journal.append([noted(1000)], 'strict');
      await journal.close();
      const again = await store.open('w', 'pass');
      same(await collect(again.read()), [...snapshot, noted(1000)]);
      await again.close();
    },
  },
  {
    name: 'changes the password: the old one no longer opens, nothing else changes',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'old', secrets(), [created]);
      await journal.append([noted(1)], 'strict');
      await rejects('wrong-password', journal.changePassword('not it', 'new'));
      await rejects('wrong-password', journal.checkPassword('new'));
      await journal.checkPassword('old');
      await journal.checkPassword('old');
      await rejects('wrong-password', journal.checkPassword('new'));
      await journal.changePassword('old', 'new');
      await rejects('wrong-password', journal.checkPassword('old'));
      await journal.checkPassword('new');
      await journal.append([noted(2)], 'strict');
      await journal.close();
      await rejects('wrong-password', store.open('w', 'old'));
      const again = await store.open('w', 'new');
      same(await collect(again.read()), [created, noted(1), noted(2)]);
      same(again.secrets, secrets());
      await again.close();
    },
  },
  {
    name: 'changes the password: the key of an older backup opens nothing that is there now',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'old', secrets(), [created]);
      await journal.append([noted(1)], 'strict');
      const before = splitContainer(await journal.backup());
      await journal.changePassword('old', 'new');
      await journal.append([noted(2)], 'strict');
      const after = splitContainer(await journal.backup());
      await journal.close();
      const { masterKey } = await openHeader(decodeHeader(before.header), 'old');
      const { walletId, generation } = decodeHeader(after.header);
      for (const [position, record] of after.records.entries()) {
        await rejects('damaged', (async () => openRecord({ masterKey, walletId, generation }, position, record))());
      }
      same(after.records.length, 3);
      // The secrets of the new header, under the key of the old one.
      const { kdf, salt, sealedKey } = decodeHeader(before.header);
      await rejects('damaged', openHeader({ ...decodeHeader(after.header), kdf, salt, sealedKey }, 'old'));
    },
  },
  {
    name: 'sends a backup out and takes it in under another name',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'pass', secrets(), [created]);
      await journal.append([synced(1, 2)], 'relaxed');
      await journal.compact([created, synced(1, 2)]);
      await journal.append([noted(2)], 'relaxed');
      const backup = await journal.backup();
      await journal.close();
      await rejects('exists', store.restore('w', 'pass', backup));
      await rejects('wrong-password', store.restore('v', 'word', backup));
      await rejects('damaged', store.restore('v', 'pass', backup.slice(0, -1)));
      await rejects('not-a-backup', store.restore('v', 'pass', new Uint8Array(0)));
      const other = await store.restore('v', 'pass', backup);
      same(await collect(other.read()), [created, synced(1, 2), noted(2)]);
      same(await other.backup(), backup);
      await other.append([noted(3)], 'strict');
      await other.close();
      const again = await store.open('v', 'pass');
      same(await collect(again.read()), [created, synced(1, 2), noted(2), noted(3)]);
      await again.close();
    },
  },
  {
    name: 'removes a wallet for good, and its name is free again',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'pass', secrets(), [created, noted(1)]);
      await journal.close();
      await store.remove('w');
      same(await store.list(), []);
      await rejects('not-found', store.open('w', 'pass'));
      const anew = await store.create('w', 'other', secrets(), [created]);
      same(await collect(anew.read()), [created]);
      await anew.close();
    },
  },
  {
    name: 'keeps the order of appends that were not awaited, and finishes them before it closes',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'pass', secrets(), [created]);
      const pending = Array.from({ length: 50 }, (_, n) => journal.append([noted(n)], n % 10 === 0 ? 'strict' : 'relaxed'));
      const closed = journal.close();
      await Promise.all([...pending, closed]);
      const again = await store.open('w', 'pass');
      same(await collect(again.read()), [created, ...Array.from({ length: 50 }, (_, n) => noted(n))]);
      await again.close();
    },
  },
  {
    name: 'T19 wipes its keys and answers nothing more once closed',
    async run(fresh) {
      const store = await fresh();
      const given = secrets();
      const journal = await store.create('w', 'pass', given, [created]);
      const held = journal.secrets;
      await journal.close();
      await journal.close();
      same(held.viewKey, new Uint8Array(32));
      same(held.spendKey, new Uint8Array(32));
      same(given, secrets());
      await rejects('closed', journal.append([noted(1)], 'strict'));
      await rejects('closed', journal.backup());
      await rejects('closed', collect(journal.read()));
    },
  },
  {
    name: 'keeps a mark beside a journal, through compaction and a new password, and in no backup',
    async run(fresh) {
      const store = await fresh();
      const journal = await store.create('w', 'pass', secrets(), [created]);
      same(await journal.mark(), undefined);
      await journal.setMark('one');
      await journal.setMark('two');
      same(await journal.mark(), 'two');
      await journal.compact([created, noted(1)]);
      await journal.changePassword('pass', 'word');
      const backup = await journal.backup();
      await journal.close();
      const again = await store.open('w', 'word');
      same(await again.mark(), 'two');
      await again.close();
      const copy = await store.restore('copy', 'word', backup);
      same(await copy.mark(), undefined);
      await copy.close();
      await store.remove('w');
      const fresher = await store.restore('w', 'word', backup);
      same(await fresher.mark(), undefined);
      await fresher.close();
    },
  },
];

async function rejects(code: string, promise: Promise<unknown>): Promise<void> {
  let got: unknown;
  try {
    await promise;
    got = 'no error';
  } catch (error) {
    got = error;
  }
  if ((got as { code?: unknown }).code !== code) throw new Error(`expected the error ${code}, got ${String(got)}`);
}

/** Deep equality of what journals hold. */
function same(got: unknown, expected: unknown, path = 'value'): void {
  if (Object.is(got, expected)) return;
  const bothObjects = typeof got === 'object' && typeof expected === 'object' && got !== null && expected !== null;
  if (!bothObjects || Array.isArray(got) !== Array.isArray(expected)) {
    throw new Error(`${path}: expected ${String(expected)}, got ${String(got)}`);
  }
  const [gotKeys, expectedKeys] = [Object.keys(got), Object.keys(expected)];
  if (gotKeys.length !== expectedKeys.length) {
    throw new Error(`${path}: expected ${expectedKeys.length} entries, got ${gotKeys.length}`);
  }
  for (const key of expectedKeys) {
    same((got as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], `${path}.${key}`);
  }
}
