import { argon2id, loadArgon2 } from '../src/crypto/argon2.ts';
import { BEGUN, type HashAnswer, type HashAsked } from './password-asked.ts';

/** Hashes one password. Whoever started it ends it, and does without it where this fails. */

loadArgon2().catch(() => undefined);

self.addEventListener('message', async ({ data: { input, cost, length } }: MessageEvent<HashAsked>) => {
  const hash: HashAnswer = await argon2id(input, cost, length).catch(() => undefined);
  input.password.fill(0);
  self.postMessage(hash);
  hash?.fill(0);
});

self.postMessage(BEGUN);
