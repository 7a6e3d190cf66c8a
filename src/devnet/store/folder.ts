import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf, messageOf } from '../../base/index.ts';
import { DevnetError } from '../errors.ts';
import type { Database } from './database.ts';
import { LmdbDatabase } from './lmdb.ts';

/**
 * Opens the database of a folder.
 * @param folder created when missing
 * @throws DevnetError `log-in-use` when another running process uses it, `no-store` when this machine cannot store one, or not there
 */
export async function openFolder(folder: string): Promise<Database> {
  const lock = resolve(folder, 'lock');
  try {
    makeFolder(dirname(lock));
    takeLock(lock);
  } catch (error) {
    if (error instanceof DevnetError) throw error;
    throw new DevnetError('no-store', `expected a folder that can be made and written to, not ${folder}: ${messageOf(error)}`);
  }
  const release = (): void => {
    rmSync(lock, { force: true });
    lockedFolders.delete(lock);
  };
  try {
    return await LmdbDatabase.open(join(folder, 'chain.mdb'), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Creates a folder and its parents. Node's own recursion never ends if an existing folder cannot contain such a place (/proc/x). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** Locks that this process holds: in a container, an earlier process may have had the same id. */
const lockedFolders = new Set<string>();

/** A file with the owner's process id; one whose owner is gone is taken over. */
function takeLock(path: string): void {
  if (lockedFolders.has(path)) throw new DevnetError('log-in-use', 'expected a folder that is not open already');
  writeLock(path);
  lockedFolders.add(path);
}

function writeLock(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const owner = Number(readFileSync(path, 'utf8'));
  if (owner !== process.pid && isAlive(owner)) {
    throw new DevnetError('log-in-use', `expected a folder that no other devnet uses, process ${owner} has it`);
  }
  writeFileSync(path, String(process.pid));
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
