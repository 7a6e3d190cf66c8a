import { parentPort, workerData } from 'node:worker_threads';
import { argon2id } from '../crypto/argon2.ts';
import type { PasswordHash } from './seal/kdf.ts';

// The code of the thread of `password-node.ts`: hashes one password and ends.

const [input, cost, length] = workerData as Parameters<PasswordHash>;
const hash = await argon2id(input, cost, length).catch(() => undefined);
input.password.fill(0);
parentPort?.postMessage(hash);
hash?.fill(0);
