import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { referenceFolder } from '../../scripts/reference.mjs';

/** A child process with its own temporary folder, which is also its HOME. */
export interface Child {
  readonly pid: number;
  readonly folder: string;
  /** Resolves when it has ended, with its exit code or signal. */
  readonly ended: Promise<string>;
  /** Its latest output, for error messages. */
  output(): string;
  /** Asks it to end, kills it after ten seconds, removes its folder. Idempotent. */
  stop(): Promise<void>;
  /** Kills it, like a power cut; the folder stays until `stop`. */
  kill(): Promise<void>;
}

/**
 * Finds a program on the PATH (or where `NIGHTJAR_<NAME>` points).
 * @throws Error with one line that says what to install
 */
export function findProgram(name: string, debianPackage: string): string {
  const variable = `NIGHTJAR_${name.toUpperCase().replaceAll('-', '_')}`;
  const named = process.env[variable];
  const places = named ? [named] : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const place of places) {
    if (isExecutable(place)) return place;
  }
  throw new Error(
    `${name} was not found: install Debian's package "${debianPackage}" (apt-get install ${debianPackage}) or set ${variable} to its path`,
  );
}

/** Releases of the reference that tests use: the current one, which is authoritative, and this system's, for old files and clients. */
export type ReferenceRelease = '0.18.5.3' | '0.18.0.0';

/** The release used if a test names none. */
export const RULING_RELEASE: ReferenceRelease = '0.18.5.3';

/**
 * Finds a program of one release of the reference: the current one in the cache that the setup fills, 0.18.0.0 like {@link findProgram} does.
 * @throws Error with one line that says how to get it
 */
export function findReference(name: string, release: ReferenceRelease = RULING_RELEASE): string {
  if (release === '0.18.0.0') return findProgram(name, 'monero');
  const place = join(referenceFolder(release), 'bin', name);
  if (isExecutable(place)) return place;
  throw new Error(`${name} ${release} was not found: npm test fetches it, or node scripts/reference.mjs`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Ports below those that systems give out by themselves, so that only another caller of {@link freePort} could take one. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];

/** A port that was free a moment ago, for a program that cannot be told to take any. Of those chosen here at random, none is another's soon. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The environment of the reference's programs, and the library that `npm test` preloads to make them quick (scripts/quick-reference.c). */
export function referenceEnv(home: string): NodeJS.ProcessEnv {
  const { PATH, NIGHTJAR_PRELOAD: preload } = process.env;
  return { PATH, HOME: home, LANG: 'C.UTF-8', ...(preload === undefined ? {} : { LD_PRELOAD: preload }) };
}

/** Command line that starts a program of the reference in a custom environment: it includes the library of {@link referenceEnv}. */
export function quickReference(name: string, release?: ReferenceRelease): readonly [string, ...string[]] {
  const { NIGHTJAR_PRELOAD: preload } = process.env;
  const program = findReference(name, release);
  return preload === undefined ? [program] : ['/usr/bin/env', `LD_PRELOAD=${preload}`, program];
}

const living = new Set<ChildProcess>();
const folders = new Set<string>();
let watching = false;

/** Children end with this process: on a normal exit, on a signal, and (through the kernel's parent-death signal) when it is killed. */
function watchOurOwnEnd(): void {
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const child of living) child.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const onSignal = () => {
      for (const child of living) child.kill('SIGKILL');
      process.off(signal, onSignal);
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    process.on(signal, onSignal);
  }
}

const OUTPUT_KEPT = 8_000;
const PARENT_DEATH_HELPER = '/usr/bin/setpriv';

/** Starts a program in a folder of its own under the system's temporary folder. */
export function startChild(name: string, command: string, args: (folder: string) => readonly string[]): Child {
  watchOurOwnEnd();
  const folder = mkdtempSync(join(tmpdir(), `nightjar-${name}-`));
  folders.add(folder);
  const wrapped = existsSync(PARENT_DEATH_HELPER);
  const own = args(folder);
  const child = spawn(wrapped ? PARENT_DEATH_HELPER : command, wrapped ? ['--pdeathsig', 'KILL', command, ...own] : own, {
    cwd: folder,
    env: referenceEnv(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_KEPT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  }).then((how) => {
    living.delete(child);
    return how;
  });
  return {
    pid: child.pid ?? -1,
    folder,
    ended,
    output: () => output,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      await endChild(child, ended);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      folders.delete(folder);
    },
  };
}

async function endChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (!living.has(child)) return;
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(insist);
}
