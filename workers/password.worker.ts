import { argon2id, type ReadyArgon2, readyArgon2 } from '../src/crypto/argon2.ts';
import { BEGUN, type HashAnswer, type PasswordAsked } from './password-asked.ts';

/** Hashes one password. Whoever started it ends it, and does without it where this fails. */

let ready: Promise<ReadyArgon2 | undefined> | undefined;
let wanted = false;
/** Lets in what was asked meanwhile. */
const goOn = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(!wanted)));

self.addEventListener('message', async ({ data }: MessageEvent<PasswordAsked>) => {
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

self.postMessage(BEGUN);
