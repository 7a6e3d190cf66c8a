import { type Argon2Cost, type Argon2Input, argon2id } from '../../crypto/argon2.ts';

/** Cost of deriving a key from a password: Argon2id version 1.3 (RFC 9106). Stored in every wallet's header. */
export type KdfParameters = Argon2Cost;

/** RFC 9106's second choice for memory, with one lane: well below a second on a phone. */
export const DEFAULT_KDF: KdfParameters = { memory: 65_536, passes: 3, lanes: 1 };

/** Whether a cost is affordable: a stranger's backup must not exhaust the machine. */
export function isAffordable({ memory, passes, lanes }: KdfParameters): boolean {
  const whole = [memory, passes, lanes].every((value) => Number.isInteger(value) && value >= 1);
  return whole && lanes <= 16 && memory >= 8 * lanes && memory <= 1_048_576 && passes <= 64 && memory * passes <= 8_388_608;
}

/** Prefix of the password, so that an empty one has bytes too, and hashes of other programs differ from ours. */
const DOMAIN = 'nightjar wallet key\0';

const KEY = 32;

/** Argon2id, here or in a thread of its own. @throws CryptoError */
export type PasswordHash = (input: Argon2Input, cost: Argon2Cost, length: number) => Promise<Uint8Array>;

/** Begins such a hash for whoever asks for it later; resolves when it is done, or will not be. */
export type HashBegin = (...asked: Parameters<PasswordHash>) => Promise<void>;

/** 32 bytes. The password is taken in Unicode's composed form, so that two keyboards agree. */
export async function deriveKey(
  password: string,
  salt: Uint8Array,
  parameters: KdfParameters,
  hash: PasswordHash = argon2id,
): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(DOMAIN + password.normalize('NFKC'));
  try {
    return await hash({ password: bytes, salt }, parameters, KEY);
  } finally {
    bytes.fill(0);
  }
}
