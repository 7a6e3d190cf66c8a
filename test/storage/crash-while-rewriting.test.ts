import { cp, type FileHandle, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import type { Journal } from '../../src/wallet/ports.ts';
import { CHEAP_KDF, collect, created, noted, secrets } from './samples.ts';

// A wallet file that is written anew, and a process that dies, or a disk that fails, at each thing that is asked of the disk meanwhile.

let root: string;
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'nightjar-rewriting-'));
});

afterAll(() => rm(root, { recursive: true }));

const EVENTS = [created, noted(1), noted(2)];
const SNAPSHOT = [created, noted(2)];
const storeIn = (folder: string) => new FileJournalStore(folder, { kdf: CHEAP_KDF });

async function wallet(): Promise<{ folder: string; journal: Journal }> {
  const folder = join(root, String(made++));
  const journal = await storeIn(folder).create('w', 'old', secrets(), [created]);
  await journal.append([noted(1)], 'strict');
  await journal.append([noted(2)], 'strict');
  return { folder, journal };
}

type Ask = (handle: FileHandle, pass: () => Promise<unknown>) => Promise<unknown>;

/** Does something while each request to the disk goes through `ask`. */
async function watching(folder: string, ask: Ask, work: () => Promise<unknown>): Promise<void> {
  const file = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const spies = (['write', 'sync', 'datasync'] as const).map((name) => {
    const plain = prototype[name];
    return vi.spyOn(prototype, name).mockImplementation(async function (this: FileHandle, ...given: unknown[]) {
      return ask(this, () => Promise.resolve(Reflect.apply(plain as () => unknown, this, given)));
    } as never);
  });
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** What a password opens: the events, or the code of why not. */
async function openedBy(folder: string, password: string): Promise<unknown> {
  try {
    const journal = await storeIn(folder).open('w', password);
    const events = await collect(journal.read());
    expect(journal.secrets).toEqual(secrets());
    await journal.close();
    return events;
  } catch (error) {
    return (error as { readonly code?: string }).code ?? error;
  }
}

const rewritings = [
  {
    what: 'the password is changed',
    run: (journal: Journal) => journal.changePassword('old', 'new'),
    next: 'new',
    after: EVENTS,
  },
  { what: 'the journal is compacted', run: (journal: Journal) => journal.compact(SNAPSHOT), next: 'old', after: SNAPSHOT },
] as const;

describe.each(rewritings)('T16 crash while $what', ({ run, next, after }) => {
  it('a killed process leaves the wallet of before or of after, and what is acknowledged is after', async () => {
    const { folder, journal } = await wallet();
    const instants: string[] = [];
    const keep = async () => {
      const copy = `${folder}-${instants.length}`;
      await cp(folder, copy, { recursive: true, filter: (path) => !basename(path).startsWith('.lock') });
      instants.push(copy);
    };
    let depth = 0;
    const ask: Ask = async (_, pass) => {
      if (depth > 0) return pass();
      depth += 1;
      await keep();
      const done = await pass();
      await keep();
      depth -= 1;
      return done;
    };
    await watching(folder, ask, () => run(journal));
    expect(instants.length).toBeGreaterThan(4);
    const seen = [];
    for (const instant of instants) {
      const [byOld, byNext] = [await openedBy(instant, 'old'), await openedBy(instant, next)];
      const isBefore = JSON.stringify(byOld) === JSON.stringify(EVENTS);
      seen.push(isBefore ? 'before' : 'after');
      if (next !== 'old') expect(isBefore ? byNext : byOld).toBe('wrong-password');
      if (!isBefore) expect(byNext).toEqual(after);
    }
    expect(new Set(seen)).toEqual(new Set(['before', 'after']));
    expect(seen.toSorted().reverse(), 'never back').toEqual(seen);
    await journal.close();
    expect(await openedBy(folder, next)).toEqual(after);
    if (next !== 'old') expect(await openedBy(folder, 'old')).toBe('wrong-password');
    // Nothing lies beside it that the old password opens.
    const files = await readdir(folder);
    for (const name of files.filter((file) => file !== 'w.nightjar'))
      expect((await readFile(join(folder, name)).catch(() => Buffer.alloc(0))).includes('nightjar'), name).toBe(false);
  });

  it('a disk failure is reported, and the wallet is in the state before or after the write', async () => {
    let asked = 0;
    for (let failing = 0; failing <= asked; failing++) {
      const { folder, journal } = await wallet();
      asked = 0;
      const ask: Ask = async (_, pass) => {
        asked += 1;
        if (asked === failing) throw Object.assign(new Error('worn out'), { code: 'EIO' });
        return pass();
      };
      const outcome = { code: 'done' };
      await watching(folder, ask, () =>
        run(journal).catch((error: { readonly code: string }) => {
          outcome.code = error.code;
        }),
      );
      if (failing === 0) expect(asked).toBeGreaterThan(2);
      const { code } = outcome;
      expect(['done', 'unavailable'], `${failing}`).toContain(code);
      await journal.append([noted(3)], 'strict');
      await journal.close();
      const byNext = await openedBy(folder, next);
      const byOld = await openedBy(folder, 'old');
      const found = Array.isArray(byNext) ? byNext : byOld;
      expect(
        [
          [...EVENTS, noted(3)],
          [...after, noted(3)],
        ],
        `${failing}`,
      ).toContainEqual(found);
      if (code === 'done') expect(byNext, `${failing}`).toEqual([...after, noted(3)]);
    }
  });
});
