import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../../src/crypto/index.ts';
import { decodeBase58, encodeBase58 } from '../../../src/protocol/base58.ts';
import { MultisigError } from '../../../src/wallet/multisig/errors.ts';
import { firstMessage, nextMessage } from '../../../src/wallet/multisig/kex.ts';
import { decodeKexMessage } from '../../../src/wallet/multisig/kex-message.ts';
import { accountFromSeed, multisigSeed } from '../../../src/wallet/multisig/seed.ts';
import { fuzz, fuzzRuns, mutate } from '../../protocol/support/fuzz.ts';
import { TestSampler } from '../../support/random-sampler.ts';
import { exchanged, made, readyGroup, secretsOf } from './support.ts';

const SEED = 20_261_122;
const RUNS = fuzzRuns(1_000);
const WORD = 13;

beforeAll(async () => loadCrypto());

/** Messages of every round, changed as bytes under each of the words, and as text. */
describe('decoders of what signers say', () => {
  const messages = () => {
    const first = made(4, 2);
    const second = exchanged(first);
    const all = [
      firstMessage(secretsOf(0), systemRandom),
      ...[first, second].map(([account]) => nextMessage(account!, systemRandom)),
    ];
    return all.map((text) => ({ text, content: decodeBase58(text.slice(WORD)) }));
  };

  it(`messages, ${RUNS} of each kind`, { timeout: 600_000 }, () => {
    const corpus = messages().map(({ content }) => content);
    for (const word of ['MultisigxV2R1', 'MultisigxV2Rn']) {
      const decode = (bytes: Uint8Array) => void decodeKexMessage(word + encodeBase58(bytes));
      const report = fuzz({ name: word, corpus, decode, refusal: MultisigError }, RUNS, SEED);
      expect(report.accepted).toBeLessThan(report.runs);
    }
    const latin = new TextDecoder('latin1');
    const texts = messages().map(({ text }) => new TextEncoder().encode(text));
    const decode = (bytes: Uint8Array) => void decodeKexMessage(latin.decode(bytes));
    fuzz({ name: 'text', corpus: texts, decode, refusal: MultisigError }, RUNS, SEED + 1);
  });

  it(`seeds, ${RUNS}`, { timeout: 600_000 }, async () => {
    const seeds = await Promise.all(
      [readyGroup(3, 2), readyGroup(2, 2)].map(([account]) => multisigSeed(account!, '', systemRandom)),
    );
    const corpus = seeds.map(hexToBytes);
    const sampler = new TestSampler(SEED);
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const input = mutate(sampler.pick(corpus), corpus, sampler);
      try {
        await accountFromSeed(bytesToHex(input));
      } catch (error) {
        if (!(error instanceof MultisigError)) throw new Error(`broke on ${bytesToHex(input)}`, { cause: error });
        expect(error.code).toBe('bad-seed');
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(RUNS / 2);
  });
});
