import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { type Timed, timeKernel } from './derivations-time.ts';
import { median, nativeMicroseconds, output, type Row, row } from './rows.ts';

/**
 * Key derivations, the main work of scanning: ours in both field modules, in Node and Chromium, one thread, against the reference's own benchmark.
 * Measured alternately; medians over processes.
 */

const PROCESSES = 5;
/** Never fetched: the bench itself answers the page's request. */
const ISOLATED = 'http://localhost/';
const FIELDS = ['fma', 'ext'] as const;
type Field = (typeof FIELDS)[number];

async function inNode(field: Field, timed: Timed): Promise<number> {
  const script = fileURLToPath(new URL('derivations-node.ts', import.meta.url));
  return Number(await output(process.execPath, ['--import', import.meta.resolve('tsx'), script, field, timed]));
}

/** A separate browser for each sample. */
async function inChromium(field: Field, timed: Timed): Promise<number> {
  const wasm = readFileSync(new URL(`../wasm/build/nightjar-${field}.wasm`, import.meta.url)).toString('base64');
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    // An isolated page has a clock of 5 µs instead of 100.
    await page.route(ISOLATED, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html>',
        headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
      }),
    );
    await page.goto(ISOLATED);
    return await page.evaluate(timeKernel, { wasm, timed, batch: 32, samples: 300 });
  } finally {
    await browser.close();
  }
}

interface Side {
  readonly name: string;
  readonly where: string;
  readonly run: () => Promise<number>;
}

/** A native test and the ways in which we do the same. */
async function compare(native: string, sides: readonly Side[], processes: number): Promise<Row[]> {
  const theirs: number[] = [];
  const ours = sides.map((): number[] => []);
  for (let i = 0; i < processes; i++) {
    theirs.push(await nativeMicroseconds(native, 1));
    for (const [k, side] of sides.entries()) ours[k]!.push(await side.run());
  }
  return sides.map(({ name, where }, k) =>
    row(name, where, median(ours[k]!), median(theirs), `performance_tests ${native.replace('test_', '')}`, 'µs'),
  );
}

function sidesOf(name: string, timed: Timed): Side[] {
  return FIELDS.flatMap((field) => [
    { name, where: `Node, ${field}`, run: () => inNode(field, timed) },
    { name, where: `Chromium, ${field}`, run: () => inChromium(field, timed) },
  ]);
}

/** Rows for derivations (constant time) and for s·G. */
export async function derivationRows(processes = PROCESSES): Promise<Row[]> {
  return [
    ...(await compare('test_generate_key_derivation', sidesOf('key derivation 8aR, constant time', 'deriveBatch'), processes)),
    ...(await compare(
      'test_generate_keypair',
      sidesOf('base point multiplication, constant time', 'multiplyBaseBatch'),
      processes,
    )),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.table(await derivationRows(Number(process.argv[2] ?? PROCESSES)));
}
