import { Worker } from 'node:worker_threads';
import { argon2id } from '../crypto/argon2.ts';
import type { PasswordHash } from './seal/kdf.ts';

/** KiB. A cheaper hash is finished before a thread has started. */
const SMALL = 8192;

/**
 * Argon2id in a Node thread of its own, for a service: the service keeps answering, and the memory of the hash returns to the system when
 * the thread ends, not at some later collection. Starting a thread takes longer than some hashes. If no thread can start, hashes in this
 * one.
 * @throws CryptoError `bad-argument`, `kernel-unavailable`
 */
export const hashInThread: PasswordHash = async (input, cost, length) =>
  (cost.memory > SMALL ? await askThread([input, cost, length]) : undefined) ?? (await argon2id(input, cost, length));

/** Undefined if the thread did not answer with a hash. The thread wipes its own copy of the password. */
function askThread(args: Parameters<PasswordHash>): Promise<Uint8Array | undefined> {
  const body = new URL('./password-thread.mjs', import.meta.url);
  const answer = new Promise<Uint8Array | undefined>((resolve) => {
    // Throws if the system provides no thread.
    const thread = new Worker(body, { execArgv: [], workerData: args });
    thread.once('message', resolve);
    for (const end of ['error', 'exit']) thread.once(end, () => resolve(undefined));
  });
  return answer.catch(() => undefined);
}
