import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, bytesToLatin1, equalBytes, parseJson, parseJsonBytes, stringifyJson } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import {
  blockId,
  decodeAddress,
  decodeBase58,
  decodePortableStorage,
  encodeBase58,
  encodePortableStorage,
  parseAmount,
  parseBlock,
  parseExtra,
  parseTransaction,
  parseUri,
  parseWalletUri,
  serializeBlock,
  serializeExtra,
  serializeTransaction,
  transactionHash,
  transactionWeight,
  wordsToSeed,
} from '../../src/protocol/index.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { fixture } from './support/fixture.ts';
import { type FuzzTarget, fuzz, fuzzEach, fuzzRuns } from './support/fuzz.ts';
import { madeUpBlock, madeUpV1, madeUpV2, RCT_TYPES } from './support/made-up.ts';

const RUNS = fuzzRuns(3_000);
const SEED = 20_260_101;

const sampler = new TestSampler(SEED);
const utf8 = new TextEncoder();
const texts = (...items: string[]) => items.map((item) => utf8.encode(item));

function same(written: Uint8Array, read: Uint8Array): void {
  if (!equalBytes(written, read)) throw new Error(`written back differently: ${bytesToHex(written)}`);
}

const madeUp = [...RCT_TYPES.map((type) => madeUpV2(sampler, type)), madeUpV1(sampler), madeUpV1(sampler)].map(
  serializeTransaction,
);

const targets: readonly FuzzTarget[] = [
  {
    name: 'whole transaction',
    corpus: [...fixture.transactions.map((tx) => tx.whole), ...madeUp],
    decode: (bytes) => {
      const tx = parseTransaction(bytes);
      same(serializeTransaction(tx), bytes);
      transactionHash(tx);
      transactionWeight(tx);
      parseExtra(tx.extra);
    },
  },
  {
    name: 'pruned transaction',
    corpus: fixture.transactions.map((tx) => tx.pruned),
    decode: (bytes) => same(serializeTransaction(parseTransaction(bytes, { pruned: true })), bytes),
  },
  {
    name: 'block',
    corpus: [...fixture.blocks.map((block) => block.blob), ...sampler.list(6, () => serializeBlock(madeUpBlock(sampler)))],
    decode: (bytes) => {
      const block = parseBlock(bytes);
      same(serializeBlock(block), bytes);
      blockId(block);
    },
  },
  {
    name: 'tx_extra',
    total: true,
    corpus: fixture.transactions.map((tx) => parseTransaction(tx.whole).extra),
    decode: (bytes) => {
      const { fields, remainder } = parseExtra(bytes);
      same(Uint8Array.from([...serializeExtra(fields), ...remainder]), bytes);
    },
  },
  {
    name: 'portable storage',
    corpus: [fixture.getBlocks.request, fixture.getBlocks.reply],
    decode: (bytes) => {
      // Sizes may be longer than they need be, so what is written again is shorter or the same, and then stays.
      const written = encodePortableStorage(decodePortableStorage(bytes));
      same(encodePortableStorage(decodePortableStorage(written)), written);
    },
  },
  {
    name: 'JSON text',
    corpus: texts(
      '{"a":[1,-2.5e3,18446744073709551615,true,null,"x\\u00e9\\n"],"b":{"c":{}}}',
      '[[[["deep"]]]]',
      '"\\ud83d\\ude00"',
    ),
    decode: (bytes) => {
      const text = stringifyJson(parseJson(new TextDecoder().decode(bytes)));
      expect(stringifyJson(parseJson(text))).toBe(text);
    },
  },
  {
    name: 'JSON bytes',
    corpus: [Uint8Array.from([...utf8.encode('{"raw":"'), 0xff, 0x00, 0x80, ...utf8.encode('\\v","n":1}')])],
    decode: (bytes) => void parseJsonBytes(bytes),
  },
  {
    name: 'base58',
    corpus: texts(fixture.address, fixture.integrated),
    decode: (bytes) => {
      const text = bytesToLatin1(bytes);
      expect(encodeBase58(decodeBase58(text))).toBe(text);
    },
  },
  {
    name: 'address',
    corpus: texts(fixture.address, fixture.integrated, ...fixture.subaddresses),
    decode: (bytes) => void decodeAddress(bytesToLatin1(bytes)),
  },
  { name: 'seed words', corpus: texts(fixture.seed), decode: (bytes) => void wordsToSeed(bytesToLatin1(bytes)) },
  {
    name: 'payment URI',
    corpus: texts(...fixture.uris.map(({ uri }) => uri)),
    decode: (bytes) => void parseUri(bytesToLatin1(bytes), 'mainnet'),
  },
  {
    name: 'wallet URI',
    corpus: texts(
      'monero-wallet:?seed=abbey%20abbey&height=2026-01-01&label=A',
      `monero_wallet:${fixture.address}?view_key=${'0a'.repeat(32)}&height=5`,
    ),
    decode: (bytes) => void parseWalletUri(bytesToLatin1(bytes), 'mainnet'),
  },
  {
    name: 'amount',
    corpus: texts('1.5', '0.000000000001', '18446744.073709551615'),
    decode: (bytes) => void parseAmount(bytesToLatin1(bytes)),
  },
];

describe('T6 malformed bytes: every decoder gives a value or a typed error, in bounded time', () => {
  beforeAll(loadCrypto);

  fuzzEach(targets, RUNS, SEED);

  it('the fuzzer notices a decoder that breaks', () => {
    const broken: FuzzTarget = {
      name: 'broken',
      corpus: [new Uint8Array(32)],
      decode: (bytes) => void new Array(bytes.length - 32),
    };
    expect(() => fuzz(broken, 1_000, SEED)).toThrow(/broke on/);
  });

  it('memory does not grow with the number of inputs', { timeout: 600_000 }, () => {
    const target = targets[0]!;
    fuzz(target, 500, SEED);
    const before = process.memoryUsage().rss;
    fuzz(target, RUNS, SEED + 1);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});
