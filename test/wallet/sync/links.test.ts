import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockHash } from '../../../src/protocol/model.ts';
import type { ScannedBlock } from '../../../src/scan/types.ts';
import type { BlockStub } from '../../../src/wallet/model.ts';
import { joinReply, requireCommonBlock, shortHistory, stubsWorthKeeping } from '../../../src/wallet/sync/links.ts';
import { hash } from '../support.ts';

const id = (chain: string, height: number): BlockHash => `${chain}${height.toString(16)}`.padStart(64, '0') as BlockHash;

/** Blocks of chain `a` up to `fork`, of chain `b` from there on. */
function run(from: number, to: number, fork = Number.POSITIVE_INFINITY, version = 16): ScannedBlock[] {
  const at = (height: number) => id(height < fork ? 'a' : 'b', height);
  return Array.from({ length: to - from }, (_, i) => ({
    height: from + i,
    id: at(from + i),
    prevId: at(from + i - 1),
    majorVersion: version,
    minorVersion: version,
    timestamp: 0,
    txCount: 1,
    coinbaseOffset: 0,
    coinbaseLength: 0,
    txHashesOffset: 0,
  }));
}

const known = (from: number, to: number): BlockStub[] =>
  run(from, to).map(({ height, id, timestamp }) => ({ height, id, timestamp }));

describe('a reply beside what we know', () => {
  it('T5 extends, or forks where the ids part, whatever the overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 50 }), fc.nat(60), (overlap, more, forkAt) => {
        const height = 200;
        const fork = height - overlap + 1 + forkAt;
        const blocks = run(height - overlap, height + more, fork);
        const junction = joinReply(blocks, known(100, height), height, 100);
        if (fork >= height) expect(junction).toEqual({ kind: 'extends', firstNew: overlap });
        else {
          const firstNew = fork - (height - overlap);
          expect(junction).toEqual(
            firstNew >= blocks.length
              ? { kind: 'extends', firstNew: blocks.length }
              : { kind: 'forks', height: fork, parent: id('a', fork - 1), firstNew },
          );
        }
      }),
    );
  });

  it('T5 gaps, blocks that do not follow each other and a stranger at the join are refused', () => {
    const refuse = (blocks: ScannedBlock[], code: string) =>
      expect(() => joinReply(blocks, known(100, 200), 200, 100)).toThrow(expect.objectContaining({ code }));
    refuse(run(201, 210), 'broken-chain');
    refuse([...run(199, 205), ...run(206, 210)], 'broken-chain');
    refuse([...run(199, 203), { ...run(203, 204)[0]!, prevId: hash('other') }], 'broken-chain');
    refuse(run(200, 210, 150), 'broken-chain');
    // A calendar ends in the year 275760: what a page could not show is not taken in.
    refuse([{ ...run(199, 200)[0]!, timestamp: 2 ** 53 }], 'broken-chain');
  });

  it('T5 a daemon that has none of our blocks is behind, or of another chain', () => {
    const refuse = (first: ScannedBlock, tip: number, code: string) =>
      expect(() => requireCommonBlock(first, known(100, 200), tip)).toThrow(expect.objectContaining({ code }));
    requireCommonBlock(run(150, 151)[0]!, known(100, 200), 300);
    refuse(run(0, 1)[0]!, 80, 'daemon-behind');
    refuse(run(0, 1)[0]!, 150, 'reorg-too-deep');
    refuse(run(150, 151, 140)[0]!, 300, 'reorg-too-deep');
  });

  it('T5 a fork below what is remembered, or deeper than allowed, is too deep', () => {
    const refuse = (blocks: ScannedBlock[], depth: number) =>
      expect(() => joinReply(blocks, known(150, 200), 200, depth)).toThrow(expect.objectContaining({ code: 'reorg-too-deep' }));
    refuse(run(0, 210, 120), 100);
    refuse(run(150, 210, 160), 30);
  });

  it('T5 an unknown era stops with its name', () => {
    expect(() => joinReply(run(199, 210, 300, 17), known(100, 200), 200, 100)).toThrow(
      expect.objectContaining({ code: 'unknown-era' }),
    );
  });
});

describe('what is remembered', () => {
  it('the short history has the last ten ids, then ever fewer, and the first block at the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (length) => {
        const chain = known(0, length);
        const ids = shortHistory(chain, id('a', 0));
        const heights = ids.map((entry) => chain.findIndex((stub) => stub.id === entry));
        expect(heights.slice(0, 10)).toEqual(Array.from({ length: Math.min(10, length) }, (_, i) => length - 1 - i));
        expect(heights.at(-1)).toBe(0);
        expect(heights.every((height, i) => i === 0 || height < heights[i - 1]!)).toBe(true);
        expect(ids.length).toBeLessThan(30);
      }),
      { numRuns: 30 },
    );
  });

  it('far from the tip one id a run, near it all', () => {
    const heights = (from: number, tip: number) => stubsWorthKeeping(run(0, 1000), from, tip, 120).map(({ height }) => height);
    expect(heights(0, 100_000)).toEqual([999]);
    expect(heights(0, 1050)).toEqual(known(930, 1000).map(({ height }) => height));
    expect(heights(950, 1050)).toEqual(known(950, 1000).map(({ height }) => height));
  });
});
