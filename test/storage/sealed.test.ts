import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { argon2id } from '../../src/crypto/argon2.ts';
import { type Random, systemRandom } from '../../src/crypto/random.ts';
import type { TxHash } from '../../src/protocol/model.ts';
import { joinContainer, splitContainer } from '../../src/storage/container.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { decodeHeader, encodeHeader } from '../../src/storage/seal/header.ts';
import { CHEAP_KDF, created, noted, secrets } from './samples.ts';

const NOTHING = new Uint8Array(32);

/** What keys are drawn from, and what was drawn. */
function drawing(): { readonly random: Random; readonly drawn: Uint8Array[] } {
  const drawn: Uint8Array[] = [];
  const bytes = (length: number): Uint8Array => {
    const fresh = systemRandom.bytes(length);
    drawn.push(fresh);
    return fresh;
  };
  return { random: { bytes }, drawn };
}

describe('T19 keys of a journal', () => {
  /** A journal, and the memory of its master key: the first that is drawn of its length. */
  async function journalOf(): Promise<{ journal: Awaited<ReturnType<MemoryJournalStore['create']>>; master: Uint8Array }> {
    const { random, drawn } = drawing();
    const journal = await new MemoryJournalStore({ kdf: CHEAP_KDF, random }).create('w', 'pass', secrets(), [created]);
    const master = drawn.find(({ length }) => length === 32)!;
    expect(master).not.toEqual(NOTHING);
    return { journal, master };
  }

  it('are nowhere in memory while it is locked, but for the view key', async () => {
    const { journal, master } = await journalOf();
    const { spendKey, viewKey } = journal.secrets;
    await journal.lock();
    expect([master, spendKey]).toEqual([NOTHING, NOTHING]);
    expect(viewKey).toEqual(secrets().viewKey);
    await journal.close();
  });

  it('are nowhere in memory once it is closed, with another password, too', async () => {
    const one = await journalOf();
    await one.journal.close();
    expect(one.master).toEqual(NOTHING);
    const other = await journalOf();
    await other.journal.changePassword('pass', 'word');
    expect(other.master).not.toEqual(NOTHING);
    await other.journal.close();
    expect(other.master).toEqual(NOTHING);
  });
});

describe('T16 a wallet of another version of the program', () => {
  it.each([
    ['a later one is named as that', 2, 'newer-version'],
    ['one of no version that could follow is damage', 256, 'damaged'],
    ['none is damage', 0, 'damaged'],
  ])('%s', async (_what, version, code) => {
    const journal = await new MemoryJournalStore({ kdf: CHEAP_KDF }).create('w', 'pass', secrets(), [created]);
    const bytes = (await journal.backup()).slice();
    new DataView(bytes.buffer).setUint16('nightjar'.length, version, true);
    await expect(new MemoryJournalStore().restore('w', 'pass', bytes)).rejects.toMatchObject({ code });
    await journal.close();
  });
});

it('T16 secrets that this program cannot read are damage', async () => {
  const store = new MemoryJournalStore({ kdf: CHEAP_KDF });
  const strange = { ...secrets(), viewKey: new Uint8Array(31) };
  await (await store.create('w', 'pass', strange, [created])).close();
  await expect(store.open('w', 'pass')).rejects.toMatchObject({ code: 'damaged' });
});

describe('T19 secrets that were written and read', () => {
  /** Every array of bytes that is made while it lasts, by whomever. */
  function watchBytes(): { readonly made: Uint8Array[]; end(): void } {
    const [plain, made] = [globalThis.Uint8Array, [] as Uint8Array[]];
    globalThis.Uint8Array = new Proxy(plain, {
      construct(target, args) {
        const bytes = new target(...(args as [number]));
        made.push(bytes);
        return bytes;
      },
    });
    return { made, end: () => Object.assign(globalThis, { Uint8Array: plain }) };
  }

  it('are in no array once the journal is closed', async () => {
    const key = '7a'.repeat(32);
    const txKey = '5b'.repeat(32);
    const own = { ...secrets(), spendKey: new Uint8Array(32).fill(0x7a) };
    const told = { txHash: 'ab'.repeat(32) as TxHash, txKeys: Array.from({ length: 60 }, () => txKey) };
    const watched = watchBytes();
    try {
      const store = new MemoryJournalStore({ kdf: CHEAP_KDF });
      const journal = await store.create('w', 'pass', own, [created]);
      await journal.append([{ type: 'TransactionSigned', ...told }], 'strict');
      await journal.close();
      const again = await store.open('w', 'pass');
      for await (const event of again.read()) expect(event).toBeDefined();
      await again.close();
    } finally {
      watched.end();
    }
    expect(watched.made.length).toBeGreaterThan(20);
    const whole = new Set(watched.made.map(({ buffer }) => buffer));
    const left = [...whole].filter((buffer) => {
      const text = bytesToHex(new Uint8Array(buffer));
      return text.includes(key) || text.includes(txKey);
    });
    expect(left).toHaveLength(0);
  });
});

describe('T19 a password', () => {
  it('is wiped together with its key, whether it was right or wrong', async () => {
    const held: Uint8Array[] = [];
    const hash: typeof argon2id = async (input, ...rest) => {
      const key = await argon2id(input, ...rest);
      expect(key).not.toEqual(NOTHING);
      held.push(input.password, key);
      return key;
    };
    const store = new MemoryJournalStore({ kdf: CHEAP_KDF, hash });
    await (await store.create('w', 'pass', secrets(), [created])).close();
    await expect(store.open('w', 'wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    const journal = await store.open('w', 'pass');
    await journal.changePassword('pass', 'word');
    await journal.close();
    expect(held).toHaveLength(10);
    expect(held.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
  });
});

describe('a stranger’s backup', () => {
  async function backup(): Promise<Uint8Array> {
    const journal = await new MemoryJournalStore({ kdf: CHEAP_KDF }).create('w', 'pass', secrets(), [created]);
    await journal.append([noted(1)], 'strict');
    return journal.backup();
  }

  it.each([
    ['memory', { memory: 1_048_577 }],
    ['passes', { passes: 65 }],
    ['lanes', { lanes: 17, memory: 200 }],
    ['both', { memory: 1_048_576, passes: 9 }],
  ])('T6 whose password costs too much %s is refused before it is hashed', async (_, cost) => {
    const { header, records } = splitContainer(await backup());
    const costly = encodeHeader({ ...decodeHeader(header), kdf: { ...CHEAP_KDF, ...cost } });
    const hashed: unknown[] = [];
    const hash: typeof argon2id = (...asked) => {
      hashed.push(asked);
      return argon2id(asked[0], CHEAP_KDF, asked[2]);
    };
    const restored = new MemoryJournalStore({ hash }).restore('w', 'pass', joinContainer(costly, records));
    await expect(restored).rejects.toMatchObject({ code: 'damaged' });
    expect(hashed).toEqual([]);
  });

  it('T16 of which a record was changed, its checksums put right, is refused whole', async () => {
    const { header, records } = splitContainer(await backup());
    const changed = records.map((record, at) => (at === 1 ? record.map((byte, i) => (i === 30 ? byte ^ 1 : byte)) : record));
    const store = new MemoryJournalStore();
    await expect(store.restore('w', 'pass', joinContainer(header, changed))).rejects.toMatchObject({ code: 'damaged' });
    expect(await store.list()).toEqual([]);
    await (await store.restore('w', 'pass', joinContainer(header, records))).close();
  });
});
