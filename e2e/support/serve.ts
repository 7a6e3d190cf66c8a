import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Blocks come fast, so that coins are free within seconds. */
const BLOCK_SECONDS = 1;

/** Starts the command line as a person would, on a free port, and ends it after the last test. */
export default async function serve(): Promise<() => Promise<void>> {
  if (process.env.NIGHTJAR_URL !== undefined) return async () => undefined;
  if (!existsSync(at('dist/app/index.html'))) throw new Error('expected the page to be built: npm run build');
  const built = at('dist/node/bin/cli.js');
  const entry = existsSync(built) ? [built] : ['--import', 'tsx', at('src/cli/main.ts')];
  const child = spawn(process.execPath, [...entry, 'start', '--port', '0', '--block-time', String(BLOCK_SECONDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const found = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url !== undefined) return url;
    }
    throw new Error('expected the command line to say where the page is');
  })();
  process.env.NIGHTJAR_URL = await found;
  child.stdout.resume();
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
