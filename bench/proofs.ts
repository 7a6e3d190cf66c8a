import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { build, type Rollup } from 'vite';
import type { FieldModule } from '../src/crypto/field-module.ts';
import type { TimedProof, timeProof } from './proofs-time.ts';
import { median, nativeMicroseconds, output, type Row, row } from './rows.ts';

/**
 * Ring signatures and range proofs: ours in both field modules, in Node and Chromium, one thread, against the reference's own benchmark. Measured
 * alternately; medians over processes.
 */

const PROCESSES = 3;
const FIELDS: readonly FieldModule[] = ['fma', 'ext'];
const COMPARED: readonly { readonly timed: TimedProof; readonly name: string; readonly native: string }[] = [
  { timed: 'clsag', name: 'verify two CLSAGs of 16 and their balance', native: 'test_sig_clsag<16, 2, 2>' },
  { timed: 'prove', name: 'Bulletproofs+ of two outputs, prove', native: 'test_bulletproof_plus<false, 2>' },
  { timed: 'verify', name: 'Bulletproofs+ of two outputs, verify', native: 'test_bulletproof_plus<true, 2>' },
];

async function inNode(timed: TimedProof, field: FieldModule): Promise<number> {
  const script = fileURLToPath(new URL('proofs-node.ts', import.meta.url));
  return Number(await output(process.execPath, ['--import', import.meta.resolve('tsx'), script, timed, field]));
}

/** The page's program in one file, including kernels. */
async function pageProgram(): Promise<string> {
  const bundle = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: fileURLToPath(new URL('proofs-page.ts', import.meta.url)), formats: ['es'] },
    },
  });
  const [{ output: chunks }] = bundle as Rollup.RollupOutput[] as [Rollup.RollupOutput];
  return chunks[0].code;
}

/** A separate browser for each sample. */
async function inChromium(program: string, timed: TimedProof, field: FieldModule): Promise<number> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ type: 'module', content: program });
    await page.waitForFunction(() => 'timeProof' in globalThis);
    return await page.evaluate(
      ([what, module]) => (globalThis as unknown as { timeProof: typeof timeProof }).timeProof(what, module),
      [timed, field] as const,
    );
  } finally {
    await browser.close();
  }
}

/** Rows for CLSAG verification and for creating and verifying Bulletproofs+. */
export async function proofRows(processes = PROCESSES): Promise<Row[]> {
  const program = await pageProgram();
  const rows: Row[] = [];
  for (const { timed, name, native } of COMPARED) {
    const sides = FIELDS.flatMap((field) => [
      { where: `Node, ${field}`, run: () => inNode(timed, field), times: [] as number[] },
      { where: `Chromium, ${field}`, run: () => inChromium(program, timed, field), times: [] as number[] },
    ]);
    const theirs: number[] = [];
    for (let i = 0; i < processes; i++) {
      theirs.push((await nativeMicroseconds(native, 1)) / 1000);
      for (const side of sides) side.times.push(await side.run());
    }
    const other = `performance_tests ${native.replace('test_', '')}`;
    rows.push(...sides.map(({ where, times }) => row(name, where, median(times), median(theirs), other, 'ms')));
  }
  return rows;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.table(await proofRows(Number(process.argv[2] ?? PROCESSES)));
}
