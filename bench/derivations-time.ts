/** The timed operation: `deriveBatch` (8·a·R, constant time), its variable-time twin, or s·G for outputs from before view tags. */
export type Timed = 'deriveBatch' | 'deriveBatchVartime' | 'multiplyBaseBatch';

export interface TimingTask {
  /** The compiled module, base64. */
  readonly wasm: string;
  readonly timed: Timed;
  readonly batch: number;
  readonly samples: number;
}

/**
 * Lower quartile of µs per element over samples of about a millisecond: on a busy machine most samples include a wait for the processor, which the
 * native benchmark's median over single calls does not show either; on a quiet one it is within 1% of the median. Runs in Node as it is and in a
 * page from its source text: it refers to nothing outside itself and has no inner functions.
 */
export async function timeKernel({ wasm, timed, batch, samples }: TimingTask): Promise<number> {
  const code = Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(code, {});
  const kernel = instance.exports as unknown as Record<string, (...values: number[]) => number> & { memory: WebAssembly.Memory };
  const scalars = kernel.alloc!(32 * batch);
  const points = kernel.alloc!(32 * batch);
  const out = kernel.alloc!(32 * batch);
  const ok = kernel.alloc!(batch);
  const bytes = new Uint8Array(kernel.memory.buffer);
  for (let i = 0; i < 32 * batch; i++) bytes[scalars + i] = i % 32 === 31 ? 7 : (i * 2654435761) >>> 13;
  kernel.multiplyBaseBatch!(points, scalars, batch);
  const times: number[] = [];
  // The first rounds run in the baseline tier, and a loop entered there stays there: small batches come first, with pauses that give the optimising
  // compiler's threads time.
  for (let round = -60; round < samples; round++) {
    const count = round < 0 ? 16 : batch;
    const start = performance.now();
    if (timed === 'multiplyBaseBatch') kernel.multiplyBaseBatch!(out, scalars, count);
    else kernel[timed]!(out, ok, scalars, points, count);
    if (round >= 0) times.push(((performance.now() - start) * 1000) / count);
    await new Promise((resolve) => setTimeout(resolve, round < 0 ? 20 : 2));
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 2]!;
}
