import { argon2id, type ReadyArgon2, readyArgon2 } from '../src/crypto/argon2.ts';
import { type HashAnswer, type PasswordWorkerRequest, READY } from './password-messages.ts';

/** Hashes one password. The thread that started it terminates it, and hashes itself if this fails. */

let ready: Promise<ReadyArgon2 | undefined> | undefined;
let wanted = false;
/** Yields to pending messages. Resolves to whether the preparation should go on. */
const goOn = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(!wanted)));

self.addEventListener('message', async ({ data }: MessageEvent<PasswordWorkerRequest>) => {
  if ('expected' in data) {
    ready = readyArgon2(data.expected, goOn).catch(() => undefined);
    return;
  }
  wanted = true;
  const { input, cost, length } = data;
  const hash: HashAnswer = await argon2id(input, cost, length, await ready).catch(() => undefined);
  input.password.fill(0);
  self.postMessage(hash);
  hash?.fill(0);
});

self.postMessage(READY);
