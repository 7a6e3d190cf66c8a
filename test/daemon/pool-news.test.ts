import { describe, expect, it } from 'vitest';
import { DaemonClient, type DaemonErrorCode, type PoolUpdate } from '../../src/daemon/index.ts';
import { decodePortableStorage, type StorageEntry, type StorageObject, storage } from '../../src/protocol/index.ts';
import { reply } from './replies.ts';

const { array, bool, bytes, object, objects, packed, text, u8, u64 } = storage;

type Fields = Record<string, StorageEntry | undefined>;

const id = (n: number): Uint8Array => new Uint8Array(32).fill(n);
const hex = (n: number): string => Buffer.from(id(n)).toString('hex');
const pooled = (n: number, fields: Fields = {}): StorageObject =>
  object({ tx_hash: bytes(id(n)), tx_blob: bytes(Uint8Array.of(n)), double_spend_seen: bool(n === 2), ...fields });

/** All of a pool of three, of which one is only named. */
const ALL: Fields = {
  daemon_time: u64(1_700_000_000),
  pool_info_extent: u8(2),
  added_pool_txs: objects([pooled(1), pooled(2)]),
  remaining_added_pool_txids: packed([id(3)]),
};
const CHANGES: Fields = { ...ALL, pool_info_extent: u8(1), removed_pool_txids: packed([id(8), id(1), id(8)]) };

/** A client of a daemon that answers everything with two blocks and these fields; the reply comes in pieces. */
function clientOf(fields: Fields, blocks = [2, 1]) {
  const asked: StorageObject[] = [];
  const client = new DaemonClient({
    retry: { attempts: 1 },
    transport: {
      request: async ({ body, onBytes }) => {
        asked.push(decodePortableStorage(body!));
        const whole = new Uint8Array(reply(blocks, fields));
        const piece = Math.max(7, whole.length >> 10);
        for (let at = piece; at < whole.length; at += piece) onBytes?.(whole.subarray(0, at), whole.length);
        return { status: 200, body: whole };
      },
    },
  });
  return { client, asked };
}

const ask = async (fields: Fields, since?: bigint): Promise<PoolUpdate | undefined> => {
  const request = { startHeight: 1234, prune: true, ...(since === undefined ? {} : { pool: { since } }) };
  return (await clientOf(fields).client.getBlocks(request)).pool?.check((news) => news);
};

async function codeOf(asking: Promise<unknown>): Promise<DaemonErrorCode | 'no error'> {
  return asking.then(
    () => 'no error' as const,
    (error: { code: DaemonErrorCode }) => error.code,
  );
}

describe('word of the pool beside blocks', () => {
  it('is what came, what is only named, and what left', async () => {
    const added = [
      { hash: hex(1), pruned: Uint8Array.of(1), doubleSpendSeen: false },
      { hash: hex(2), pruned: Uint8Array.of(2), doubleSpendSeen: true },
    ];
    const both = { time: 1_700_000_000n, added, named: [hex(3)] };
    expect(await ask(ALL, 0n)).toEqual({ ...both, extent: 'all', removed: [] });
    expect(await ask(ALL, 5n)).toEqual({ ...both, extent: 'all', removed: [] });
    expect(await ask(CHANGES, 5n)).toEqual({ ...both, extent: 'changes', removed: [hex(8), hex(1), hex(8)] });
  });

  it('is none of a daemon that gives none', async () => {
    expect(await ask({}, 0n)).toBeUndefined();
    expect(await ask({ daemon_time: u64(5) }, 0n)).toBeUndefined();
    expect(await ask({ ...ALL, pool_info_extent: u8(0) }, 0n)).toBeUndefined();
  });

  it('is asked for with blocks, alone, or not at all', async () => {
    const { client, asked } = clientOf(ALL, []);
    await client.getBlocks({ startHeight: 1234, prune: true, pool: { since: 9n } });
    await client.getPoolNews({ since: 11n });
    await client.getBlocks({ startHeight: 1234, prune: true });
    const wanted = asked.map((request) => [request.getNumber('requested_info', 0), request.getU64('pool_info_since', 0n)]);
    expect(wanted).toEqual([
      [1, 9n],
      [2, 11n],
      [0, 0n],
    ]);
    expect(asked[2]!.has('requested_info')).toBe(false);
  });

  it('lies apart from what the scan is given', async () => {
    const { outline } = await clientOf(CHANGES).client.getBlocks({ startHeight: 1234, prune: true, pool: { since: 5n } });
    const plain = await clientOf({}).client.getBlocks({ startHeight: 1234, prune: true });
    const { layout } = outline;
    const lengthOf = (runs: readonly (readonly [number, number])[]) => runs.reduce((sum, [from, to]) => sum + to - from, 0);
    expect(layout.otherFields).toBe(plain.outline.layout.otherFields);
    expect(lengthOf(layout.others)).toBe(lengthOf(plain.outline.layout.others));
    expect(layout.pool).toHaveLength(5);
    expect(outline.blocks).toBe(2);
  });

  it('T6 that nobody asked for is passed over, whatever it is', async () => {
    for (const fields of [ALL, CHANGES, { ...ALL, pool_info_extent: text('two') }, { added_pool_txs: objects([object({})]) }])
      expect(await ask(fields)).toBeUndefined();
  });

  const lies: readonly [string, Fields, DaemonErrorCode, bigint?][] = [
    ['changes where all was asked', CHANGES, 'bad-pool'],
    ['removals from all there is', { ...CHANGES, pool_info_extent: u8(2) }, 'bad-pool', 5n],
    ['a transaction twice', { ...ALL, added_pool_txs: objects([pooled(1), pooled(1)]) }, 'bad-pool'],
    ['one that came and is named too', { ...ALL, remaining_added_pool_txids: packed([id(2)]) }, 'bad-pool'],
    ['an id named twice', { ...ALL, remaining_added_pool_txids: packed([id(3), id(3)]) }, 'bad-pool'],
    ['an extent that is none', { ...ALL, pool_info_extent: u8(3) }, 'malformed'],
    ['an extent in words', { ...ALL, pool_info_extent: text('all') }, 'malformed'],
    ['a time before all times', { ...ALL, daemon_time: { type: 'int64', value: -1n } }, 'malformed'],
    ['ids that end early', { ...ALL, remaining_added_pool_txids: bytes(new Uint8Array(33)) }, 'malformed'],
    [
      'a hash that ends early',
      { ...ALL, added_pool_txs: objects([pooled(1, { tx_hash: bytes(new Uint8Array(31)) })]) },
      'malformed',
    ],
    ['a transaction without bytes', { ...ALL, added_pool_txs: objects([pooled(1, { tx_blob: undefined })]) }, 'malformed'],
    ['transactions in bytes', { ...ALL, added_pool_txs: bytes(id(1)) }, 'malformed'],
    ['fifty thousand and one', { ...ALL, added_pool_txs: objects(Array(50_001).fill(object({}))) }, 'too-large'],
    ['half a million and one ids', { ...ALL, remaining_added_pool_txids: bytes(new Uint8Array(32 * 500_001)) }, 'too-large'],
    [
      'half a million and one that left',
      { ...CHANGES, removed_pool_txids: bytes(new Uint8Array(32 * 500_001)) },
      'too-large',
      5n,
    ],
    ['numbers', { ...ALL, added_pool_txs: array({ of: 'uint8', items: new Uint8Array(9) }) }, 'malformed'],
  ];

  it.each(lies)('T6 of %s is refused', async (_, fields, code, since = 0n) => {
    expect(await codeOf(ask(fields, since))).toBe(code);
  });
});
