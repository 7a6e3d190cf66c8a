import { type DBSchema, type IDBPObjectStore, openDB } from 'idb';
import { paddedPassword, passwordIn } from './padded-password.ts';
import { PinError } from './pin-error.ts';

/**
 * A password sealed twice: with a key derived from a PIN (Argon2id), and with a non-extractable key of this browser. Each try is counted
 * before it is made, and the last wrong one deletes the record.
 */

/** Minimum number of digits. */
export const PIN_SHORTEST = 6;
/** Maximum number of digits. */
export const PIN_LONGEST = 12;
/** Number of wrong PINs in a row that deletes the record. */
export const PIN_TRIES = 5;

/** Stored record of a wallet's PIN. */
interface PinRecord {
  /** AES-256-GCM, not extractable. */
  readonly key: CryptoKey;
  /** 16 bytes. */
  readonly salt: Uint8Array<ArrayBuffer>;
  /** The password, sealed twice. */
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly tries: number;
}

interface PinSchema extends DBSchema {
  pins: { key: string; value: PinRecord };
}

type PinStore = IDBPObjectStore<PinSchema, ['pins'], 'pins', 'readwrite'>;

/** Derives 32 bytes from a PIN with a slow hash. */
export type Stretch = (pin: string, salt: Uint8Array) => Promise<Uint8Array>;

const IV_BYTES = 12;

/** Whether a text is acceptable as a PIN: digits only, long enough, and not one of the first guesses. */
export function isPin(text: string): boolean {
  if (!/^\d+$/.test(text) || text.length < PIN_SHORTEST) return false;
  const steps = new Set([...text].slice(1).map((digit, at) => Number(digit) - Number(text[at])));
  // 111111, 123456, 654321.
  return !(steps.size === 1 && [0, 1, -1].includes([...steps][0] ?? 0));
}

/** Keeps a wallet's password behind a PIN, with all tries left, in place of an earlier one (docs/custody.md). @param stretch Argon2id of the PIN */
export async function sealBehindPin(wallet: string, pin: string, password: string, stretch: Stretch): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const inner = await seal(await pinKey(pin, salt, stretch), paddedPassword(password), wallet);
  const record: PinRecord = { key, salt, sealed: await seal(key, inner, wallet), tries: PIN_TRIES };
  await inStore((store) => store.put(record, wallet));
}

/** The wallet's password. @throws PinError */
export async function openWithPin(wallet: string, pin: string, stretch: Stretch): Promise<string> {
  const record = await takeTry(wallet);
  if (record === undefined) throw new PinError('pin-gone', 0);
  const password = await unsealed(record, wallet, pin, stretch);
  if (password !== undefined) {
    await giveTries(wallet, record.salt);
    return password;
  }
  if (record.tries > 0) throw new PinError('pin-wrong', record.tries);
  await forgetPin(wallet);
  throw new PinError('pin-gone', 0);
}

/** Whether there is a record. */
export const hasPin = (wallet: string): Promise<boolean> => inStore(async (store) => (await store.getKey(wallet)) !== undefined);

/** Deletes the record, if there is one; the password remains. */
export const forgetPin = (wallet: string): Promise<void> => inStore((store) => store.delete(wallet));

/**
 * Counts a try before it is made, in one transaction, so that neither closing the page nor a second page gains tries. A page killed during the
 * last try leaves a record without tries, which is deleted when it is next read.
 */
const takeTry = (wallet: string): Promise<PinRecord | undefined> =>
  inStore(async (store) => {
    const record = await store.get(wallet);
    if (record === undefined) return undefined;
    if (record.tries < 1) return void (await store.delete(wallet));
    const taken = { ...record, tries: record.tries - 1 };
    await store.put(taken, wallet);
    return taken;
  });

/** Resets the count after a right PIN, unless the record was deleted or replaced meanwhile. */
const giveTries = (wallet: string, salt: Uint8Array): Promise<void> =>
  inStore(async (store) => {
    const record = await store.get(wallet);
    if (record?.salt.every((byte, at) => byte === salt[at])) await store.put({ ...record, tries: PIN_TRIES }, wallet);
  });

async function unsealed(
  { key, salt, sealed }: PinRecord,
  wallet: string,
  pin: string,
  stretch: Stretch,
): Promise<string | undefined> {
  const inner = await unseal(key, sealed, wallet);
  const password = inner && (await unseal(await pinKey(pin, salt, stretch), inner, wallet));
  return password && passwordIn(password);
}

async function pinKey(pin: string, salt: Uint8Array, stretch: Stretch): Promise<CryptoKey> {
  const bytes = new Uint8Array(await stretch(pin, salt));
  try {
    return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  } finally {
    bytes.fill(0);
  }
}

const gcm = (iv: Uint8Array<ArrayBuffer>, wallet: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(wallet),
});

async function seal(key: CryptoKey, text: Uint8Array<ArrayBuffer>, wallet: string): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, wallet), key, text));
  const whole = new Uint8Array(IV_BYTES + sealed.length);
  whole.set(iv);
  whole.set(sealed, IV_BYTES);
  return whole;
}

async function unseal(
  key: CryptoKey,
  whole: Uint8Array<ArrayBuffer>,
  wallet: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const opened = crypto.subtle.decrypt(gcm(whole.slice(0, IV_BYTES), wallet), key, whole.slice(IV_BYTES));
  return opened.then(
    (text) => new Uint8Array(text),
    () => undefined,
  );
}

/** @param work what is asked of the store in one transaction; its outcome is given once that is on the disk */
async function inStore<T>(work: (store: PinStore) => Promise<T>): Promise<T> {
  const database = await openDB<PinSchema>('nightjar-pins', 1, { upgrade: (made) => void made.createObjectStore('pins') });
  try {
    const transaction = database.transaction('pins', 'readwrite', { durability: 'strict' });
    const [outcome] = await Promise.all([work(transaction.store), transaction.done]);
    return outcome;
  } finally {
    database.close();
  }
}
