import { Worker } from 'node:worker_threads';
import { argon2id } from '../crypto/argon2.ts';
import type { PasswordHash } from './seal/kdf.ts';

/** KiB. A hash that takes no more is done before a thread has begun. */
const SMALL = 8192;

/**
 * Argon2id in a thread of Node of its own, for a service: it goes on answering, and the memory that the hash took goes back to the system when
 * the thread ends, not at some later collection. A thread takes longer to start than some hashes. Where none can, the hash is made here.
 * @throws CryptoError `bad-argument`, `kernel-unavailable`
 */
export const hashInThread: PasswordHash = async (input, cost, length) =>
  (cost.memory > SMALL ? await askThread([input, cost, length]) : undefined) ?? (await argon2id(input, cost, length));

/** Undefined where the thread did not answer with a hash. It wipes its own copy of the password. */
function askThread(asked: Parameters<PasswordHash>): Promise<Uint8Array | undefined> {
  const body = new URL('./password-thread.mjs', import.meta.url);
  const answer = new Promise<Uint8Array | undefined>((resolve) => {
    // Throws where the system gives no thread.
    const thread = new Worker(body, { execArgv: [], workerData: asked });
    thread.once('message', resolve);
    for (const end of ['error', 'exit']) thread.once(end, () => resolve(undefined));
  });
  return answer.catch(() => undefined);
}
