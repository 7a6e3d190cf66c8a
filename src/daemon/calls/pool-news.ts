import { concatBytes, u32ToBytes } from '../../base/index.ts';
import { STORAGE_HEADER } from '../../protocol/epee/wire.ts';
import { decodePortableStorage, ProtocolError, type StorageObject, type TxHash, toTxHash } from '../../protocol/index.ts';
import type { ReplyLayout } from '../../scan/index.ts';
import { checkPoolNews } from '../checks/against-request.ts';
import { DaemonError } from '../errors.ts';
import { POOL_IDS } from '../limits.ts';
import { decoded } from '../rpc-client.ts';
import type { PoolRequest, PoolUpdate } from '../types.ts';

/** Values of `requested_info` (core_rpc_server_commands_defs.h, REQUESTED_INFO). */
export const REQUESTED_INFO = { blocksAndPool: 1, poolOnly: 2 } as const;

/** How much of the pool a reply contains (POOL_INFO_EXTENT); nothing if the field is missing. */
const EXTENTS = [undefined, 'changes', 'all'] as const;

/**
 * Pool update in a blocks reply; undefined if there is none.
 * @throws DaemonError `malformed`, `too-large`, `bad-pool`
 */
export function poolNewsIn(path: string, reply: Uint8Array, { pool }: ReplyLayout, request: PoolRequest): PoolUpdate | undefined {
  if (pool.length === 0) return undefined;
  // Makes a document of its own: a size of four bytes, then the fields as sent.
  const fields = pool.map(([from, to]) => reply.subarray(from, to));
  const document = concatBytes(STORAGE_HEADER, u32ToBytes(pool.length * 4 + 2), ...fields);
  const news = decoded(path, () => newsOf(decodePortableStorage(document)));
  return news && checkPoolNews(request, news);
}

function newsOf(fields: StorageObject): PoolUpdate | undefined {
  const extent = extentOf(fields.getNumber('pool_info_extent', 0));
  if (extent === undefined) return undefined;
  return {
    time: fields.getU64('daemon_time', 0n),
    extent,
    removed: idsIn(fields, 'removed_pool_txids'),
    added: fields.getObjects('added_pool_txs').map((entry) => ({
      hash: toTxHash(entry.getFixedBytes('tx_hash', 32)),
      pruned: entry.getBytes('tx_blob'),
      doubleSpendSeen: entry.getBoolean('double_spend_seen', false),
    })),
    named: idsIn(fields, 'remaining_added_pool_txids'),
  };
}

function extentOf(code: number): PoolUpdate['extent'] | undefined {
  if (code >= EXTENTS.length) throw new ProtocolError('out-of-range', `expected a pool_info_extent of 0, 1 or 2, got ${code}`);
  return EXTENTS[code];
}

function idsIn(fields: StorageObject, name: string): TxHash[] {
  const got = fields.getBytes(name, new Uint8Array()).length / 32;
  if (got > POOL_IDS) throw new DaemonError('too-large', `expected at most ${POOL_IDS} ids in ${name}`, { limit: POOL_IDS, got });
  return fields.getPacked(name, 32).map(toTxHash);
}
