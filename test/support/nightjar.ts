import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Our command line in a separate process. */
export interface Nightjar {
  readonly child: ChildProcess;
  /** Its output on both streams. */
  readonly lines: string[];
  /** The first match in its output. */
  line(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Kills it, like a power cut. */
  kill(): Promise<void>;
}

/** A running wallet service of ours. */
export interface NightjarService extends Nightjar {
  readonly url: string;
}

export interface NightjarOptions {
  /** Flags of Node itself. */
  readonly node?: readonly string[];
  /** Environment variables, in addition to ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** A program that runs ours, with its own flags: `unshare`, `strace`. */
  readonly under?: readonly string[];
  /** A channel for `process.send`, for a module that a flag of Node loads first. */
  readonly channel?: boolean;
}

/** The script that Node runs as our command line: the build made by `npm test`, which starts in a tenth of the time, or the sources. */
export const CLI: readonly string[] =
  process.env.NIGHTJAR_CLI === undefined ? ['--import', 'tsx', 'src/cli/main.ts'] : [process.env.NIGHTJAR_CLI];

/** The slowest awaited line is the first of a program that starts together with many others. */
const LINE_MS = 120_000;

/** Starts `nightjar <args>`. */
export function startNightjar(args: readonly string[], options: NightjarOptions = {}): Nightjar {
  const node = [...(options.node ?? []), ...CLI];
  const [program = '', ...words] = [...(options.under ?? []), process.execPath, ...node, ...args];
  const child = spawn(program, words, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.channel === true ? (['ipc'] as const) : [])],
  });
  const stdout = child.stdout!;
  const lines: string[] = [];
  for (const stream of [stdout, child.stderr!]) createInterface(stream).on('line', (line) => lines.push(line));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0));
  });
  const line = async (pattern: RegExp) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LINE_MS);
    try {
      for (;;) {
        const found = lines.map((text) => text.match(pattern)).find((match) => match !== null);
        if (found) return found;
        const more = once(stdout, 'data', { signal: late.signal }).then(
          () => undefined,
          () => `said no ${pattern} within ${LINE_MS / 1000} s`,
        );
        const over = await Promise.race([more, ended.then(() => `ended without ${pattern}`)]);
        if (over !== undefined && !lines.some((text) => pattern.test(text))) throw new Error(`${over}: ${lines.join(' | ')}`);
      }
    } finally {
      clearTimeout(timer);
    }
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, lines, line, ended, kill };
}

/** No log file unless requested. */
export const logOf = (args: readonly string[]): readonly string[] =>
  args.includes('--log-file') ? [] : ['--log-file', '/dev/null'];

/** Starts `nightjar wallet-rpc` on a free port; resolves when it listens. */
export async function startWalletService(args: readonly string[], options?: NightjarOptions): Promise<NightjarService> {
  const started = startNightjar(['wallet-rpc', '--rpc-bind-port', '0', ...logOf(args), ...args], options);
  const [, port] = await started.line(/Binding on 127\.0\.0\.1 \(IPv4\):(\d+)$/);
  return { ...started, url: `http://127.0.0.1:${port}` };
}
