import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadCrypto } from '../src/crypto/index.ts';
import { DevnetNode } from '../src/devnet/index.ts';
import { openFolder } from '../src/devnet/store/folder.ts';
import { encodePortableStorage, storage } from '../src/protocol/index.ts';
import { BootstrapFile, type MadeBlock } from '../test/support/bootstrap-file.ts';
import { findReference } from '../test/support/child.ts';
import { startMonerod } from '../test/support/programs.ts';
import { median, output, type Row, row } from './rows.ts';
import { madeChain } from './served-chain.ts';
import { ownMegabytes } from './sync/process.ts';

/**
 * A chain of 100,000 blocks, every tenth with a transaction, served by the devnet and by monerod in one run: blocks per second through
 * `get_blocks.bin`, pruned and a thousand per reply as a wallet requests them, the private memory of the process afterwards, and the duration of a
 * start. monerod is fed by monero-blockchain-import, the devnet with the same blocks; neither checks the proofs, which are not valid.
 */

const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 100_000);
const EVERY = 10;
const BATCH = 1000;
const A_REPLY = 1000;
const ROUNDS = 3;
const CLI = fileURLToPath(new URL('../dist/node/bin/cli.js', import.meta.url));
const OTHER = 'monerod 0.18.5.3';

/** Writes one chain into a folder of the devnet's, and into a file for monerod. */
async function feed(folder: string, file: string): Promise<void> {
  await loadCrypto();
  const node = new DevnetNode({ database: await openFolder(folder) });
  const bootstrap = new BootstrapFile(file, BLOCKS);
  const append = (blocks: readonly MadeBlock[]) =>
    node.batch(() => {
      for (const { blob, transactions } of blocks) node.append(blob, transactions);
    });
  let batch: MadeBlock[] = [];
  for (const block of madeChain(BLOCKS, EVERY)) {
    bootstrap.add(block);
    batch.push(block);
    if (batch.length < BATCH) continue;
    append(batch);
    batch = [];
  }
  append(batch);
  bootstrap.close();
  node.close();
}

interface Served {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from its start to its first answer. */
  readonly took: number;
  stop(): Promise<unknown>;
}

async function devnet(folder: string): Promise<Served> {
  const began = performance.now();
  const args = [CLI, 'devnet', '--data-dir', folder, '--empty', '--block-time', '0', '--port', '0'];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout!)) {
    const url = /(http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    await (await fetch(`${url}/get_height`)).text();
    const stop = (): Promise<unknown> => {
      child.kill('SIGTERM');
      return ended;
    };
    return { url, pid: child.pid!, took: performance.now() - began, stop };
  }
  throw new Error('the devnet ended before it answered');
}

async function monerod(folder: string): Promise<Served> {
  const began = performance.now();
  const running = await startMonerod({ dataDir: folder });
  return { url: running.url, pid: running.pid, took: performance.now() - began, stop: () => running.stop() };
}

/** Blocks per second, from the first to the last. */
async function blocksPerSecond({ url }: Served): Promise<number> {
  const began = performance.now();
  let height = 1;
  while (height <= BLOCKS) {
    const fields = { prune: storage.bool(true), start_height: storage.u64(height), max_block_count: storage.u64(A_REPLY) };
    const request = storage.object(fields);
    const reply = await fetch(`${url}/get_blocks.bin`, { method: 'POST', body: Buffer.from(encodePortableStorage(request)) });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const got = countOf(bytes);
    if (got === 0) throw new Error(`expected blocks from height ${height} on`);
    height += got;
  }
  return BLOCKS / ((performance.now() - began) / 1000);
}

/** The list `blocks` of a reply begins with its length: two bits for its size, in one or two bytes up to a thousand. */
function countOf(bytes: Uint8Array): number {
  const reply = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = reply.indexOf(BLOCKS_FIELD);
  return at < 0 ? 0 : reply.readUInt16LE(at + BLOCKS_FIELD.length) >> 2;
}

/** Name and type of that list, which contains objects. A thousand blocks take two bytes. */
const BLOCKS_FIELD = Buffer.from([6, ...Buffer.from('blocks'), 0x8c]);

export async function servingRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-serving-'));
  try {
    const [ours, theirs, file] = [join(folder, 'ours'), join(folder, 'theirs'), join(folder, 'chain.raw')];
    mkdirSync(theirs);
    await feed(ours, file);
    const mode = ['--regtest', '--keep-fakechain', '--dangerous-unverified-import', '1', '--batch-size', '5000'];
    await output(findReference('monero-blockchain-import'), [...mode, '--data-dir', theirs, '--input-file', file]);
    // Its first start searches the chain for its own coins, of which there are none.
    await (await devnet(ours)).stop();
    const seen = { ours: [] as Seen[], theirs: [] as Seen[] };
    for (let round = 0; round < ROUNDS; round++) {
      seen.ours.push(await look(await devnet(ours)));
      seen.theirs.push(await look(await monerod(theirs)));
    }
    const both = (of: (one: Seen) => number): [number, number] => [median(seen.ours.map(of)), median(seen.theirs.map(of))];
    const where = `${BLOCKS} blocks`;
    return [
      row('devnet: get_blocks.bin', where, ...both(({ rate }) => rate), OTHER, 'blocks/s'),
      row('devnet: memory of its own after serving them', where, ...both(({ memory }) => memory), OTHER, 'MB'),
      row('devnet: start to the first answer', where, ...both(({ took }) => took / 1000), OTHER, 's'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Seen {
  readonly rate: number;
  readonly memory: number;
  readonly took: number;
}

async function look(served: Served): Promise<Seen> {
  try {
    const rate = await blocksPerSecond(served);
    return { rate, memory: ownMegabytes(served.pid), took: served.took };
  } finally {
    await served.stop();
  }
}
