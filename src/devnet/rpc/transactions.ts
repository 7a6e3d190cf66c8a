import { bytesToHex } from '../../base/index.ts';
import { keccak256 } from '../../crypto/index.ts';
import { isProtocolError, prunableHash, RctType } from '../../protocol/index.ts';
import { type ChainTransaction, commitmentOf, isUnlockTimePast } from '../chain.ts';
import { RejectedError, type RejectionCode } from '../errors.ts';
import type { ParsedTransaction } from '../parsed.ts';
import type { PoolTransaction } from '../pool-entry.ts';
import { PAID_OK, RESTRICTED, type RpcContext, ZERO_HASH } from './context.ts';
import { memoize } from './memoize.ts';
import { AbortedCall, flag, flagTrueByDefault, fromHex, listOf, method, objects, text, u64 } from './params.ts';
import type { Reply } from './reply.ts';
import { transactionToJson } from './tx-json.ts';

/** Calls about transactions and outputs, and the one that submits a transaction. */

interface Rendering {
  readonly split: boolean;
  readonly prune: boolean;
  readonly asJson: boolean;
}

/** As in the reference's database: the hash of no bytes if there is no prunable part. */
function prunableHashHex(found: ParsedTransaction | ChainTransaction): string {
  if ('prunableHash' in found) return bytesToHex(found.prunableHash);
  const { tx } = found;
  if (tx.version === 1) return ZERO_HASH;
  return bytesToHex(tx.rct.type === RctType.Null ? keccak256() : prunableHash(tx));
}

function renderTransaction(found: ParsedTransaction, { split, prune, asJson }: Rendering): Reply {
  const hasPrunable = found.prunedLength < found.blob.length;
  const isSplit = split || prune || !hasPrunable;
  const base = bytesToHex(found.blob.subarray(0, found.prunedLength));
  return {
    tx_hash: found.id,
    prunable_hash: prunableHashHex(found),
    as_hex: isSplit ? '' : bytesToHex(found.blob),
    pruned_as_hex: isSplit ? base : '',
    prunable_as_hex: isSplit && !prune ? bytesToHex(found.blob.subarray(found.prunedLength)) : '',
    as_json: asJson ? transactionToJson(found.tx, prune || !hasPrunable) : '',
  };
}

/** A restricted service shows only relayed transactions of the pool. */
const shown = (context: RpcContext, entry: PoolTransaction | undefined): PoolTransaction | undefined =>
  context.restricted && entry?.doNotRelay ? undefined : entry;

/** A transaction of the chain or the pool; undefined if there is none. */
function renderEntry(context: RpcContext, id: string, rendering: Rendering): Reply | undefined {
  const { chain, pool } = context.node;
  const mined = chain.transaction(id);
  if (mined !== undefined)
    return {
      ...renderTransaction(mined, rendering),
      in_pool: false,
      double_spend_seen: false,
      block_height: mined.height,
      confirmations: chain.height - mined.height,
      block_timestamp: chain.blockAt(mined.height)!.block.timestamp,
      output_indices: mined.outputIndices,
    };
  const waiting = shown(context, pool.get(id));
  if (waiting === undefined) return undefined;
  return {
    ...renderTransaction(waiting, rendering),
    in_pool: true,
    double_spend_seen: waiting.doubleSpendSeen,
    relayed: !waiting.doNotRelay,
    received_timestamp: context.restricted ? 0 : waiting.receivedAt,
  };
}

const TRANSACTIONS = { txs_hashes: listOf(text), decode_as_json: flag, prune: flag, split: flag } as const;

/** Transactions of the chain and the pool by id, whole, pruned or split, in the requested order (`on_get_transactions`). */
export const getTransactions = method(TRANSACTIONS, (context, { txs_hashes, decode_as_json: asJson, prune, split }) => {
  if (context.restricted && txs_hashes.length > RESTRICTED.transactions)
    return { ...PAID_OK, status: 'Too many transactions requested in restricted mode' };
  const entryOf = memoize((id: string) => renderEntry(context, id, { split, prune, asJson }));
  const missed: string[] = [];
  const txs: Reply[] = [];
  for (const hash of txs_hashes) {
    const bytes = fromHex(hash);
    if (bytes === undefined) return { ...PAID_OK, status: 'Failed to parse hex representation of transaction hash' };
    if (bytes.length !== 32) return { ...PAID_OK, status: 'Failed, size of data mismatch' };
    const id = bytesToHex(bytes);
    const entry = entryOf(id);
    if (entry === undefined) missed.push(id);
    else txs.push({ ...entry, tx_hash: hash });
  }
  const asTexts = asJson ? { txs_as_json: txs.map((tx) => tx.as_json) } : {};
  return { ...PAID_OK, ...asTexts, txs, txs_as_hex: txs.map((tx) => tx.as_hex), missed_tx: missed };
});

/** For each key image: 0 unspent, 1 spent in the chain, 2 in the pool (`on_is_key_image_spent`). */
export const isKeyImageSpent = method({ key_images: listOf(text) }, (context, { key_images }) => {
  const { chain, pool } = context.node;
  if (context.restricted && key_images.length > RESTRICTED.keyImages)
    return { ...PAID_OK, status: 'Too many key images queried in restricted mode' };
  const status: number[] = [];
  for (const keyImage of key_images) {
    const bytes = fromHex(keyImage);
    if (bytes === undefined) return { ...PAID_OK, status: 'Failed to parse hex representation of key image' };
    if (bytes.length !== 32) return { ...PAID_OK, status: 'Failed, size of data mismatch' };
    const image = bytesToHex(bytes);
    status.push(chain.isSpent(image) ? 1 : shown(context, pool.spenderOf(image)) !== undefined ? 2 : 0);
  }
  return { ...PAID_OK, spent_status: status };
});

const OUTPUTS = { outputs: objects({ amount: u64, index: u64 }), get_txid: flag } as const;

/** Outputs by amount and global index (`on_get_outs`); a missing one fails the whole request. */
export const getOuts = method(OUTPUTS, ({ node: { chain }, restricted }, { outputs, get_txid }) => {
  if (restricted && outputs.length > RESTRICTED.outputs) return { ...PAID_OK, status: 'Too many outs requested' };
  const outs: Reply[] = [];
  for (const { amount, index } of outputs) {
    const output = chain.output(amount, index);
    if (output === undefined) return { ...PAID_OK, status: 'Failed' };
    outs.push({
      key: bytesToHex(output.key),
      mask: bytesToHex(commitmentOf(output)),
      unlocked: isUnlockTimePast(chain, output.unlockTime),
      height: output.height,
      txid: get_txid ? output.txId : '',
    });
  }
  return { ...PAID_OK, outs };
});

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

/** The reference's flags for each reason; a missing reason has none. */
const FLAGS_OF: Partial<Record<RejectionCode, readonly Flag[]>> = {
  'low-mixin': ['low_mixin', 'invalid_input'],
  'wrong-version': ['invalid_input'],
  'double-spend': ['double_spend', 'invalid_input'],
  'pool-double-spend': ['double_spend'],
  'invalid-input': ['invalid_input'],
  'invalid-output': ['invalid_output'],
  'too-big': ['too_big'],
  overspend: ['overspend'],
  'fee-too-low': ['fee_too_low'],
  'too-few-outputs': ['invalid_input', 'too_few_outputs'],
  'extra-too-big': ['tx_extra_too_big'],
  'wrong-input': ['invalid_input'],
  'duplicate-key-image': ['invalid_input'],
  'duplicate-ring-member': ['invalid_input'],
  'key-image-domain': ['invalid_input'],
  unbalanced: ['invalid_input'],
  'bad-range-proof': ['invalid_input'],
  'bad-output': ['invalid_output'],
  'wrong-proof-type': ['invalid_output'],
  'unlock-time': ['nonzero_unlock_time'],
};

function sendReply(status: string, reason: string, flags: readonly Flag[] = [], others: Reply = {}): Reply {
  const raised = Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, flags.includes(flag as Flag)]));
  return { ...PAID_OK, ...raised, not_relayed: false, sanity_check_failed: false, ...others, reason, status };
}

const SENT = { tx_as_hex: text, do_not_relay: flag, do_sanity_checks: flagTrueByDefault } as const;

/**
 * Adds a transaction to the pool (`on_send_raw_tx`). A refusal is an answer with a flag for each reason.
 * @throws AbortedCall when the reference aborts the call
 */
export const sendRawTransaction = method(SENT, ({ node }, params) => {
  const blob = fromHex(params.tx_as_hex);
  if (blob === undefined) return sendReply('Failed', '');
  const { do_not_relay: doNotRelay, do_sanity_checks: sanityChecks } = params;
  let isRelayed: boolean;
  try {
    isRelayed = node.submitTransaction(blob, { doNotRelay, sanityChecks }).isNew && !doNotRelay;
  } catch (error) {
    if (isProtocolError(error) && !sanityChecks) return sendReply('Failed', '');
    const isInsane = isProtocolError(error) || (error instanceof RejectedError && error.code === 'sanity-check');
    if (isInsane) return sendReply('Failed', 'Sanity check failed', [], { sanity_check_failed: true });
    if (!(error instanceof RejectedError)) throw error;
    if (error.code === 'bad-commitment' && sanityChecks) throw new AbortedCall(error.message);
    const flags = FLAGS_OF[error.code] ?? [];
    // The reference only sets flags; a reason helps developers of wallets.
    return sendReply('Failed', flags.map((flag) => FLAGS[flag]).join(', ') || error.message, flags);
  }
  return isRelayed ? sendReply('OK', '') : sendReply('OK', 'Not relayed', [], { not_relayed: true });
});
