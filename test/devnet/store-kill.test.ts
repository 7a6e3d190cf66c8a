import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { DevnetNode } from '../../src/devnet/index.ts';
import { TABLES, type TableName } from '../../src/devnet/store/database.ts';
import { openFolder } from '../../src/devnet/store/folder.ts';
import { seededRandom } from './support.ts';

// A devnet that is killed at an instant of the chance, or whose disk is full, has all that it told of, and nothing by half.

const ROUNDS = process.env.LONG === '1' ? 150 : 3;
/** Longest time from its first word to the end, milliseconds. */
const LIFETIME = 400;
const random = seededRandom(process.env.KILL_SEED ?? 'kill');

interface State {
  readonly top: string;
  readonly height: number;
  readonly pool: readonly string[];
}
type Line = { readonly state?: State; readonly change?: string; readonly failed?: string };

let folder: string;
beforeEach(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-devnet-kill-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a writer said until it ended. @param limit of the size of its files, kB */
async function written(seed: string, lifetime: number | undefined, limit?: number): Promise<readonly Line[]> {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'store-writer.ts'), folder, seed];
  const shell = ['-c', `trap '' XFSZ; ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child =
    limit === undefined ? spawn(process.execPath, args, { stdio: [...stdio] }) : spawn('bash', shell, { stdio: [...stdio] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  for await (const chunk of child.stdout!) {
    if (said === '' && lifetime !== undefined) setTimeout(() => child.kill('SIGKILL'), lifetime);
    said += String(chunk);
  }
  await ended;
  const lines = said.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Every table as it would be, had the chain been built anew from its blocks. */
function expectConsistent(node: DevnetNode): void {
  const anew = new DevnetNode();
  for (let height = 1; height < node.chain.height; height++) {
    const block = node.chain.blockAt(height)!;
    anew.append(
      block.blob,
      block.transactions.map((tx) => tx.blob),
    );
  }
  const own: readonly TableName[] = ['alternatives', 'pool', 'coins', 'properties'];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  for (const name of TABLES.filter((table) => !own.includes(table))) {
    const rows = ({ database }: DevnetNode) =>
      Array.from(database.table(name).range(), ({ key, value }) => `${hex(key)} ${hex(value)}`);
    expect(rows(node), name).toEqual(rows(anew));
  }
}

/** The state that was said last, or what the change that had begun makes of it. */
async function expectNothingLost(lines: readonly Line[]): Promise<void> {
  const last = lines.findLast(({ state }) => state !== undefined)!.state!;
  const begun = lines.at(-1)?.change;
  const node = new DevnetNode({ database: await openFolder(folder) });
  try {
    const { chain, pool } = node;
    const has = (id: string) => pool.get(id) !== undefined || chain.transaction(id) !== undefined;
    if (chain.top.id !== last.top) {
      expect(['mine', 'pop', 'reorganise']).toContain(begun);
      if (begun !== 'pop') expect(node.knowsBlock(last.top)).toBe(true);
      expect(Math.abs(chain.height - last.height)).toBeLessThanOrEqual(3);
    } else if (begun !== 'pay') expect(pool.all.map(({ id }) => id)).toEqual(last.pool);
    for (const id of last.pool) expect(has(id), id).toBe(true);
    expectConsistent(node);
  } finally {
    node.close();
  }
}

describe('T16 a devnet', () => {
  it('that is killed at any instant has all that it told of, and nothing by half', { timeout: ROUNDS * 20_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const lines = await written(`${round}`, random.bytes(2)[0]! * (LIFETIME / 256));
      expect(lines.length).toBeGreaterThan(0);
      await expectNothingLost(lines);
    }
  });

  it('whose disk is full reports that, is unchanged, and continues when there is space', async () => {
    const lines = await written('full', undefined, 650);
    const { failed, state } = lines.at(-1)!;
    expect(failed).toBeDefined();
    // In memory it is as before the change, and on disk too.
    expect(state).toEqual(lines.at(-3)?.state);
    await expectNothingLost(lines.slice(0, -2));
    const later = await written('room', 200);
    expect(later.find((line) => line.state !== undefined)!.state).toEqual(state);
    await expectNothingLost(later);
  });
});
