// `npm run test:engines`: the main journey in Firefox and in WebKit, on the built page over its own test chain. Prints a table for docs/measurements.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FrontServer, release, startFront } from '../support/front.ts';
import { startSite } from '../support/serve.ts';
import type { Browser, Launch } from './browser.ts';
import { firefox } from './firefox.ts';
import { journey, type Step } from './journey.ts';
import { webkit } from './webkit.ts';

const PICTURES = join('test-results', 'engines');

interface Result {
  readonly engine: string;
  readonly steps: readonly Step[];
  readonly error?: string;
}

async function drive(name: string, launch: Launch, front: FrontServer): Promise<Result> {
  let engine = name;
  let browser: Browser | undefined;
  const noted: Launch = async () => {
    browser = await launch();
    engine = browser.version;
    return { ...browser, close: () => picture(name, browser).then(() => browser?.close()) };
  };
  const steps: Step[] = [];
  try {
    for await (const step of journey(noted, { url: front.url, release: () => release(front, name), build: name })) {
      steps.push(step);
      console.log(`  ${engine}: ${step.name}, ${step.seconds.toFixed(1)} s`);
    }
    return { engine, steps };
  } catch (error) {
    return { engine, steps, error: error instanceof Error ? error.message : String(error) };
  }
}

/** The screen where a journey ended, well or not. */
async function picture(name: string, browser: Browser | undefined): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  if (browser) writeFileSync(join(PICTURES, `${name}.png`), await browser.screenshot());
}

function table(results: readonly Result[]): string {
  const names = [...new Set(results.flatMap(({ steps }) => steps.map(({ name }) => name)))];
  const cell = ({ steps }: Result, name: string): string => steps.find((step) => step.name === name)?.seconds.toFixed(1) ?? '—';
  const row = (name: string): string => `| ${name} | ${results.map((result) => cell(result, name)).join(' | ')} |`;
  const head = `| seconds | ${results.map(({ engine }) => engine).join(' | ')} |`;
  return [head, `| --- |${' ---: |'.repeat(results.length)}`, ...names.map(row)].join('\n');
}

const ENGINES = [
  ['firefox', firefox],
  ['webkit', webkit],
] as const;

/** Engines named on the command line; all of them when none is. */
const wanted = process.argv.slice(2);
const site = await startSite(['--port', '0', '--block-time', '1']);
const front = await startFront(site.url);
const results: Result[] = [];
try {
  for (const [name, launch] of ENGINES)
    if (wanted.length === 0 || wanted.includes(name)) results.push(await drive(name, launch, front));
} finally {
  await front.close();
  await site.stop();
}
console.log(`\n${table(results)}\n`);
const failed = results.filter(({ error }) => error !== undefined);
for (const { engine, error } of failed) console.log(`✗ ${engine}: ${error}`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
