import { bytesToHex } from '../../base/index.ts';
import { keccak256 } from '../../crypto/index.ts';
import { isProtocolError, prunableHash, RctType, type Transaction } from '../../protocol/index.ts';
import { commitmentOf, isUnlockTimePast } from '../chain.ts';
import { RejectedError, type RejectionCode } from '../errors.ts';
import type { ParsedTransaction } from '../parsed.ts';
import { keyImagesOf, type PoolTransaction } from '../pool.ts';
import { OK, PAID_OK, type RpcContext } from './context.ts';
import { fromHex, type Params } from './params.ts';
import type { Reply } from './reply.ts';
import { transactionToJson } from './tx-json.ts';

/** Answers about transactions, outputs and the pool. */

interface Rendering {
  readonly split: boolean;
  readonly prune: boolean;
  readonly asJson: boolean;
}

const ZERO_HASH = '00'.repeat(32);

/** As the reference's database keeps it: the hash of no bytes where there is no prunable part. */
function prunableHashHex(tx: Transaction): string {
  if (tx.version === 1) return ZERO_HASH;
  return bytesToHex(tx.rct.type === RctType.Null ? keccak256() : prunableHash(tx));
}

function renderTransaction(found: ParsedTransaction, { split, prune, asJson }: Rendering): Reply {
  const hasPrunable = found.prunedLength < found.blob.length;
  const isSplit = split || prune || !hasPrunable;
  const base = bytesToHex(found.blob.subarray(0, found.prunedLength));
  return {
    tx_hash: found.id,
    prunable_hash: prunableHashHex(found.tx),
    as_hex: isSplit ? '' : bytesToHex(found.blob),
    pruned_as_hex: isSplit ? base : '',
    prunable_as_hex: isSplit && !prune ? bytesToHex(found.blob.subarray(found.prunedLength)) : '',
    as_json: asJson ? transactionToJson(found.tx, prune || !hasPrunable) : '',
  };
}

export function getTransactions({ node: { chain, pool } }: RpcContext, params: Params): Reply {
  const rendering = { split: params.boolean('split'), prune: params.boolean('prune'), asJson: params.boolean('decode_as_json') };
  const missed: string[] = [];
  const txs: Reply[] = [];
  for (const text of params.strings('txs_hashes')) {
    const bytes = fromHex(text);
    if (bytes === undefined) return { ...PAID_OK, status: 'Failed to parse hex representation of transaction hash' };
    if (bytes.length !== 32) return { ...PAID_OK, status: 'Failed, size of data mismatch' };
    const id = bytesToHex(bytes);
    const mined = chain.transaction(id);
    const waiting = pool.get(id);
    if (mined !== undefined) {
      const block = chain.blockAt(mined.height)!;
      txs.push({
        ...renderTransaction(mined, rendering),
        in_pool: false,
        double_spend_seen: false,
        block_height: mined.height,
        confirmations: chain.height - mined.height,
        block_timestamp: block.block.timestamp,
        output_indices: mined.outputIndices,
      });
    } else if (waiting !== undefined) {
      txs.push({
        ...renderTransaction(waiting, rendering),
        in_pool: true,
        double_spend_seen: waiting.doubleSpendSeen,
        relayed: !waiting.doNotRelay,
        received_timestamp: waiting.receivedAt,
      });
    } else missed.push(id);
  }
  const asJson = rendering.asJson ? { txs_as_json: txs.map((tx) => tx.as_json) } : {};
  return { ...PAID_OK, ...asJson, txs, txs_as_hex: txs.map((tx) => tx.as_hex), missed_tx: missed };
}

export function isKeyImageSpent({ node: { chain, pool } }: RpcContext, params: Params): Reply {
  const status: number[] = [];
  for (const text of params.strings('key_images')) {
    const bytes = fromHex(text);
    if (bytes === undefined) return { ...PAID_OK, status: 'Failed to parse hex representation of key image' };
    const image = bytesToHex(bytes);
    status.push(chain.isSpent(image) ? 1 : pool.spenderOf(image) !== undefined ? 2 : 0);
  }
  return { ...PAID_OK, spent_status: status };
}

export function getOuts({ node: { chain } }: RpcContext, params: Params): Reply {
  const withTxId = params.boolean('get_txid');
  const outs: Reply[] = [];
  for (const asked of params.objects('outputs')) {
    const output = chain.output(asked.amount('amount'), asked.amount('index'));
    if (output === undefined) return { ...PAID_OK, status: 'Failed' };
    outs.push({
      key: bytesToHex(output.key),
      mask: bytesToHex(commitmentOf(output)),
      unlocked: isUnlockTimePast(chain, output.unlockTime),
      height: output.height,
      txid: withTxId ? output.txId : '',
    });
  }
  return { ...PAID_OK, outs };
}

const FLAGS = {
  low_mixin: 'bad ring size',
  double_spend: 'double spend',
  invalid_input: 'invalid input',
  invalid_output: 'invalid output',
  too_big: 'too big',
  overspend: 'overspend',
  fee_too_low: 'fee too low',
  too_few_outputs: 'too few outputs',
  tx_extra_too_big: 'extra field too big',
  nonzero_unlock_time: 'unlock time',
} as const;
type Flag = keyof typeof FLAGS;

/** What the reference's flags say of each reason. A reason that is not here has none. */
const FLAGS_OF: Partial<Record<RejectionCode, readonly Flag[]>> = {
  'low-mixin': ['low_mixin', 'invalid_input'],
  'wrong-version': ['invalid_input'],
  'double-spend': ['double_spend', 'invalid_input'],
  'pool-double-spend': ['double_spend'],
  'invalid-input': ['invalid_input'],
  'invalid-output': ['invalid_output'],
  'too-big': ['too_big'],
  // The pool looks at the fee first, of which nothing is left then.
  overspend: ['fee_too_low'],
  'fee-too-low': ['fee_too_low'],
  'too-few-outputs': ['invalid_input', 'too_few_outputs'],
  'extra-too-big': ['tx_extra_too_big'],
  'no-inputs': ['invalid_input'],
  'duplicate-key-image': ['invalid_input'],
  'duplicate-ring-member': ['invalid_input'],
  'key-image-domain': ['invalid_input'],
  unbalanced: ['invalid_input'],
  'bad-range-proof': ['invalid_input'],
  'bad-output': ['invalid_output'],
};

function sendReply(status: string, reason: string, flags: readonly Flag[] = [], others: Reply = {}): Reply {
  const raised = Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, flags.includes(flag as Flag)]));
  return { ...PAID_OK, ...raised, not_relayed: false, sanity_check_failed: false, ...others, reason, status };
}

export function sendRawTransaction({ node }: RpcContext, params: Params): Reply {
  const blob = fromHex(params.string('tx_as_hex'));
  if (blob === undefined) return sendReply('Failed', '');
  const doNotRelay = params.boolean('do_not_relay');
  const sanityChecks = params.boolean('do_sanity_checks', true);
  let isRelayed: boolean;
  try {
    isRelayed = node.submitTransaction(blob, { doNotRelay, sanityChecks }).isNew && !doNotRelay;
  } catch (error) {
    if (isProtocolError(error) && !sanityChecks) return sendReply('Failed', '');
    const isInsane = isProtocolError(error) || (error instanceof RejectedError && error.code === 'sanity-check');
    if (isInsane) return sendReply('Failed', 'Sanity check failed', [], { sanity_check_failed: true });
    if (!(error instanceof RejectedError)) throw error;
    const flags = FLAGS_OF[error.code] ?? [];
    // The reference raises flags and says no more; a reason helps whoever writes a wallet.
    return sendReply('Failed', flags.map((flag) => FLAGS[flag]).join(', ') || error.message, flags);
  }
  return isRelayed ? sendReply('OK', '') : sendReply('OK', 'Not relayed', [], { not_relayed: true });
}

function poolEntry(context: RpcContext, entry: PoolTransaction): Reply {
  const { chain } = context.node;
  return {
    id_hash: entry.id,
    tx_json: transactionToJson(entry.tx),
    blob_size: entry.blob.length,
    weight: entry.weight,
    fee: entry.fee,
    max_used_block_id_hash: chain.blockAt(entry.newestMember)?.id ?? ZERO_HASH,
    max_used_block_height: entry.newestMember,
    kept_by_block: entry.fromBlock,
    last_failed_height: 0,
    last_failed_id_hash: ZERO_HASH,
    receive_time: entry.receivedAt,
    relayed: !entry.doNotRelay,
    last_relayed_time: entry.doNotRelay ? 0 : entry.receivedAt,
    do_not_relay: entry.doNotRelay,
    double_spend_seen: entry.doubleSpendSeen,
    tx_blob: bytesToHex(entry.blob),
  };
}

export function getTransactionPool(context: RpcContext): Reply {
  const entries = context.node.pool.visible;
  const images = entries.flatMap((entry) => keyImagesOf(entry).map((id_hash) => ({ id_hash, txs_hashes: [entry.id] })));
  return { ...PAID_OK, transactions: entries.map((entry) => poolEntry(context, entry)), spent_key_images: images };
}

export function getTransactionPoolHashes({ node }: RpcContext): Reply {
  return { ...PAID_OK, tx_hashes: node.pool.visible.map((entry) => entry.id) };
}

/** The ids as raw bytes inside a JSON string: an odd form that the reference wallet polls. */
export function getTransactionPoolHashesBin({ node }: RpcContext): Reply {
  return { ...PAID_OK, tx_hashes: Buffer.concat(node.pool.visible.map((entry) => Buffer.from(entry.id, 'hex'))) };
}

export function getTransactionPoolStats({ node }: RpcContext): Reply {
  const entries = node.pool.visible;
  const sizes = entries.map((entry) => entry.blob.length).sort((a, b) => a - b);
  const oldest = entries.length === 0 ? 0 : Math.min(...entries.map((entry) => entry.receivedAt));
  return {
    ...PAID_OK,
    pool_stats: {
      bytes_max: sizes[sizes.length - 1] ?? 0,
      bytes_med: sizes[sizes.length >> 1] ?? 0,
      bytes_min: sizes[0] ?? 0,
      bytes_total: sizes.reduce((sum, size) => sum + size, 0),
      fee_total: entries.reduce((sum, entry) => sum + entry.fee, 0n),
      histo_98pc: 0,
      num_10m: entries.filter((entry) => node.now() - entry.receivedAt > 600).length,
      num_double_spends: entries.filter((entry) => entry.doubleSpendSeen).length,
      num_failing: 0,
      num_not_relayed: 0,
      oldest,
      txs_total: entries.length,
    },
  };
}

/** Weight, fee and seconds in the pool of each transaction: three 64-bit integers, raw inside a JSON string. */
export function getTxpoolBacklog({ node }: RpcContext): Reply {
  const entries = node.pool.visible;
  const backlog = Buffer.alloc(24 * entries.length);
  entries.forEach((entry, i) => {
    backlog.writeBigUInt64LE(BigInt(entry.weight), 24 * i);
    backlog.writeBigUInt64LE(entry.fee, 24 * i + 8);
    backlog.writeBigUInt64LE(BigInt(Math.max(0, node.now() - entry.receivedAt)), 24 * i + 16);
  });
  return { ...PAID_OK, backlog };
}

export function flushTxpool({ node }: RpcContext, params: Params): Reply {
  const ids = params.strings('txids');
  if (ids.length === 0) node.pool.clear();
  for (const id of ids) node.pool.remove(id);
  return { ...OK, status: 'OK' };
}

export function relayTx({ node }: RpcContext, params: Params): Reply {
  const unknown: string[] = [];
  for (const id of params.strings('txids')) {
    const entry = node.pool.get(id);
    if (entry === undefined) unknown.push(id);
    else if (entry.doNotRelay) node.pool.relay(entry);
  }
  return { ...OK, status: unknown.length === 0 ? 'OK' : `transaction not found in pool: ${unknown.join(', ')}` };
}
