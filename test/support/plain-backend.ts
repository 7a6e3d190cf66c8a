import type { Journal, JournalStore, JournalSummary } from '../../src/wallet/ports.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { copySecrets, type WalletSecrets } from '../../src/wallet/wallet-secrets.ts';

interface Kept {
  password: string;
  readonly secrets: WalletSecrets;
  records: WalletEvent[][];
  mark?: string;
}

/** Unsealed journals in memory, which open quickly: for tests of the layers above the journal. Records survive an unclosed one. */
export class PlainBackend implements JournalStore {
  readonly #kept = new Map<string, Kept>();
  /** Records of a journal, as appended. */
  records(name: string): readonly (readonly WalletEvent[])[] {
    return this.#require(name).records;
  }

  async list(): Promise<readonly JournalSummary[]> {
    return [...this.#kept.keys()].map((name) => ({ name, network: '', kind: '' }));
  }

  async create(name: string, password: string, secrets: WalletSecrets, first: readonly WalletEvent[]): Promise<Journal> {
    this.#kept.set(name, { password, secrets: copySecrets(secrets), records: [structuredClone([...first])] });
    return this.open(name, password);
  }

  async open(name: string, password: string): Promise<Journal> {
    const kept = this.#require(name);
    const check = (given: string) => {
      if (given !== kept.password) throw Object.assign(new Error('expected the right password'), { code: 'wrong-password' });
    };
    check(password);
    return {
      secrets: copySecrets(kept.secrets),
      async *read() {
        for (const record of kept.records) yield* structuredClone(record);
      },
      append: async (events) => {
        kept.records.push(structuredClone([...events]));
      },
      compact: async (events) => {
        kept.records = [structuredClone([...events])];
      },
      checkPassword: async (password) => check(password),
      changePassword: async (oldPassword, newPassword) => {
        check(oldPassword);
        kept.password = newPassword;
      },
      lock: () => Promise.reject(new Error('expected no background sync')),
      unlock: () => Promise.reject(new Error('expected no background sync')),
      label: async () => undefined,
      backup: async () => new Uint8Array(),
      mark: async () => kept.mark,
      setMark: async (mark) => {
        kept.mark = mark;
      },
      close: async () => undefined,
    };
  }

  async openByKey(): Promise<Journal> {
    throw new Error('expected no background wallet here');
  }

  async restore(): Promise<Journal> {
    throw new Error('expected no backups here');
  }

  async remove(name: string): Promise<void> {
    this.#kept.delete(name);
  }

  #require(name: string): Kept {
    const kept = this.#kept.get(name);
    if (kept === undefined) throw Object.assign(new Error('expected a journal of that name'), { code: 'not-found' });
    return kept;
  }
}
