import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, type JsonValue, parseJson } from '../../src/base/index.ts';
import { minerAddress, type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { BothNodes } from '../support/beside-monerod.ts';
import { BootstrapFile } from '../support/bootstrap-file.ts';
import { findReference } from '../support/child.ts';
import { MINER_ADDRESS } from '../support/premined.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';

// A chain so long that a pruned node has thrown something away, whichever stripe it keeps: both tell of it alike. With LONG=1: it takes
// minutes to make.

/** Stripes are of 4,096 blocks, and the newest 5,500 blocks are kept. */
const BLOCKS = 10_000;
/** The import writes whole batches alone. */
const BATCH = 5_000;
const HISTORY = 120;
/** Where payments are made besides: at the edge of two stripes, at the newest that is pruned, at the oldest that is not, and at the top. */
const SPENDING = [4_095, 4_096, 4_100, BLOCKS - 5_501, BLOCKS - 5_500, BLOCKS - 5_499, BLOCKS - 5_498, BLOCKS - 10];

let folder: string;
let devnet: ServedDevnet;
let monerod: Monerod;
let both: BothNodes;

function lengthen(): void {
  const { node, faucet } = devnet;
  const elsewhere = minerAddress(MINER_ADDRESS);
  node.batch(() => {
    while (node.chain.height <= BLOCKS) {
      if (SPENDING.includes(node.chain.height)) faucet.stir(1_000_000_000n);
      node.mine(elsewhere);
    }
  });
}

function importChain(): void {
  const file = join(folder, 'chain.raw');
  const bootstrap = new BootstrapFile(file, BLOCKS);
  for (let height = 1; height <= BLOCKS; height++) {
    const { blob, transactions, weight, reward } = devnet.node.chain.blockAt(height)!;
    bootstrap.add({ blob, transactions: transactions.map((tx) => tx.blob), weight }, reward);
  }
  bootstrap.close();
  const mode = ['--regtest', '--keep-fakechain', '--dangerous-unverified-import', '1', '--batch-size', String(BATCH)];
  const place = ['--data-dir', join(folder, 'chain'), '--input-file', file];
  execFileSync(findReference('monero-blockchain-import'), [...mode, ...place], { stdio: 'ignore' });
}

const spending = (): { readonly height: number; readonly id: string }[] => {
  const { chain } = devnet.node;
  const heights = [...Array.from({ length: HISTORY }, (_, height) => height), ...SPENDING];
  return heights.flatMap((height) => chain.blockAt(height)!.transactions.map(({ id }) => ({ height, id })));
};

describe.runIf(process.env.LONG === '1')('a pruned node', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nightjar-pruned-'));
    devnet = await serveDevnet({ history: { blocks: HISTORY, transactions: 12 } });
    lengthen();
    importChain();
    monerod = await startMonerod({ dataDir: join(folder, 'chain'), extraArgs: ['--prune-blockchain'] });
    both = new BothNodes(devnet, monerod);
    const { pruned, pruning_seed: seed } = await monerod.rpc<{ pruned: boolean; pruning_seed: number }>('prune_blockchain', {
      check: true,
    });
    expect(pruned).toBe(true);
    devnet.node.prune(seed);
  });
  afterAll(async () => {
    await Promise.all([devnet?.stop(), monerod?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('has thrown proofs away, and kept the newest', () => {
    const isPruned = spending().map(({ id }) => devnet.node.chain.transaction(id)!.isPruned);
    expect(new Set(isPruned)).toEqual(new Set([true, false]));
    expect(isPruned.at(-1)).toBe(false);
  });

  it('shows transactions alike: whole, split, pruned and as JSON', async () => {
    for (const { id } of spending()) {
      for (const how of [{}, { prune: true }, { split: true }, { decode_as_json: true }, { decode_as_json: true, prune: true }]) {
        const [ours, theirs] = await both.path('get_transactions', { txs_hashes: [id], ...how });
        expect(readJson(ours)).toEqual(readJson(theirs));
      }
    }
    const [ours, theirs] = await both.path('get_transactions', { txs_hashes: spending().map(({ id }) => id), prune: true });
    expect(ours).toEqual(theirs);
  });

  it('sends blocks alike, with proofs and without', async () => {
    const { chain } = devnet.node;
    for (const { height } of spending())
      for (const prune of [true, false]) {
        const fields = { prune: storage.bool(prune), start_height: storage.u64(height), max_block_count: storage.u64(2) };
        const ids = storage.packed([hexToBytes(chain.top.id), hexToBytes(chain.blockAt(0)!.id)].slice(1));
        const request = encodePortableStorage(storage.object({ ...fields, block_ids: ids }));
        expectSameBytes(await both.binary('get_blocks.bin', request));
      }
    for (const { height } of spending()) {
      const request = encodePortableStorage(storage.object({ heights: storage.u64s([BigInt(height)]) }));
      expectSameBytes(await both.binary('get_blocks_by_height.bin', request));
    }
  });

  it('says so of itself alike, and shows blocks, headers and outputs as before', async () => {
    const heights = [0, 100, 4_096, BLOCKS];
    for (const height of heights) {
      const [ours, theirs] = await both.rpc('get_block', { height });
      expect(withoutJson(ours)).toEqual(withoutJson(theirs));
    }
    const [ours, theirs] = await both.rpc('prune_blockchain', { check: true });
    expect(ours).toEqual(theirs);
    const outputs = heights.map((index) => ({ amount: 0, index }));
    const [here, there] = await both.path('get_outs', { outputs, get_txid: true });
    expect(here).toEqual(there);
  });
});

/** JSON within JSON, which each writes with spaces of its own, as values. */
function readJson(reply: JsonValue): unknown {
  const { txs, txs_as_json: _texts, ...rest } = reply as { txs: { as_json: string }[]; txs_as_json?: string[] };
  const read = txs.map(({ as_json, ...tx }) => ({ ...tx, as_json: as_json === '' ? '' : parseJson(as_json) }));
  return { ...rest, txs: read };
}

/** Its text, which each writes with spaces of its own. */
const withoutJson = (reply: JsonValue): object => {
  const { json: _json, ...rest } = (reply as { result: Record<string, JsonValue> }).result;
  return rest;
};

/** But for the clock of each. */
function expectSameBytes([ours, theirs]: readonly [Uint8Array, Uint8Array]): void {
  const masked = (bytes: Uint8Array): string => {
    const at = Buffer.from(bytes).indexOf('daemon_time');
    const copy = Uint8Array.from(bytes);
    if (at >= 0) copy.fill(0, at + 12, at + 20);
    return bytesToHex(copy);
  };
  expect(masked(ours)).toBe(masked(theirs));
}
