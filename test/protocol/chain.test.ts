import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import {
  absoluteOffsets,
  type Block,
  blockId,
  decodePortableStorage,
  encodePortableStorage,
  isPruned,
  NETWORKS,
  type Network,
  ProtocolError,
  parseBlock,
  parseExtra,
  parseTransaction,
  prunableHash,
  RctType,
  relativeOffsets,
  serializeBlock,
  serializeTransaction,
  transactionHash,
  transactionHashFromPruned,
  transactionWeight,
  treeHash,
  weightClawback,
} from '../../src/protocol/index.ts';
import { vectorLines } from '../crypto/vector-lines.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { fixture } from './support/fixture.ts';
import { madeUpBlock, madeUpV1, madeUpV2, RCT_TYPES } from './support/made-up.ts';

const hex = bytesToHex;
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
  return 'no error';
};

beforeAll(loadCrypto);

describe('tree hash', () => {
  it('holds for every line of the vectors', () => {
    const lines = vectorLines('hash-tree.txt');
    expect(lines.length).toBeGreaterThan(0);
    for (const [expected, data] of lines) {
      const bytes = hexToBytes(data!);
      const leaves = Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * i + 32));
      expect(hex(treeHash(leaves))).toBe(expected);
    }
  });
});

describe('transactions that the reference made', () => {
  it.each(fixture.transactions)('$name: bytes, id, prunable hash, weight and fee', (sample) => {
    const whole = parseTransaction(sample.whole);
    const pruned = parseTransaction(sample.pruned, { pruned: true });
    expect(hex(serializeTransaction(whole))).toBe(hex(sample.whole));
    expect(hex(serializeTransaction(pruned))).toBe(hex(sample.pruned));
    expect(hex(transactionHash(whole))).toBe(sample.hash);
    expect(hex(prunableHash(whole))).toBe(sample.prunableHash);
    expect(hex(transactionHashFromPruned(pruned, hexToBytes(sample.prunableHash)))).toBe(sample.hash);
    expect(transactionWeight(whole)).toBe(sample.weight);
    expect(whole.version === 2 && whole.rct.type === RctType.BulletproofPlus && whole.rct.fee).toBe(sample.fee);
    expect(parseExtra(whole.extra).remainder).toHaveLength(0);
  });

  it('a pruned one can be neither hashed nor weighed by itself', () => {
    const pruned = parseTransaction(fixture.transactions[0]!.pruned, { pruned: true });
    expect(isPruned(pruned)).toBe(true);
    expect(codeOf(() => transactionHash(pruned))).toBe('pruned');
    expect(codeOf(() => transactionWeight(pruned))).toBe('pruned');
    const { unlockTime, inputs, outputs, extra } = pruned;
    const first = { version: 1, unlockTime, inputs, outputs, extra, signatures: undefined } as const;
    expect(codeOf(() => transactionHash(first))).toBe('pruned');
  });
});

describe('blocks that the reference made', () => {
  it.each(fixture.blocks)('height $height: bytes, id, coinbase', (sample) => {
    const block = parseBlock(sample.blob);
    expect(hex(serializeBlock(block))).toBe(hex(sample.blob));
    expect(hex(blockId(block))).toBe(sample.id);
    expect(hex(block.prevId)).toBe(sample.prevId);
    expect(hex(transactionHash(block.minerTx))).toBe(sample.minerTxHash);
    expect(block.minerTx.inputs).toEqual([{ type: 'gen', height: sample.height }]);
  });

  it('each network starts with its genesis', () => {
    const shared = fixture.blocks[0]!.blob;
    const stagenetTx =
      '013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f2101168d0c4ca86fb55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b';
    const genesis: Readonly<Record<Exclude<Network, 'regtest'>, Block>> = {
      mainnet: parseBlock(shared),
      testnet: { ...parseBlock(shared), nonce: 10_001 },
      stagenet: { ...parseBlock(shared), nonce: 10_002, minerTx: parseTransaction(hexToBytes(stagenetTx)) },
    };
    for (const [network, block] of Object.entries(genesis)) {
      expect(hex(blockId(block))).toBe(NETWORKS[network as Network].genesisId);
    }
  });

  it('the id of a block depends on every transaction in it', () => {
    const block = parseBlock(fixture.blocks.at(-1)!.blob);
    const swapped = { ...block, txHashes: [...block.txHashes].reverse() };
    const dropped = { ...block, txHashes: block.txHashes.slice(1) };
    expect(new Set([block, swapped, dropped].map((each) => hex(blockId(each)))).size).toBe(3);
  });
});

describe('every kind of transaction and block', () => {
  it.each(RCT_TYPES)('RingCT type %i is written as it was read, whole and pruned', (type) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const tx = madeUpV2(new TestSampler(seed), type);
        const bytes = serializeTransaction(tx);
        expect(parseTransaction(bytes)).toEqual(tx);
        const pruned = { ...tx, prunable: undefined };
        expect(parseTransaction(serializeTransaction(pruned), { pruned: true })).toEqual(pruned);
        const id = transactionHash(tx);
        expect(transactionHashFromPruned(pruned, prunableHash(tx))).toEqual(id);
      }),
      // Borromean proofs are thousands of keys each.
      { numRuns: type === RctType.Full || type === RctType.Simple ? 4 : 40 },
    );
  });

  it('version 1 and blocks are written as they were read', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const tx = madeUpV1(new TestSampler(seed));
        expect(parseTransaction(serializeTransaction(tx))).toEqual(tx);
        const pruned = { ...tx, signatures: undefined };
        expect(parseTransaction(serializeTransaction(pruned), { pruned: true })).toEqual(pruned);
        const block = madeUpBlock(new TestSampler(seed));
        expect(parseBlock(serializeBlock(block))).toEqual(block);
      }),
      { numRuns: 100 },
    );
  });
});

describe('T6 what is not a transaction is refused with its reason', () => {
  const { whole } = fixture.transactions[0]!;
  const edited = (at: number, byte: number) => whole.map((old, i) => (i === at ? byte : old));

  it.each<[string, () => Uint8Array, string]>([
    ['an unknown version', () => edited(0, 3), 'unknown-era'],
    ['a cut', () => whole.slice(0, -1), 'truncated'],
    ['a byte too many', () => Uint8Array.from([...whole, 0]), 'trailing-bytes'],
    ['no inputs', () => edited(2, 0), 'bad-structure'],
    ['more inputs than bytes', () => Uint8Array.from([2, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]), 'bad-length'],
    ['an unknown input', () => edited(3, 1), 'unknown-tag'],
    ['a varint longer than it need be', () => Uint8Array.from([0x82, 0x00]), 'bad-varint'],
    ['a varint above 64 bits', () => Uint8Array.from([2, ...Array(9).fill(0xff), 0x02]), 'bad-varint'],
  ])('%s', (_name, make, code) => {
    expect(codeOf(() => parseTransaction(make()))).toBe(code);
  });

  it('a range proof too small for the outputs', () => {
    const tx = madeUpV2(new TestSampler(7), RctType.BulletproofPlus);
    const [proof] = tx.prunable!.bulletproofsPlus;
    const short = { ...proof!, L: proof!.L.slice(0, 5), R: proof!.R.slice(0, 5) };
    const bytes = serializeTransaction({ ...tx, prunable: { ...tx.prunable!, bulletproofsPlus: [short] } });
    expect(codeOf(() => parseTransaction(bytes))).toBe('bad-structure');
  });

  it('a value whose parts do not fit together is not written', () => {
    const tx = madeUpV2(new TestSampler(8), RctType.CLSAG);
    expect(codeOf(() => serializeTransaction({ ...tx, rct: { ...tx.rct, outPk: [] } }))).toBe('bad-structure');
    expect(codeOf(() => serializeTransaction({ ...tx, prunable: { ...tx.prunable!, clsags: [] } }))).toBe('bad-structure');
    expect(codeOf(() => serializeTransaction({ ...tx, unlockTime: -1n }))).toBe('out-of-range');
  });
});

describe('weights and offsets', () => {
  it('the clawback steps with the padded number of outputs', () => {
    expect([1, 2, 3, 4, 5, 8, 9, 16].map((outputs) => weightClawback(outputs))).toEqual([0, 0, 460, 460, 1433, 1433, 3430, 3430]);
    expect(weightClawback(16, RctType.Full)).toBe(0);
    expect(codeOf(() => weightClawback(17))).toBe('out-of-range');
  });

  it('offsets are relative on the wire and absolute to us', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.bigInt({ min: 0n, max: 2n ** 63n }), { minLength: 1, maxLength: 16 }), (indices) => {
        const sorted = [...indices].sort((a, b) => (a < b ? -1 : 1));
        expect(absoluteOffsets(relativeOffsets(indices))).toEqual(sorted);
      }),
    );
    expect(codeOf(() => absoluteOffsets([2n ** 63n, 2n ** 63n]))).toBe('out-of-range');
  });
});

describe('a reply of getblocks.bin', () => {
  it('is read, and written back byte for byte', () => {
    const reply = decodePortableStorage(fixture.getBlocks.reply);
    expect(hex(encodePortableStorage(reply))).toBe(hex(fixture.getBlocks.reply));
    const blocks = reply.getObjects('blocks').map((entry) => parseBlock(entry.getBytes('block')));
    const heights = [0, 400, 401, 402].slice(-blocks.length);
    expect(blocks.map(({ minerTx }) => minerTx.inputs)).toEqual(heights.map((height) => [{ type: 'gen', height }]));
    const withTxs = reply.getObjects('blocks').find((entry) => entry.getObjects('txs').length > 0)!;
    for (const entry of withTxs.getObjects('txs')) parseTransaction(entry.getBytes('blob'), { pruned: true });
    expect(reply.getText('status')).toBe('OK');
    expect(reply.getNumber('current_height')).toBe(403);
  });
});
