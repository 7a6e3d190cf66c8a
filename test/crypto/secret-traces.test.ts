import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldModule } from '../../src/crypto/field-module.ts';
import * as crypto from '../../src/crypto/index.ts';
import { reloadCrypto } from '../../src/crypto/load.ts';
import { scalarMulPoints } from '../../src/crypto/point.ts';
import { type KernelTrace, traceKernels } from '../support/kernel-trace.ts';

let trace: KernelTrace;
beforeAll(() => {
  trace = traceKernels();
});
afterAll(() => trace.stop());

const POINT = crypto.H;
const ONE = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));

/** Its public key begins as G does, the key that the images are of: a comparison that ends at the first difference shows. */
const ALIKE = Uint8Array.from({ length: 32 }, (_, i) => ({ 0: 1, 8: 54, 25: 1 })[i] ?? 0);

/** Few digits, all digits, and random ones: what skips a digit or ends early shows. */
function secrets(): Uint8Array[] {
  const sparse = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 || i === 25 ? 1 : 0));
  const dense = new Uint8Array(32).fill(0xff).fill(0x0f, 31);
  const random = () => new Uint8Array(randomBytes(32)).fill(7, 31);
  return [sparse, dense, ALIKE, random(), random()];
}

/** How many different traces come of the secrets. */
function tracesOf(work: (secret: Uint8Array) => unknown): number {
  work(ONE); // The memory has grown and tables are made.
  const seen = secrets().map((secret) => trace.of(() => work(secret)));
  expect(Math.min(...seen.map(({ events }) => events))).toBeGreaterThan(1_000);
  return new Set(seen.map(({ fingerprint }) => fingerprint)).size;
}

const MEETINGS: Readonly<Record<string, (secret: Uint8Array) => unknown>> = {
  s·G: (s) => crypto.scalarMulBase(s),
  s·P: (s) => crypto.scalarMulPoint(s, POINT),
  'several s·P': (s) => scalarMulPoints([s, ONE, s], [POINT, POINT, crypto.G]),
  'Σ s·P': (s) => crypto.multiScalarMulSecret([s, ONE, s], [POINT, POINT, crypto.G]),
  'the derivation 8·s·P': (s) => crypto.generateKeyDerivation(POINT, s),
  'a key image': (s) => crypto.generateKeyImage(crypto.G, s),
  'several key images': (s) => crypto.generateKeyImages([s, ONE, s].map((secret) => ({ key: crypto.G, secret }))),
  'a commitment to a mask': (s) => crypto.commit(5n, s),
};

describe.each(['fma', 'ext'] as const satisfies readonly FieldModule[])(
  'T22 side channels: with any secret, in the kernel %s,',
  (field) => {
    beforeAll(() => reloadCrypto({ force: field }));

    it('one of the secrets has a key that begins as G does', () => {
      expect(crypto.scalarMulBase(ALIKE)[0]).toBe(crypto.G[0]);
    });

    it.each(Object.entries(MEETINGS))('%s takes the same branches over the same addresses', (_, work) => {
      expect(tracesOf(work)).toBe(1);
    });

    it('a multiplication made for public scalars alone is told apart by this very test', () => {
      expect(tracesOf((s) => crypto.scalarMulPointVartime(s, POINT))).toBe(secrets().length);
    });
  },
);
