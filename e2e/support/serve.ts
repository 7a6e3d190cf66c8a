import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Blocks come fast, so that coins are free within seconds. */
const BLOCK_SECONDS = 1;

/** The command line at work. */
export interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs `start` as a person would, and waits until it says where the page is. */
export async function startSite(args: readonly string[]): Promise<Served> {
  if (!existsSync(at('dist/app/index.html'))) throw new Error('expected the page to be built: npm run build');
  const built = at('dist/node/bin/cli.js');
  const entry = existsSync(built) ? [built] : ['--import', 'tsx', at('src/cli/main.ts')];
  const child = spawn(process.execPath, [...entry, 'start', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Wallet\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url,
      stop: () => {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }
  throw new Error('expected the command line to say where the page is');
}

/** The site on its own test chain, for all tests. */
export default async function serve(): Promise<() => Promise<void>> {
  if (process.env.NIGHTJAR_URL !== undefined) return async () => undefined;
  const site = await startSite(['--port', '0', '--block-time', String(BLOCK_SECONDS)]);
  process.env.NIGHTJAR_URL = site.url;
  return () => site.stop();
}
