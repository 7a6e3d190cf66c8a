import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFusedMultiplyAdd } from '../../src/crypto/field-module.ts';

const P = 2n ** 255n - 19n;
const mod = (value: bigint): bigint => ((value % P) + P) % P;
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nightjar-field-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface FieldExports {
  readonly memory: WebAssembly.Memory;
  mul(d: number, a: number, b: number): void;
  sqr(d: number, a: number): void;
  add(d: number, a: number, b: number): void;
  sub(d: number, a: number, b: number): void;
  addReduced(d: number, a: number, b: number): void;
  subReduced(d: number, a: number, b: number): void;
  doublingTerms(t: number, p: number): void;
  additionTerms(t: number, p: number, q: number, minus: number): void;
  mixedTerms(t: number, p: number, q: number, minus: number): void;
}

/** How a field module lays an element out, and how large a limb it says there may be. */
interface Layout {
  readonly name: 'fma' | 'ext';
  readonly flags: readonly string[];
  readonly bytes: number;
  readonly lanes: number;
  readonly limbs: number;
  /** Weight of limb i as a power of two. */
  weight(i: number): number;
  /** Largest reduced limb i. */
  largest(i: number): number;
  readonly signed: boolean;
  get(view: DataView, at: number): number;
  set(view: DataView, at: number, value: number): void;
}

const layouts: readonly Layout[] = [
  {
    name: 'fma',
    flags: ['--enable', 'relaxed-simd'],
    bytes: 80,
    lanes: 2,
    limbs: 5,
    weight: (i) => 51 * i,
    largest: () => 2 ** 50 + 2 ** 14,
    signed: true,
    get: (view, at) => view.getFloat64(at, true),
    set: (view, at, value) => view.setFloat64(at, value, true),
  },
  {
    name: 'ext',
    flags: [],
    bytes: 160,
    lanes: 4,
    limbs: 10,
    weight: (i) => Math.ceil(25.5 * i),
    largest: (i) => 2 ** (i % 2 ? 25 : 26) + 2 ** 17 - 1,
    signed: false,
    get: (view, at) => view.getUint32(at, true),
    set: (view, at, value) => view.setUint32(at, value, true),
  },
];

/** Compiled by itself, a field module exports everything, so that limbs can be set as large as the bounds allow. */
async function compile(layout: Layout): Promise<FieldExports> {
  const out = join(folder, `${layout.name}.wasm`);
  const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--use', 'abort=', '--initialMemory', '2'];
  // In Node 20 this turns relaxed SIMD on.
  hasFusedMultiplyAdd();
  const { error } = await asc.main([`wasm/field/${layout.name}.ts`, '--baseDir', root, '-o', out, ...flags, ...layout.flags]);
  if (error) throw error;
  const { instance } = await WebAssembly.instantiate(readFileSync(out), {});
  return instance.exports as unknown as FieldExports;
}

describe.each(layouts)('field module $name', (layout) => {
  const BASE = 65536;
  const slot = (i: number): number => BASE + i * layout.bytes;
  const laneBytes = 16 / layout.lanes;
  let field: FieldExports;
  let view: DataView;
  let state = 1;

  beforeAll(async () => {
    field = await compile(layout);
    view = new DataView(field.memory.buffer);
  }, 120_000);

  /** 0 … 1, deterministic. */
  function roll(): number {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  }

  const place = (element: number, limb: number, lane: number): number => slot(element) + 16 * limb + laneBytes * lane;

  /** Limbs at the bounds more often than not. `size` 1 is reduced, 2 a sum. */
  function fill(element: number, size = 1): void {
    for (let limb = 0; limb < layout.limbs; limb++) {
      for (let lane = 0; lane < layout.lanes; lane++) {
        const most = layout.largest(limb) * size;
        const kind = roll();
        const value =
          kind < 0.3
            ? most
            : kind < 0.6 && layout.signed
              ? -most
              : kind < 0.7
                ? 0
                : Math.round((roll() * (layout.signed ? 2 : 1) - (layout.signed ? 1 : 0)) * most);
        layout.set(view, place(element, limb, lane), value);
      }
    }
  }

  function value(element: number, lane: number): bigint {
    let sum = 0n;
    for (let limb = 0; limb < layout.limbs; limb++) {
      sum += BigInt(layout.get(view, place(element, limb, lane))) << BigInt(layout.weight(limb));
    }
    return mod(sum);
  }

  /** Values of all lanes, and that the limbs are within the bounds of `size`. */
  function check(element: number, size: number, expected: (lane: number) => bigint): void {
    for (let lane = 0; lane < layout.lanes; lane++) {
      if (value(element, lane) !== mod(expected(lane))) throw new Error(`lane ${lane} of element ${element}`);
      for (let limb = 0; limb < layout.limbs; limb++) {
        const found = Math.abs(layout.get(view, place(element, limb, lane)));
        if (found > layout.largest(limb) * size) throw new Error(`limb ${limb}: ${found}`);
      }
    }
  }

  const values = (element: number): bigint[] => Array.from({ length: layout.lanes }, (_, lane) => value(element, lane));

  it('keeps its bounds and its values for limbs as large as they may be', () => {
    for (let round = 0; round < 3000; round++) {
      fill(0);
      fill(1, 1 + (round & 1));
      const [a, b] = [values(0), values(1)];
      field.mul(slot(2), slot(0), slot(1));
      check(2, 1, (lane) => a[lane]! * b[lane]!);
      field.mul(slot(2), slot(1), slot(0));
      check(2, 1, (lane) => a[lane]! * b[lane]!);
      field.sqr(slot(2), slot(0));
      check(2, 1, (lane) => a[lane]! ** 2n);
      fill(1);
      const c = values(1);
      field.add(slot(2), slot(0), slot(1));
      check(2, 2, (lane) => a[lane]! + c[lane]!);
      field.sub(slot(2), slot(0), slot(1));
      check(2, 2, (lane) => a[lane]! - c[lane]!);
      field.addReduced(slot(2), slot(0), slot(1));
      check(2, 1, (lane) => a[lane]! + c[lane]!);
      field.subReduced(slot(2), slot(0), slot(1));
      check(2, 1, (lane) => a[lane]! - c[lane]!);
    }
    expect(values(2)).toHaveLength(layout.lanes);
  });

  it('the terms of the point formulas are those of the paper, for limbs as large as they may be', () => {
    for (let round = 0; round < 600; round++) {
      for (let i = 0; i < 8; i++) fill(i, i === 6 ? 2 : 1);
      const [x, y, z, t] = [0, 1, 2, 3].map(values) as [bigint[], bigint[], bigint[], bigint[]];
      const [qMinus, qPlus, q2z, q2dt] = [4, 5, 6, 7].map(values) as [bigint[], bigint[], bigint[], bigint[]];
      field.doublingTerms(slot(10), slot(0));
      check(10, 1, (i) => 2n * x[i]! * y[i]!);
      check(11, 1, (i) => y[i]! ** 2n - x[i]! ** 2n - 2n * z[i]! ** 2n);
      check(12, 1, (i) => y[i]! ** 2n - x[i]! ** 2n);
      check(13, 1, (i) => -(x[i]! ** 2n) - y[i]! ** 2n);
      for (const minus of [0, 1]) {
        const a = (i: number) => (y[i]! - x[i]!) * (minus ? qPlus : qMinus)[i]!;
        const b = (i: number) => (y[i]! + x[i]!) * (minus ? qMinus : qPlus)[i]!;
        const c = (i: number) => t[i]! * q2dt[i]! * (minus ? -1n : 1n);
        field.additionTerms(slot(10), slot(0), slot(4), minus);
        check(10, 1, (i) => b(i) - a(i));
        check(11, 2, (i) => z[i]! * q2z[i]! - c(i));
        check(12, 2, (i) => z[i]! * q2z[i]! + c(i));
        check(13, 2, (i) => b(i) + a(i));
        // Affine: the third of q is 2dT, which here is what lay at 2Z.
        const affine = (i: number) => t[i]! * q2z[i]! * (minus ? -1n : 1n);
        field.mixedTerms(slot(10), slot(0), slot(4), minus);
        check(11, 2, (i) => 2n * z[i]! - affine(i));
        check(12, 2, (i) => 2n * z[i]! + affine(i));
      }
    }
    expect(values(13)).toHaveLength(layout.lanes);
  });
});
