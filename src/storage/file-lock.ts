import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, readlink, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { codeOf, parseJson, stringifyJson } from '../base/index.ts';
import { lockedError, type StorageError } from './errors.ts';
import { hasSocketLock, lockBySocket } from './socket-lock.ts';

/** Holder of a lock file. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Scope of the process id: the PID namespace, on Linux. */
  readonly space: string;
  /** When the process started, according to the system: a later process may have the same number. */
  readonly born: string;
  /** Identifies this acquisition of the lock. */
  readonly id: string;
}

/** Writing a lock takes milliseconds: an unfinished one of this age, in milliseconds, was interrupted. */
const STALE = 10_000;

/**
 * Takes the lock of a wallet's file: a socket beside it, or a lock file where the folder cannot hold sockets. Each kind respects the other.
 * @throws StorageError `locked`
 * @returns a function that releases it
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const file = `${path}.lock`;
  const release = await lockBySocket(path);
  if (release === undefined) return lockByFile(path, file);
  const holder = await holderOf(file);
  if (holder === undefined ? await isOld(file) : !(await isAlive(holder))) {
    await unlink(file).catch(() => undefined);
    return release;
  }
  await release();
  throw await lockedByError(file, holder);
}

/** Creates a lock file exclusively. A lock whose holder is dead is taken over; a second file keeps two processes from doing so at once. */
async function lockByFile(path: string, file: string): Promise<() => Promise<void>> {
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    space: await pidSpace(),
    born: await startTimeOf(process.pid),
    id: randomUUID(),
  };
  if (!(await createExclusively(file, mine))) await takeOver(file, mine);
  const release = async () => {
    if ((await holderOf(file))?.id === mine.id) await unlink(file).catch(() => undefined);
  };
  if (!(await hasSocketLock(path))) return release;
  await release();
  throw lockedError();
}

async function takeOver(path: string, mine: Holder): Promise<void> {
  const guard = `${path}.takeover`;
  if (!(await createExclusively(guard, mine))) {
    if (await isOld(guard)) await unlink(guard).catch(() => undefined);
    throw lockedError();
  }
  try {
    const holder = await holderOf(path);
    // An empty lock is being written, unless it is old.
    if (holder === undefined ? !(await isOld(path)) : await isAlive(holder)) throw await lockedByError(path, holder);
    await unlink(path).catch(() => undefined);
    if (!(await createExclusively(path, mine))) throw lockedError();
  } finally {
    await unlink(guard).catch(() => undefined);
  }
}

/** True for a missing file, too. */
async function isOld(path: string): Promise<boolean> {
  const written = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return Date.now() - written > STALE;
}

async function createExclusively(path: string, holder: Holder): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(stringifyJson({ ...holder }));
  } finally {
    await file.close();
  }
  return true;
}

/** Undefined if there is no lock, or if writing it was interrupted. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const value = parseJson(await readFile(path, 'utf8')) as Partial<Holder> | null;
    if (typeof value?.pid !== 'number' || typeof value.host !== 'string') return undefined;
    const text = (field: keyof Holder) => String(value[field] ?? '');
    return { pid: value.pid, host: value.host, space: text('space'), born: text('born'), id: text('id') };
  } catch {
    return undefined;
  }
}

/** A holder on another machine (a shared folder) or in another container cannot be checked: it counts as alive. */
async function isAlive(holder: Holder): Promise<boolean> {
  const { pid, born } = holder;
  if (await isElsewhere(holder)) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  const now = await startTimeOf(pid);
  return born === '' || now === '' || born === now;
}

async function isElsewhere({ host, space }: Holder): Promise<boolean> {
  return host !== hostname() || space !== (await pidSpace());
}

/** Names the lock's file if the holder cannot be checked: only a person can clear it. */
async function lockedByError(file: string, holder: Holder | undefined): Promise<StorageError> {
  return holder !== undefined && (await isElsewhere(holder)) ? lockedError(basename(file)) : lockedError();
}

/** Boot and start time of a process if the system tells (Linux); otherwise empty. */
async function startTimeOf(pid: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\)/s, '').trim().split(' ');
    return `${boot.trim()} ${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}

/** Empty on systems without PID namespaces. */
const pidSpace = (): Promise<string> => readlink('/proc/self/ns/pid').catch(() => '');
