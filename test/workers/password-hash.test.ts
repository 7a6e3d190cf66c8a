import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Argon2Cost, Argon2Input } from '../../src/crypto/argon2.ts';
import { argon2id } from '../../src/crypto/index.ts';
import { DEFAULT_KDF, MemoryJournalStore } from '../../src/storage/index.ts';
import type { PasswordWorkerRequest } from '../../workers/password-messages.ts';

// The way of a password from the wallet's worker to a worker of its own and back: the worker's own file, with messages copied as a browser copies them.

type Listener = (event: { readonly data?: unknown }) => unknown;

const asked = (): [Argon2Input, Argon2Cost, number] => [
  { password: new TextEncoder().encode('a password'), salt: new Uint8Array(16).fill(7) },
  { memory: 8, passes: 1, lanes: 1 },
  32,
];
const expected = await argon2id(...asked());

/** The file of the worker: what it hears, and what it says. */
const inside = new Map<string, Listener>();
/** Which worker's turn it is: they share the file here. */
const turn = new AsyncLocalStorage<(said: unknown) => void>();
const begun: unknown[] = [];
vi.stubGlobal('self', {
  location: { href: 'https://page.example/app/', origin: 'https://page.example' },
  addEventListener: (type: string, listener: Listener) => inside.set(type, listener),
  postMessage: (said: unknown) => (turn.getStore() ?? ((word) => begun.push(word)))(said),
});

/** What befalls a worker: it is refused, fails before or after it is asked, cannot hash, or is never loaded. */
type Fate =
  | 'works'
  | 'is refused'
  | 'fails at once'
  | 'fails when asked'
  | 'has no memory'
  | 'says what cannot be read'
  | 'never begins';
let fate: Fate = 'works';
let workers: StandIn[] = [];

class StandIn {
  readonly #listeners = new Map<string, Listener>();
  ended = false;
  /** KiB of the hash that it was told to expect. */
  expected: number | undefined;
  /** What lies in the worker once it has answered: the copy of the password, and the hash. */
  readonly left: Uint8Array[] = [];

  constructor() {
    if (fate === 'is refused') throw new DOMException('refused', 'SecurityError');
    workers.push(this);
    if (fate === 'fails at once') queueMicrotask(() => this.#tell('error'));
    if (fate === 'works' || fate === 'has no memory') queueMicrotask(() => this.#tell('message', 'ready'));
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener);
  }

  async postMessage(data: PasswordWorkerRequest): Promise<void> {
    if ('expected' in data) {
      this.expected = data.expected;
      return;
    }
    const copy = structuredClone(data);
    if (fate === 'fails when asked') this.#tell('error');
    if (fate === 'says what cannot be read') this.#tell('messageerror');
    if (fate !== 'works' && fate !== 'has no memory') return;
    const cost = fate === 'works' ? copy.cost : { ...copy.cost, memory: 4_194_304 };
    const answer = (hash: unknown) => {
      this.left.push(copy.input.password, ...(hash instanceof Uint8Array ? [hash] : []));
      this.#tell('message', structuredClone(hash));
    };
    await turn.run(answer, async () => inside.get('message')!({ data: { ...copy, cost } }));
  }

  terminate(): void {
    this.ended = true;
  }

  #tell(type: string, data?: unknown): void {
    this.#listeners.get(type)?.({ data });
  }
}

vi.stubGlobal('Worker', StandIn);
await import('../../workers/password.worker.ts');
const { PasswordHasher } = await import('../../workers/password-hash.ts');

beforeEach(() => {
  fate = 'works';
  workers = [];
});

describe('T19 a password', () => {
  it('is hashed in a worker that ends with it, and leaves neither password nor hash there', async () => {
    expect(begun).toEqual(['ready']);
    const hash = await new PasswordHasher().hash(...asked());
    expect(hash).toEqual(expected);
    expect(workers.map(({ ended }) => ended)).toEqual([true]);
    const [{ left }] = workers as [StandIn];
    expect(left.map(({ length }) => length)).toEqual([10, 32]);
    expect(left.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
  });

  it.each<Fate>(['is refused', 'fails at once', 'fails when asked', 'has no memory', 'says what cannot be read', 'never begins'])(
    'whose worker %s is hashed in the wallet’s',
    async (what) => {
      vi.useFakeTimers();
      try {
        fate = what;
        const hasher = new PasswordHasher();
        for (const prepared of [false, true]) {
          if (prepared) hasher.prepare();
          const hash = hasher.hash(...asked());
          await vi.advanceTimersByTimeAsync(3_000);
          expect(await hash).toEqual(expected);
        }
        expect(workers.every(({ ended }) => ended)).toBe(true);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('that takes long is waited for, once its worker has begun', async () => {
    vi.useFakeTimers();
    try {
      const postMessage = vi.spyOn(StandIn.prototype, 'postMessage').mockResolvedValue(undefined);
      let hash: Uint8Array | undefined;
      void new PasswordHasher().hash(...asked()).then((made) => {
        hash = made;
      });
      await vi.advanceTimersByTimeAsync(600_000);
      expect(hash).toBeUndefined();
      postMessage.mockRestore();
      expect(workers[0]!.ended).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('and another at the same time get a worker each; a cost that is too high is an error of the kernel', async () => {
    const hasher = new PasswordHasher();
    const other: Argon2Input = { ...asked()[0], salt: new Uint8Array(16) };
    const hashes = await Promise.all([hasher.hash(...asked()), hasher.hash(other, asked()[1], 32)]);
    expect(hashes).toEqual([expected, await argon2id(other, asked()[1], 32)]);
    expect(workers.map(({ ended }) => ended)).toEqual([true, true]);
    const unbearable = hasher.hash(asked()[0], { memory: 4_194_304, passes: 1, lanes: 1 }, 32);
    await expect(unbearable).rejects.toMatchObject({ code: 'kernel-unavailable' });
  });
});

describe('a worker for a password that is being typed', () => {
  it('is one, takes the next hash, and ends when none comes within a minute', async () => {
    vi.useFakeTimers();
    try {
      const hasher = new PasswordHasher();
      hasher.prepare();
      hasher.prepare();
      expect(workers.map(({ expected: told }) => told)).toEqual([DEFAULT_KDF.memory]);
      await hasher.hash(...asked());
      expect(workers.map(({ ended }) => ended)).toEqual([true]);
      hasher.prepare();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(workers.map(({ ended }) => ended)).toEqual([true, true]);
      expect(await hasher.hash(...asked())).toEqual(expected);
      expect(workers.length).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gets a kernel ready, which the hash is then made with, be it ready by then or not', async () => {
    for (const wait of [false, true]) {
      const instantiate = vi.spyOn(WebAssembly, 'instantiate');
      const said = new Promise<unknown>((resolve) => {
        const [input, cost, length] = asked();
        void turn.run(
          (hash) => resolve(structuredClone(hash)),
          async () => {
            await inside.get('message')!({ data: { expected: 100 } });
            if (wait) await vi.waitFor(() => expect(instantiate.mock.results.length).toBe(1));
            await inside.get('message')!({ data: { input, cost, length } });
          },
        );
      });
      expect(await said).toEqual(expected);
      expect(instantiate.mock.results.length).toBe(1);
      instantiate.mockRestore();
    }
  });

  it('is none on an offline device, whose server is asked for nothing; one that was started before ends', async () => {
    const hasher = new PasswordHasher();
    hasher.prepare();
    hasher.hashInThisThread(true);
    expect(workers.map(({ ended }) => ended)).toEqual([true]);
    hasher.prepare();
    expect(await hasher.hash(...asked())).toEqual(expected);
    expect(workers.length).toBe(1);
    hasher.hashInThisThread(false);
    expect(await hasher.hash(...asked())).toEqual(expected);
    expect(workers.length).toBe(2);
  });
});

describe('T19 a hash that begins before its password is confirmed', () => {
  const [input, cost] = asked();
  const endings = (): boolean[] => workers.map(({ ended }) => ended);

  it('is the one that opens the wallet; its worker ends with it', async () => {
    const hasher = new PasswordHasher();
    const store = new MemoryJournalStore({ kdf: cost, hash: (...args) => hasher.hash(...args) });
    const secrets = { spendKey: undefined, viewKey: new Uint8Array(32), seedLanguage: 'English' };
    await (await store.create('mine', 'a password', secrets, [])).close();
    workers = [];
    await store.hashAhead('mine', 'a password', (...args) => hasher.ahead(...args));
    expect(endings()).toEqual([false]);
    await (await store.open('mine', 'a password')).close();
    expect(endings()).toEqual([true]);
    await store.hashAhead('mine', 'a passwort', (...args) => hasher.ahead(...args));
    await expect(store.open('mine', 'a passwort')).rejects.toMatchObject({ code: 'wrong-password' });
    await (await store.open('mine', 'a password')).close();
    expect(endings()).toEqual([true, true, true]);
  });

  it.each<[string, [Argon2Input, Argon2Cost, number]]>([
    ['password', [{ ...input, password: new TextEncoder().encode('a passwore') }, { ...cost, memory: 16 }, 32]],
    ['salt', [{ ...input, salt: new Uint8Array(16).fill(8) }, { ...cost, memory: 16 }, 32]],
    ['memory', [input, { ...cost, memory: 24 }, 32]],
    ['number of passes', [input, { ...cost, memory: 16, passes: 2 }, 32]],
    ['number of lanes', [input, { memory: 16, passes: 1, lanes: 2 }, 32]],
    ['length', [input, { ...cost, memory: 16 }, 33]],
  ])('does not answer for another %s', async (_, other) => {
    const hasher = new PasswordHasher();
    await hasher.ahead(input, { ...cost, memory: 16 }, 32);
    expect(await hasher.hash(...other)).toEqual(await argon2id(...other));
    expect(endings()).toEqual([true, true]);
  });

  it('ends when another begins, on an offline device, and a minute later; what it knows is wiped', async () => {
    vi.useFakeTimers();
    try {
      const hasher = new PasswordHasher();
      await hasher.ahead(...asked());
      await hasher.ahead({ ...input, salt: new Uint8Array(16) }, cost, 32);
      expect(endings()).toEqual([true, false]);
      hasher.hashInThisThread(true);
      await hasher.ahead(...asked());
      expect(endings()).toEqual([true, true]);
      hasher.hashInThisThread(false);
      const fill = vi.spyOn(Uint8Array.prototype, 'fill');
      await hasher.ahead(...asked());
      fill.mockClear();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(endings()).toEqual([true, true, true]);
      expect(fill.mock.contexts.map((bytes) => (bytes as Uint8Array).length)).toEqual([10, 32]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('and fails is computed when it is asked for; one that is ended meanwhile is waited for by nobody', async () => {
    const hasher = new PasswordHasher();
    fate = 'fails when asked';
    await hasher.ahead(...asked());
    expect(await hasher.hash(...asked())).toEqual(expected);
    fate = 'never begins';
    const begun = hasher.ahead(...asked());
    hasher.hashInThisThread(true);
    await begun;
    expect(endings()).toEqual([true, true]);
  });
});
