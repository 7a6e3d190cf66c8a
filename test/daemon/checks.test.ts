import { describe, expect, it } from 'vitest';
import { decompress } from '../../src/daemon/calls/outputs.ts';
import {
  checkDistribution,
  checkFeeEstimate,
  checkHeaders,
  checkReplyStart,
  checkTransactions,
} from '../../src/daemon/checks/against-request.ts';
import type { HeaderEntry, TransactionEntry } from '../../src/daemon/index.ts';
import { type BlockHash, ByteWriter, type TxHash } from '../../src/protocol/index.ts';

const id = (n: number) => n.toString(16).padStart(64, '0') as BlockHash;
const tx = (n: number) => id(n) as string as TxHash;
const code = (name: string) => expect.objectContaining({ code: name });

describe('an answer to another question is refused', () => {
  it('T5 omission and forks: headers of other heights, out of order, or not linked', () => {
    const header = (height: number, previous = height - 1) =>
      ({ height, hash: id(height), prevHash: id(previous) }) as HeaderEntry;
    const run = [header(7), header(8), header(9)];
    expect(checkHeaders(7, 3, run)).toBe(run);
    for (const wrong of [
      [],
      run.slice(1),
      run.toReversed(),
      [header(7), header(9), header(8)],
      [header(7), header(8, 5), header(9)],
    ]) {
      expect(() => checkHeaders(7, 3, wrong)).toThrowError(code('bad-chain'));
    }
  });

  it('T5 omission and forks: blocks from elsewhere, or beyond the tip', () => {
    const outline = { startHeight: 5, currentHeight: 10, blocks: 5, transactions: 0 };
    expect(checkReplyStart({ startHeight: 5, prune: true }, outline)).toBe(outline);
    expect(checkReplyStart({ blockIds: [id(1)], prune: true }, outline)).toBe(outline);
    expect(() => checkReplyStart({ startHeight: 4, prune: true }, outline)).toThrowError(code('bad-chain'));
    expect(() => checkReplyStart({ startHeight: 5, prune: true }, { ...outline, blocks: 6 })).toThrowError(code('bad-chain'));
  });

  it('transactions not asked for, given twice, or kept quiet about', () => {
    const entry = (n: number) => ({ hash: tx(n) }) as TransactionEntry;
    const asked = [tx(1), tx(2), tx(3)];
    const good = { transactions: [entry(1), entry(3)], missed: [tx(2)] };
    expect(checkTransactions(asked, good)).toBe(good);
    for (const wrong of [
      { transactions: [entry(1), entry(3)], missed: [] },
      { transactions: [entry(1), entry(3), entry(4)], missed: [tx(2)] },
      { transactions: [entry(1), entry(1), entry(3)], missed: [tx(2)] },
      { transactions: [entry(1), entry(2), entry(3)], missed: [tx(2)] },
    ]) {
      expect(() => checkTransactions(asked, wrong)).toThrowError(code('bad-transactions'));
    }
  });

  it('T4 output distribution: of another amount or another stretch', () => {
    const answer = { amount: 0n, startHeight: 10, base: 0, distribution: new Float64Array(5), cumulative: false };
    expect(checkDistribution({ amount: 0n, from: 10, to: 14 }, answer)).toBe(answer);
    expect(checkDistribution({ amount: 0n }, answer)).toBe(answer);
    for (const asked of [{ amount: 1n }, { amount: 0n, from: 11 }, { amount: 0n, to: 15 }, { amount: 0n, to: 13 }]) {
      expect(() => checkDistribution(asked, answer)).toThrowError(code('bad-distribution'));
    }
  });

  it('T1 fee: rates that fall, are nothing, or round without measure', () => {
    const good = { fee: 20n, fees: [20n, 80n, 320n, 4_000n], quantizationMask: 10_000n };
    expect(checkFeeEstimate(good)).toBe(good);
    expect(checkFeeEstimate({ ...good, fees: [] }).fee).toBe(20n);
    for (const wrong of [
      { fee: 0n },
      { fees: [80n, 20n] },
      { fees: [0n] },
      { quantizationMask: 0n },
      { quantizationMask: 10n ** 12n },
    ]) {
      expect(() => checkFeeEstimate({ ...good, ...wrong })).toThrowError(code('bad-fee'));
    }
  });
});

describe('a compressed distribution', () => {
  it('is read as it was written, and not past what a double holds', () => {
    const counts = [0, 1, 127, 128, 16_383, 16_384, 2 ** 32, 2 ** 53 - 1];
    const writer = new ByteWriter();
    for (const count of counts) writer.varint(count);
    expect([...decompress(writer.finish())]).toEqual(counts);
    expect(() => decompress(new ByteWriter().varint(2n ** 53n).finish())).toThrowError(code('bad-varint'));
    expect(() => decompress(new ByteWriter().varint(2n ** 64n - 1n).finish())).toThrowError(code('bad-varint'));
    expect(() => decompress(Uint8Array.of(1, 0x80))).toThrowError(code('truncated'));
    expect(decompress(new Uint8Array())).toHaveLength(0);
  });
});
