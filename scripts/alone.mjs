// One at a time, of all processes that work in this folder: two that install or build at once would take each other's files away.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const WAIT_MS = 100;
/** Nothing that is done under a lock takes as long: its holder's id is another process's by now. */
const LEFT_MS = 20 * 60_000;

/**
 * Does some work while no other process does any under the same lock; waits for one that does.
 * @param {string} lock a file that is there meanwhile and holds the process's id; one that a dead process left is removed
 * @param {() => unknown} work may be asynchronous
 * @param {() => void} waiting called once, where another process comes first
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

/** Nobody holds it any more. */
function isLeft(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LEFT_MS) return true;
    const holder = Number(readFileSync(lock, 'utf8'));
    // Its holder is about to write it.
    if (holder === 0) return false;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Another process may have removed it a moment before, and hold it: its lock is put back. */
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
