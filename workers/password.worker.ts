import { messageOf } from '../src/base/index.ts';
import { argon2id, loadArgon2 } from '../src/crypto/argon2.ts';
import type { HashAnswer, HashAsked } from './password-hash.ts';

/** Hashes one password. Whoever started it ends it. */

loadArgon2().catch(() => undefined);

self.addEventListener('message', async ({ data: { input, cost, length } }: MessageEvent<HashAsked>) => {
  try {
    const hash = await argon2id(input, cost, length);
    const answer: HashAnswer = { hash };
    self.postMessage(answer, { transfer: [hash.buffer] });
  } catch (error) {
    const answer: HashAnswer = { failed: messageOf(error) };
    self.postMessage(answer);
  } finally {
    input.password.fill(0);
  }
});
