import { ed25519 } from '@noble/curves/ed25519.js';
import { expect, test } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import * as crypto from '../../src/crypto/index.ts';
import { kernels } from '../../src/crypto/load.ts';
import { GROUP_ORDER, scalarToBigint } from '../support/scalars.ts';
import { inBothFields } from './both-fields.ts';
import { oracleProve, oracleVerify } from './oracle/bulletproof-plus.ts';
import { seededRandom } from './seeded.ts';

const TORSION = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05').toBytes();
const MOST = 2n ** 64n - 1n;

function proved(amounts: readonly bigint[], seed: number) {
  const random = seededRandom(seed);
  const masks = amounts.map(() => crypto.randomScalar(random));
  return { masks, ...crypto.bulletproofPlusProve(amounts, masks, random) };
}

const holds = (...items: crypto.RangeProofItem[]): boolean => crypto.bulletproofPlusVerify(items, seededRandom(1));
const moved = (point: Uint8Array): Uint8Array => crypto.pointAdd(point, crypto.G);

inBothFields('Bulletproofs+', () => {
  test.each([1, 2, 3, 4, 7, 16])('%i outputs: proof and commitments hold', (outputs) => {
    const amounts = Array.from({ length: outputs }, (_, i) => [0n, MOST, 1n, 1n << 63n, 12345678901234n][i % 5]!);
    const item = proved(amounts, outputs);
    expect(holds(item)).toBe(true);
    expect(item.proof.L.length).toBe(6 + Math.ceil(Math.log2(outputs)));
    expect(item.commitments).toEqual(amounts.map((amount, i) => crypto.commit(amount, item.masks[i]!)));
  });

  test('an independent prover and verifier on noble-curves agree both ways', () => {
    const random = seededRandom(42);
    const item = proved([MOST, 0n], 42);
    expect(oracleVerify([item], random)).toBe(true);
    expect(oracleVerify([{ ...item, commitments: item.commitments.map(moved) }], random)).toBe(false);
    expect(holds(oracleProve([7n], [item.masks[0]!], random))).toBe(true);
  });

  test('any field altered is rejected', () => {
    const item = proved([5n, 6n], 3);
    const { proof, commitments } = item;
    const at = (list: readonly Uint8Array[], i: number, change: (bytes: Uint8Array) => Uint8Array) =>
      list.map((value, j) => (j === i ? change(value) : value));
    const plusOne = (scalar: Uint8Array) => crypto.scalarAdd(scalar, crypto.SCALAR_ONE);
    const altered: [string, crypto.RangeProofItem][] = [
      ...(['A', 'A1', 'B'] as const).map((name): [string, crypto.RangeProofItem] => [
        name,
        { commitments, proof: { ...proof, [name]: moved(proof[name]) } },
      ]),
      ...(['r1', 's1', 'd1'] as const).map((name): [string, crypto.RangeProofItem] => [
        name,
        { commitments, proof: { ...proof, [name]: plusOne(proof[name]) } },
      ]),
      ['order of commitments', { proof, commitments: [...commitments].reverse() }],
      ['a commitment missing', { proof, commitments: commitments.slice(1) }],
      ['a commitment too many', { proof, commitments: [...commitments, commitments[0]!] }],
      ['no commitment', { proof, commitments: [] }],
      ['a round missing', { commitments, proof: { ...proof, L: proof.L.slice(1), R: proof.R.slice(1) } }],
      ['L shorter than R', { commitments, proof: { ...proof, L: proof.L.slice(1) } }],
    ];
    for (let i = 0; i < proof.L.length; i++) {
      altered.push([`L[${i}]`, { commitments, proof: { ...proof, L: at(proof.L, i, moved) } }]);
      altered.push([`R[${i}]`, { commitments, proof: { ...proof, R: at(proof.R, i, moved) } }]);
    }
    for (let i = 0; i < 2; i++) altered.push([`commitment ${i}`, { proof, commitments: at(commitments, i, moved) }]);
    expect(altered.filter(([, wrong]) => holds(wrong)).map(([name]) => name)).toEqual([]);
    expect(holds(item)).toBe(true);
  });

  test('an amount that its commitment does not hold, or beyond 64 bits, finds no proof', () => {
    const item = proved([5n], 4);
    const shifted = crypto.pointAdd(item.commitments[0]!, crypto.H);
    expect(holds({ proof: item.proof, commitments: [shifted] })).toBe(false);
    expect(() => proved([MOST + 1n], 5)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    expect(() => proved([-1n], 5)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    expect(() => proved([], 5)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    expect(() => proved(Array(17).fill(1n), 5)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });

  test('scalars that are not canonical and encodings that are no points are rejected', () => {
    const { proof, commitments } = proved([9n], 6);
    const noPoint = Uint8Array.of(2, ...new Uint8Array(31));
    for (const name of ['r1', 's1', 'd1'] as const) {
      const sum = scalarToBigint(proof[name]) + GROUP_ORDER;
      const shifted = hexToBytes(sum.toString(16).padStart(64, '0')).reverse();
      expect(holds({ commitments, proof: { ...proof, [name]: shifted } })).toBe(false);
    }
    for (const name of ['A', 'A1', 'B'] as const) {
      expect(holds({ commitments, proof: { ...proof, [name]: noPoint } })).toBe(false);
    }
    expect(holds({ proof, commitments: [noPoint] })).toBe(false);
  });

  test('a small-order part of a proof’s point changes the transcript and is rejected', () => {
    const { proof, commitments } = proved([9n], 7);
    expect(holds({ commitments, proof: { ...proof, B: crypto.pointAdd(proof.B, TORSION) } })).toBe(false);
  });

  test('T6 more than sixteen commitments, or L and R of other lengths than they need, are refused before anything is sized', () => {
    const { proof, commitments } = proved(Array(16).fill(1n), 11);
    const seventeen = [...commitments, commitments[0]!];
    const rounds = (count: number) => Array.from({ length: count }, (_, i) => proof.L[i % proof.L.length]!);
    const shapes: [string, crypto.RangeProofItem][] = [
      ['17 commitments, 11 rounds', { commitments: seventeen, proof: { ...proof, L: rounds(11), R: rounds(11) } }],
      ['17 commitments, 10 rounds', { commitments: seventeen, proof }],
      ['no commitment', { commitments: [], proof }],
      ['a round too few', { commitments, proof: { ...proof, L: rounds(9), R: rounds(9) } }],
      ['a round too many', { commitments, proof: { ...proof, L: rounds(11), R: rounds(11) } }],
      ['more of L than of R', { commitments, proof: { ...proof, L: rounds(11) } }],
      ['room for more than there are', { commitments: commitments.slice(0, 8), proof }],
    ];
    expect(shapes.filter(([, item]) => holds(item)).map(([name]) => name)).toEqual([]);
    // The kernel keeps to the bounds by itself, with all of the proof's own fields in place.
    const machine = kernels();
    const asKernelReads = ({ proof: { A, A1, B, L, R, r1, s1, d1 }, commitments: all }: crypto.RangeProofItem, most: number) => {
      const header = Uint8Array.of(all.length, 0, 0, 0, L.length, ...new Uint8Array(11));
      const bytes = Buffer.concat([header, new Uint8Array(32).fill(1, 0, 1), r1, s1, d1, A1, B, A, ...L, ...R, ...all]);
      const points = 3 + L.length + R.length + all.length;
      return machine.scratch(() => machine.exports.rangeVerify(machine.put(bytes), 1, most, points));
    };
    expect(asKernelReads({ proof, commitments }, 10)).toBe(1);
    const before = machine.exports.memory.buffer.byteLength;
    for (const [name, item] of shapes) expect(asKernelReads(item, 28), name).toBe(0);
    expect(asKernelReads({ proof, commitments }, 6), 'fewer rounds than its own').toBe(0);
    expect(machine.exports.memory.buffer.byteLength).toBe(before);
  });

  test('a batch holds when all do, and one bad proof spoils it', () => {
    const items = [proved([1n], 8), proved([2n, 3n, 4n], 9), proved([5n, 6n], 10)];
    expect(holds(...items)).toBe(true);
    expect(holds()).toBe(true);
    for (let i = 0; i < items.length; i++) {
      const spoilt = items.map((item, j) => (i === j ? { ...item, commitments: item.commitments.map(moved) } : item));
      expect(holds(...spoilt)).toBe(false);
    }
  });
});
