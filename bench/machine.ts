import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { version } from '../package.json';
import { CHROMIUM } from './page/open.ts';

/** The machine and programs used for the figures. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** Gigabytes. */
  readonly memory: number;
  readonly versions: Readonly<Record<string, string>>;
}

/** The first line of a program's version output. */
const versionOf = (program: string): string =>
  execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')[0]!
    .trim();

export function machine(): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memory: Math.round(totalmem() / 2 ** 30),
    versions: {
      nightjar: version,
      node: process.version,
      chromium: versionOf(CHROMIUM),
      'monero-wallet-rpc': versionOf('monero-wallet-rpc'),
    },
  };
}
