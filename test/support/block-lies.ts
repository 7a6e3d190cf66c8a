import { keccak256 } from '../../src/crypto/index.ts';
import { decodePortableStorage, parseBlock, serializeBlock, storage } from '../../src/protocol/index.ts';
import { changeBytes, changeObjects, changeStorage, type Lie } from './hostile.ts';

// Lies about the blocks of a get_blocks.bin reply, and about the pool sent with them.

/** The blocks of a reply, changed: their `block` and `txs` fields. */
const changeBlocks = (change: (item: Map<string, storage.StorageEntry>, position: number) => void): Lie =>
  changeStorage((fields) => changeObjects(fields, 'blocks', change));

/** One blob of a block of the reply, changed. */
const changeBlock = (at: number, change: (blob: Uint8Array) => Uint8Array): Lie =>
  changeBlocks((item, position) => {
    const blob = item.get('block');
    if (position === at && blob?.type === 'string') item.set('block', storage.bytes(change(blob.value)));
  });

/** Removes a transaction from the block that has some, and also its id if requested. */
export const omitTransaction = (andItsId: boolean): Lie =>
  changeBlocks((item) => {
    if (!item.has('txs')) return;
    item.delete('txs');
    const blob = item.get('block');
    if (!andItsId || blob?.type !== 'string') return;
    item.set('block', storage.bytes(serializeBlock({ ...parseBlock(blob.value), txHashes: [] })));
  });

/** Removes the first block of the reply. */
export const withoutFirst: Lie = changeStorage((fields) => {
  for (const name of ['blocks', 'output_indices']) {
    const entry = fields.get(name);
    if (entry?.type !== 'array' || entry.value.of !== 'object') throw new Error(`expected ${name}`);
    fields.set(name, { type: 'array', value: { of: 'object', items: entry.value.items.slice(1) } });
  }
});

/** Block 60 has an unknown version. */
export const otherVersion = changeBlock(60, (blob) => blob.with(0, 17));
/** Block 60 has another id. */
export const otherNonce = changeBlock(60, (blob) => {
  const block = parseBlock(blob);
  return serializeBlock({ ...block, nonce: block.nonce ^ 1 });
});

/** Claims that these are in the pool. */
export const poolOf = (names: readonly string[], extent: number): Lie =>
  changeStorage((fields) => {
    const ids = names.map((name) => keccak256(new TextEncoder().encode(name)));
    fields.set('pool_info_extent', storage.u8(extent));
    fields.delete('added_pool_txs');
    fields.set('remaining_added_pool_txids', storage.packed(ids)!);
  });

/** A pool larger than a reply may be, for clients that request the pool with the blocks. */
export const floodedPool: Lie = async (asked, forward, response) => {
  const wanted = decodePortableStorage(asked.body).has('requested_info');
  const flood = changeStorage((fields) => {
    fields.set('pool_info_extent', storage.u8(2));
    fields.set('added_pool_txs', storage.objects(Array(50_001).fill(storage.object({})))!);
  });
  await (wanted ? flood : changeBytes((body) => body))(asked, forward, response);
};
