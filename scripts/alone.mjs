// Runs one at a time among all processes in this folder: two that install or build at once would delete each other's files.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const WAIT_MS = 100;
/** No work under a lock takes this long: by then the holder's id belongs to another process. */
const LEFT_MS = 20 * 60_000;

/**
 * Does some work under a lock; waits while another process holds it.
 * @param {string} lock a file that exists meanwhile and contains the process's id; one left by a dead process is removed
 * @param {() => unknown} work may be asynchronous
 * @param {() => void} waiting called once if another process holds the lock
 */
export async function alone(lock, work, waiting = () => undefined) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let told = false; !take(lock); told = true) {
    if (!told) waiting();
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (isLeft(lock)) remove(lock);
  }
  const release = () => rmSync(lock, { force: true });
  process.on('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Whether its holder is gone. */
function isLeft(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LEFT_MS) return true;
    const holder = Number(readFileSync(lock, 'utf8'));
    // Its holder has yet to write its id.
    if (holder === 0) return false;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Another process may have removed it just before and taken the lock: then that lock is put back. */
function remove(lock) {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (isLeft(aside)) rmSync(aside);
  else renameSync(aside, lock);
}
