import { bytesToHex, U64_MAX } from '../../base/index.ts';
import { median } from '../../protocol/index.ts';
import { keyImagesOf } from '../parsed.ts';
import { byStoredId, type PoolTransaction } from '../pool-entry.ts';
import { OK, PAID_OK, type RpcContext, ZERO_HASH } from './context.ts';
import { hash32, listOf, method, RpcError, text } from './params.ts';
import type { Reply } from './reply.ts';
import { transactionToJson } from './tx-json.ts';

/** Calls about the pool, and those that change it. */

/** Relay time that the reference stores for a transaction that must not be relayed. */
const NEVER = U64_MAX;

/** Entries that a caller may see, in the reference's order: a restricted service hides those that are not relayed. */
const entriesOf = ({ node: { pool }, restricted }: RpcContext): PoolTransaction[] =>
  (restricted ? pool.visible : pool.all).sort(byStoredId);

function poolEntry({ restricted }: RpcContext, entry: PoolTransaction): Reply {
  return {
    id_hash: entry.id,
    tx_json: transactionToJson(entry.tx),
    blob_size: entry.blob.length,
    weight: entry.weight,
    fee: entry.fee,
    max_used_block_id_hash: entry.newest.id || ZERO_HASH,
    max_used_block_height: entry.newest.height,
    kept_by_block: entry.fromBlock,
    last_failed_height: entry.failedAt?.height ?? 0,
    last_failed_id_hash: entry.failedAt?.id ?? ZERO_HASH,
    receive_time: restricted ? 0 : entry.receivedAt,
    relayed: !entry.doNotRelay,
    last_relayed_time: restricted ? 0 : entry.doNotRelay ? NEVER : entry.receivedAt,
    do_not_relay: entry.doNotRelay,
    double_spend_seen: entry.doubleSpendSeen,
    tx_blob: bytesToHex(entry.blob),
  };
}

/** All transactions in the pool, and the key images that they spend (`on_get_transaction_pool`). */
export function getTransactionPool(context: RpcContext): Reply {
  const entries = entriesOf(context);
  const images = entries.flatMap((entry) => keyImagesOf(entry).map((id_hash) => ({ id_hash, txs_hashes: [entry.id] })));
  return { ...PAID_OK, transactions: entries.map((entry) => poolEntry(context, entry)), spent_key_images: images };
}

/** Ids of all transactions in the pool, as hex digits (`on_get_transaction_pool_hashes`). */
export function getTransactionPoolHashes(context: RpcContext): Reply {
  return { ...PAID_OK, tx_hashes: entriesOf(context).map((entry) => entry.id) };
}

/** The ids as raw bytes inside a JSON string: an odd form that the reference wallet polls. */
export function getTransactionPoolHashesBin(context: RpcContext): Reply {
  return { ...PAID_OK, tx_hashes: Buffer.concat(entriesOf(context).map((entry) => Buffer.from(entry.id, 'hex'))) };
}

/** Ages above ten minutes count as old. Seconds. */
const OLD = 600;

/** Weights, fees and ages of all transactions in the pool, as sums and as a histogram (`on_get_transaction_pool_stats`). */
export function getTransactionPoolStats(context: RpcContext): Reply {
  const entries = entriesOf(context);
  const now = context.node.now();
  const weights = entries.map((entry) => entry.weight).sort((a, b) => a - b);
  return {
    ...PAID_OK,
    pool_stats: {
      bytes_max: weights[weights.length - 1] ?? 0,
      bytes_med: median(weights),
      bytes_min: weights[0] ?? 0,
      bytes_total: weights.reduce((sum, weight) => sum + weight, 0),
      fee_total: entries.reduce((sum, entry) => sum + entry.fee, 0n),
      ...histogram(entries, now),
      num_10m: entries.filter((entry) => entry.receivedAt < now - OLD).length,
      num_double_spends: entries.filter((entry) => entry.doubleSpendSeen).length,
      // A failure at the genesis block is not counted, as in the reference.
      num_failing: entries.filter(({ failedAt }) => (failedAt?.height ?? 0) > 0).length,
      num_not_relayed: entries.filter((entry) => entry.doNotRelay).length,
      oldest: oldestOf(entries),
      txs_total: entries.length,
    },
  };
}

const oldestOf = (entries: readonly PoolTransaction[]): number =>
  entries.reduce((least, { receivedAt }) => (least === 0 ? receivedAt : Math.min(least, receivedAt)), 0);

/** In a large pool, the oldest 2% share the last of ten places. */
const TAIL = 0.02;
const PLACES = 10;

/** Histogram of ages: ten places of equal length, fewer for fewer transactions (tx_pool.cpp, get_transaction_stats). */
function histogram(entries: readonly PoolTransaction[], now: number): Reply {
  if (entries.length < 2) return { histo_98pc: 0 };
  const ages = entries
    .map((entry) => ({ age: Math.max(1, now - entry.receivedAt), weight: entry.weight }))
    .sort((a, b) => a.age - b.age);
  const tail = Math.floor(entries.length * TAIL);
  // All transactions of the age at which the tail begins belong to it.
  const edge = tail > 0 ? ages[ages.length - tail]!.age : 0;
  const factor = tail > 0 ? PLACES - 1 : Math.min(PLACES, entries.length);
  const delta = (tail > 0 ? edge : now - oldestOf(entries)) || 1;
  const histo = Array.from({ length: tail > 0 ? PLACES : factor }, () => ({ bytes: 0, txs: 0 }));
  for (const { age, weight } of ages) {
    const place = edge > 0 && age >= edge ? factor : Math.min(histo.length - 1, Math.floor((age * factor - 1) / delta));
    histo[place]!.txs += 1;
    histo[place]!.bytes += weight;
  }
  return { histo_98pc: edge, histo };
}

/**
 * Weight, fee and seconds in the pool of each relayed transaction: three 64-bit integers, raw inside a JSON string. A restricted service
 * does not say when a transaction came: its seconds are 0.
 */
export function getTxpoolBacklog(context: RpcContext): Reply {
  const now = context.node.now();
  const secondsOf = ({ receivedAt }: PoolTransaction): number => (context.restricted ? 0 : Math.max(0, now - receivedAt));
  const entries = context.node.pool.visible.sort(byStoredId);
  const backlog = Buffer.alloc(24 * entries.length);
  entries.forEach((entry, i) => {
    backlog.writeBigUInt64LE(BigInt(entry.weight), 24 * i);
    backlog.writeBigUInt64LE(entry.fee, 24 * i + 8);
    backlog.writeBigUInt64LE(BigInt(secondsOf(entry)), 24 * i + 16);
  });
  return { ...PAID_OK, backlog };
}

/** Removes the given transactions, or all if none is given. Unknown ids count as removed. */
export const flushTxpool = method({ txids: listOf(text) }, ({ node: { pool } }, { txids }) => {
  if (txids.length === 0) pool.clear();
  const ids = txids.map(hash32).filter((id) => id !== undefined);
  pool.removeAll(ids);
  if (ids.length === txids.length) return { ...OK };
  return { ...OK, status: ids.length === 0 ? 'Failed to parse txid' : 'Failed to parse some of the txids' };
});

/**
 * Relays transactions of the pool that were not to be relayed (`on_relay_tx`).
 * @throws RpcError `internalError` that names each unknown one; the others are relayed
 */
export const relayTx = method({ txids: listOf(text) }, ({ node }, { txids }) => {
  const troubles: string[] = [];
  for (const txid of txids) {
    const id = hash32(txid);
    const entry = id === undefined ? undefined : node.pool.get(id);
    if (id === undefined) troubles.push(`invalid transaction id: ${txid}`);
    else if (entry === undefined) troubles.push(`transaction not found in pool: ${txid}`);
    else if (entry.doNotRelay) node.relay(entry);
  }
  if (troubles.length > 0) throw new RpcError('internalError', troubles.join(', '));
  return { ...PAID_OK };
});
