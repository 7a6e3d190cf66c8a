import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = (lock: string, log: string): string => `
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { alone } from ${JSON.stringify(new URL('../scripts/alone.mjs', import.meta.url).href)};
await alone(${JSON.stringify(lock)}, async () => {
  appendFileSync(${JSON.stringify(log)}, process.pid + ' begins ');
  await setTimeout(20);
  appendFileSync(${JSON.stringify(log)}, process.pid + ' ends\\n');
});`;

let folder: string;
let lock: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-alone-'));
  lock = join(folder, 'made', 'lock');
  log = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Works under the lock in processes of their own, all at once. */
async function inProcesses(count: number): Promise<void> {
  const started = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script(lock, log)], { stdio: 'inherit' }),
  );
  const codes = await Promise.all(started.map(async (child) => ((await once(child, 'exit')) as [number])[0]));
  expect(codes).toEqual(started.map(() => 0));
}

const expectEachAlone = (count: number): void => {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(count);
  for (const line of lines) expect(line).toMatch(/^(\d+) begins \1 ends$/);
  expect(existsSync(lock)).toBe(false);
};

it('of several processes one installs or builds at a time', async () => {
  await inProcesses(4);
  expectEachAlone(4);
});

it('a lock that a dead process left, or one from long ago, keeps nobody out', async () => {
  await inProcesses(1);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lock, String(pid));
  await inProcesses(2);
  writeFileSync(lock, String(process.pid));
  utimesSync(lock, 0, 0);
  await inProcesses(1);
  expectEachAlone(4);
});
