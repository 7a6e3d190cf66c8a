import { beforeEach, expect, it, vi } from 'vitest';

// Which wallet is open, over a worker that answers when it is told to, and may die.

const page = vi.hoisted(() => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), { location: { hash: '' }, history: { replaceState: () => undefined } }),
  );
  const own = { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) };
  vi.stubGlobal('localStorage', new Proxy(storage, own));
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('navigator', { storage: { persist: async () => true, persisted: async () => true } });
  return { kept };
});

const worker = vi.hoisted(() => ({
  started: 0,
  ended: 0,
  die: (): void => undefined,
  /** What a call of the host does; it resolves with nothing where none is told. */
  answers: new Map<string, (...args: never[]) => unknown>(),
}));

vi.mock('../../../workers/client.ts', async (original) => ({
  ...(await original<typeof import('../../../workers/client.ts')>()),
  startWallet: (onCrash: () => void) => {
    worker.started += 1;
    worker.die = onCrash;
    const call =
      (name: string) =>
      async (...args: never[]) =>
        worker.answers.get(name)?.(...args);
    const wallet = new Proxy({}, { get: (_, name: string) => call(`wallet.${name}`) });
    const host = new Proxy({}, { get: (_, name: string) => (name === 'wallet' ? wallet : call(name)) });
    const terminate = (): void => {
      worker.ended += 1;
    };
    return { host, terminate };
  },
}));

/** Wallets whose PIN was deleted: the store of PINs is a browser's. */
const unpinned = vi.hoisted((): string[] => []);
vi.mock('../../../src/app/services/pin.ts', async (original) => ({
  ...(await original<typeof import('../../../src/app/services/pin.ts')>()),
  forgetPin: async (wallet: string) => void unpinned.push(wallet),
}));

const VIEW = { sync: { phase: 'live', height: 7, rate: 0 }, version: 1, accounts: [] };
const ADA = { name: 'Ada', network: 'mainnet', kind: 'full' };
const BOB = { name: 'Bob', network: 'mainnet', kind: 'full' };

beforeEach(() => {
  page.kept.clear();
  worker.answers.clear();
  worker.answers.set('list', () => [ADA, BOB]);
  worker.answers.set('recognise', () => ({ fingerprint: 'hash', same: [], otherName: undefined, displayName: undefined }));
  worker.answers.set('wallet.view', () => VIEW);
  worker.answers.set('wallet.subscribe', () => () => undefined);
  for (const list of ['history', 'subaddresses', 'contacts']) worker.answers.set(`wallet.${list}`, () => []);
  worker.started = 0;
  worker.ended = 0;
  vi.resetModules();
});

async function started() {
  const { session } = await import('../../../src/app/managers/session.svelte.ts');
  await session.start();
  return session;
}

it('offers the wallet that was open last, and the first one where that is gone', async () => {
  const session = await started();
  expect([session.stage, session.lastOpen]).toEqual(['closed', 'Ada']);
  await session.open('Bob', 'password');
  expect([session.stage, session.lastOpen]).toEqual(['open', 'Bob']);
  worker.answers.set('list', () => [ADA]);
  await session.lock();
  expect([session.stage, session.lastOpen]).toEqual(['closed', 'Ada']);
});

it('keeps a wallet open that was made before the site had answered', async () => {
  const { session } = await import('../../../src/app/managers/session.svelte.ts');
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    worker.answers.set('site', () => {
      resolve();
      return new Promise<void>((told) => {
        answer = told;
      });
    });
  });
  const starting = session.start();
  await asked;
  await session.make('Bob', async () => undefined);
  answer();
  await starting;
  expect(session.stage).toBe('open');
});

it('stays closed where the password is wrong', async () => {
  const session = await started();
  worker.answers.set('open', () => Promise.reject(new Error('expected the password')));
  await expect(session.open('Ada', 'wrong')).rejects.toThrow();
  expect(session.stage).toBe('closed');
});

it('says that the worker died, and starts another one only when something is asked of it', async () => {
  const session = await started();
  await session.open('Ada', 'password');
  worker.die();
  expect([session.stage, session.crashed, worker.started]).toEqual(['closed', true, 1]);
  await session.open('Ada', 'password');
  expect([session.stage, session.crashed, worker.started]).toEqual(['open', false, 2]);
});

it('T19 ends a worker that cannot close its wallet, with the keys in it', async () => {
  const session = await started();
  await session.open('Ada', 'password');
  worker.answers.set('lock', () => Promise.reject(new Error('expected the journal to close')));
  await session.lock();
  expect([session.stage, worker.ended]).toEqual(['closed', 1]);
});

it('compares a wallet with the fingerprints of the others, and forgets the fingerprint of one that is removed', async () => {
  const asked: unknown[] = [];
  worker.answers.set('recognise', (others: unknown) => {
    asked.push(others);
    return { fingerprint: `hash ${asked.length}`, same: asked.length > 1 ? ['Ada'] : [] };
  });
  const session = await started();
  await session.open('Ada', 'password');
  await session.open('Bob', 'password');
  expect(asked).toEqual([[], [{ name: 'Ada', fingerprint: 'hash 1' }]]);
  expect(session.duplicates).toEqual(['Ada']);
  await session.remove('Ada', undefined);
  expect(unpinned, 'with what a PIN of it sealed').toEqual(['Ada']);
  await session.open('Bob', 'password');
  expect(asked.at(-1)).toEqual([]);
});

it('T18 keeps nothing of a wallet that is removed, not even its name, nor of one that was removed before the browser was killed', async () => {
  const keys = ['ask-above', 'backup-reminded', 'called', 'keep-ready', 'mark', 'passkey', 'pin'];
  const keep = (name: string) => {
    for (const key of keys) page.kept.set(`nightjar.${key}.${name}`, `kept of ${name}`);
  };
  const keptOf = (name: string) => [...page.kept].filter((entry) => entry.join(' ').includes(name));
  worker.answers.set('list', () => [ADA, BOB]);
  for (const name of ['Ada', 'Bob', 'Gone']) keep(name);
  page.kept.set('nightjar.last-wallet', 'Gone');
  const session = await started();
  await vi.waitFor(() => expect(unpinned).toContain('Gone'));
  expect(keptOf('Gone')).toEqual([]);
  expect(keptOf('Bob')).toHaveLength(keys.length);

  await session.open('Ada', 'password');
  worker.answers.set('list', () => [BOB]);
  await session.remove('Ada', undefined);
  expect(keptOf('Ada')).toEqual([]);
  expect([session.lastOpen, session.isNew]).toEqual(['Bob', false]);

  // A wallet that is made under a name takes over nothing of an earlier one.
  keep('Carl');
  worker.answers.set('list', () => [BOB, { ...ADA, name: 'Carl' }]);
  await session.make('Carl', async () => undefined);
  expect(keptOf('Carl').map(([key]) => key)).toEqual(['nightjar.last-wallet', 'nightjar.mark.Carl']);
});

it('drops nothing of any wallet where there is no list', async () => {
  page.kept.set('nightjar.passkey.Ada', 'sealed');
  worker.answers.set('list', () => Promise.reject(new Error('expected storage')));
  await started();
  expect(page.kept.get('nightjar.passkey.Ada')).toBe('sealed');
});

it('calls no view-only wallet a second one of the wallet it watches, nor that one of it', async () => {
  worker.answers.set('list', () => [ADA, BOB, { ...BOB, name: 'Bob watched', kind: 'view' }]);
  const session = await started();
  worker.answers.set('recognise', () => ({ fingerprint: '', same: ['Ada', 'Bob watched'] }));
  await session.open('Bob', 'password');
  expect(session.duplicates).toEqual(['Ada']);
  worker.answers.set('recognise', () => ({ fingerprint: '', same: ['Ada', 'Bob'] }));
  worker.answers.set('wallet.view', () => ({ ...VIEW, kind: 'view' }));
  // One that was made just now is in no list yet.
  worker.answers.set('list', () => [ADA, BOB]);
  await session.start();
  await session.open('Bob watched', 'password');
  expect(session.duplicates).toEqual([]);
});

it('shows a wallet by the name it was given, and tells where that is not what the wallet calls itself', async () => {
  const session = await started();
  const { displayNames } = await import('../../../src/app/managers/display-names.svelte.ts');
  await session.open('Ada', 'password');
  await session.rename('Ada', 'Savings');
  expect(displayNames.of('Ada')).toBe('Savings');
  expect(session.takenNames('Bob')).toEqual(['Ada', 'Savings']);
  expect(session.takenNames('Ada')).toEqual(['Bob', 'Bob']);
  const own = (displayName: string | undefined, otherName?: string) =>
    worker.answers.set('recognise', () => ({ fingerprint: 'hash', same: [], otherName, displayName }));
  const told = async (name: string) => {
    await session.open(name, 'password');
    return [session.otherName, displayNames.of(name)];
  };
  own('Savings');
  expect(await told('Ada')).toEqual([undefined, 'Savings']);
  // Something has exchanged the names, or the wallets.
  displayNames.set('Ada', 'Daily');
  expect(await told('Ada')).toEqual(['Savings', 'Savings']);
  own(undefined);
  expect(await told('Ada')).toEqual(['Ada', 'Ada']);
  own('Savings', 'Savings');
  expect(await told('Bob')).toEqual(['Savings', 'Bob']);
  const removed: unknown[] = [];
  worker.answers.set('remove', (...args: unknown[]) => removed.push(args));
  displayNames.set('Ada', 'Savings');
  await session.remove('Ada', 'password');
  expect([removed, displayNames.of('Ada')], 'the wallet is held against the name that was shown').toEqual([
    [['Ada', 'password', 'Savings']],
    'Ada',
  ]);
});

it('says why there is no list, and asks again for the site once there is a connection', async () => {
  worker.answers.set('list', () => Promise.reject(new Error('expected storage')));
  worker.answers.set('site', () => Promise.reject(new Error('expected a connection')));
  const session = await started();
  expect(session.listError).not.toBeUndefined();
  expect(session.site).toBeUndefined();
  worker.answers.set('site', () => ({ network: 'stagenet' }));
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(session.site).toEqual({ network: 'stagenet' }));
});

it('T12 a kept network that is none is taken for none', async () => {
  const session = await started();
  for (const [kept, network] of [
    ['stagenet', 'stagenet'],
    ['', 'mainnet'],
    ['constructor', 'mainnet'],
  ] as const) {
    page.kept.set('nightjar.network', kept);
    expect(session.network, kept).toBe(network);
  }
});
