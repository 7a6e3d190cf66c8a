import { parentPort } from 'node:worker_threads';
import { loadCrypto } from '../crypto/index.ts';
import type { HashReply, HashRequest } from './hash-thread.ts';
import { meetsDifficulty, NONCES, testHash } from './proof-of-work.ts';

// The code of the worker thread of `hash-thread.ts`: hashes at the given rate, as evenly as timer ticks allow.

/** Milliseconds between two ticks. */
const TURN = 25;
/** Most ticks to catch up on: after a pause of the machine it does not make up for all of it. */
const MAX_TURNS_OWED = 8;

if (parentPort !== null) {
  const port = parentPort;
  await loadCrypto();
  let work: HashRequest | undefined;
  let owed = 0;
  let nonce = 0;
  let last = performance.now();
  const tell = (message: HashReply) => port.postMessage(message);
  port.on('message', (message: HashRequest) => {
    work = message;
    nonce = 0;
  });
  const turn = () => {
    const now = performance.now();
    const { rate } = work ?? { rate: 0 };
    owed = Math.min(owed + (rate * (now - last)) / 1000, (rate * TURN * MAX_TURNS_OWED) / 1000 + 1);
    last = now;
    let hashes = 0;
    for (; owed >= 1 && work !== undefined; owed--) {
      const { blob, nonceAt, seed, difficulty, number } = work;
      new DataView(blob.buffer, blob.byteOffset).setUint32(nonceAt, nonce, true);
      hashes++;
      if (meetsDifficulty(testHash(seed, blob), difficulty)) {
        // There is nothing more to find here: the chain continues, and new work comes.
        work = undefined;
        tell({ type: 'found', number, nonce });
      }
      nonce = (nonce + 1) % NONCES;
    }
    if (hashes > 0) tell({ type: 'hashed', hashes });
  };
  setInterval(turn, TURN);
}
