import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeSync } from 'node:fs';
import { codeOf } from '../base/index.ts';
import { CliError } from './errors.ts';
import { type FlagValues, textFlag } from './flags.ts';

/** Environment variable that is set for the background process. */
const MARK = 'NIGHTJAR_DETACHED';

/**
 * With `--detach`, starts this program again, in the background and without a terminal, and writes its process id to a file
 * (daemonizer/posix_fork.cpp). Node cannot fork, so the new process starts with the same arguments. Its output besides the log goes to the
 * log's file, or nowhere.
 * @returns whether there is nothing left to do here
 * @throws CliError when a file cannot be written, or the process in the file is still running
 */
export function detachIfAsked(values: FlagValues): boolean {
  if (values.detach !== true || process.env[MARK] !== undefined) return false;
  console.log('Forking to background...');
  detach(textFlag(values, 'pidfile'), textFlag(values, 'log-file'));
  return true;
}

function detach(pidFile: string | undefined, logFile: string | undefined): void {
  const pids = pidFile === undefined ? undefined : openPidFile(pidFile);
  const output = logFile === undefined ? 'ignore' : openForWriting(logFile, 'a');
  const args = [...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, [MARK]: '1' };
  const child = spawn(process.execPath, args, { detached: true, env, stdio: ['ignore', 'ignore', output] });
  if (child.pid === undefined) throw new CliError('--detach: the process could not be started');
  if (pids !== undefined) writeSync(pids, `${child.pid}\n`);
  child.unref();
}

function openPidFile(path: string): number {
  const pid = Number.parseInt(readIfThere(path), 10);
  if (pid > 1 && isRunning(pid)) throw new CliError(`PID file ${path} already exists and the PID therein is valid`);
  return openForWriting(path, 'w');
}

function openForWriting(path: string, flags: string): number {
  try {
    return openSync(path, flags, 0o600);
  } catch {
    throw new CliError(`Failed to open ${path} for writing`);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user: it is running, but cannot be signalled.
    return codeOf(error) === 'EPERM';
  }
}
