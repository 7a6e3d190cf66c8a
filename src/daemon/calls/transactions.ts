import { asArray, asBoolean, asCount, asObject, asText, asU64, type JsonObject, latin1ToBytes } from '../../base/index.ts';
import { type KeyImage, ProtocolError, type TxHash } from '../../protocol/index.ts';
import { checkFeeEstimate, checkTransactions } from '../checks/against-request.ts';
import * as limits from '../limits.ts';
import type { RpcClient } from '../rpc-client.ts';
import {
  type BacklogEntry,
  type CallOptions,
  type FeeEstimate,
  REFUSAL_REASONS,
  type SendAnswer,
  type SpentStatus,
  type TransactionEntry,
  type TransactionsAnswer,
} from '../types.ts';
import { inBatches } from './batches.ts';
import { asHexBytes, asTxHash, isTrue, optionalCount, optionalText } from './fields.ts';

/**
 * @param graceBlocks number of future blocks for which the fee should suffice, 0 … 99
 * @throws DaemonError `bad-fee` for fees that fall with the priority, are zero, or round excessively (T1)
 */
export function getFeeEstimate(client: RpcClient, graceBlocks = 10, options: CallOptions = {}): Promise<FeeEstimate> {
  const call = { signal: options.signal, maxBytes: limits.SMALL };
  return client.rpc('get_fee_estimate', { grace_blocks: graceBlocks }, call, (reply) => {
    const fee = asU64(reply.fee, 'fee');
    const fees = asArray(reply.fees ?? [], 'fees').map((value, i) => asU64(value, `fees[${i}]`));
    return checkFeeEstimate({ fee, fees, quantizationMask: asU64(reply.quantization_mask ?? 1, 'quantization_mask') });
  });
}

const BACKLOG_ENTRY = 24;

/** The daemon always puts raw bytes into a JSON string here: weight, fee and seconds, eight bytes each, little-endian. */
export function getTxPoolBacklog(client: RpcClient, options: CallOptions = {}): Promise<readonly BacklogEntry[]> {
  const call = { signal: options.signal, maxBytes: limits.BACKLOG, rawStrings: true };
  return client.rpc('get_txpool_backlog', {}, call, (reply) => {
    const bytes = latin1ToBytes(asText(reply.backlog ?? '', 'backlog'));
    if (bytes.length % BACKLOG_ENTRY !== 0) {
      throw new ProtocolError('bad-length', `expected a backlog of a multiple of ${BACKLOG_ENTRY} bytes, got ${bytes.length}`);
    }
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / BACKLOG_ENTRY }, (_, i) => ({
      weight: Number(view.getBigUint64(BACKLOG_ENTRY * i, true)),
      fee: view.getBigUint64(BACKLOG_ENTRY * i + 8, true),
      // Releases before 0.18.5.3 write it as a negative number: the time of arrival less the current one (tx_pool.cpp,
      // get_transaction_backlog).
      timeInPool: Math.abs(Number(view.getBigInt64(BACKLOG_ENTRY * i + 16, true))),
    }));
  });
}

/** Through the JSON form: the `.bin` path of this name is not binary. */
export function getPoolHashes(client: RpcClient, options: CallOptions = {}): Promise<readonly TxHash[]> {
  const call = { signal: options.signal, maxBytes: limits.POOL_HASHES };
  return client.path('/get_transaction_pool_hashes', {}, call, (reply) =>
    asArray(reply.tx_hashes ?? [], 'tx_hashes').map((hash) => asTxHash(hash, 'tx_hashes[]')),
  );
}

/**
 * Transactions by their ids, from blocks or the pool, in as many calls as needed. Ones that the daemon does not have are `missed`.
 * @throws DaemonError
 */
export async function getTransactions(
  client: RpcClient,
  hashes: readonly TxHash[],
  options: CallOptions & { readonly prune: boolean },
): Promise<TransactionsAnswer> {
  const answers = await inBatches(hashes, limits.TRANSACTIONS_A_CALL, (txs_hashes) => {
    const body = { txs_hashes, decode_as_json: false, prune: options.prune };
    return client.path('/get_transactions', body, { signal: options.signal, maxBytes: limits.TRANSACTIONS }, (reply) => {
      const transactions = asArray(reply.txs ?? [], 'txs').map((entry) => transactionOf(asObject(entry, 'txs[]')));
      return [{ transactions, missed: asArray(reply.missed_tx ?? [], 'missed_tx').map((hash) => asTxHash(hash, 'missed_tx[]')) }];
    });
  });
  const transactions = answers.flatMap((answer) => answer.transactions);
  return checkTransactions(hashes, { transactions, missed: answers.flatMap(({ missed }) => missed) });
}

function transactionOf(entry: JsonObject): TransactionEntry {
  const inPool = asBoolean(entry.in_pool, 'in_pool');
  const whole = asHexBytes(entry.as_hex ?? '', 'as_hex');
  const pruned = asHexBytes(entry.pruned_as_hex ?? '', 'pruned_as_hex');
  const prunable = asHexBytes(entry.prunable_as_hex ?? '', 'prunable_as_hex');
  const indices = inPool ? [] : asArray(entry.output_indices ?? [], 'output_indices');
  return {
    hash: asTxHash(entry.tx_hash, 'tx_hash'),
    whole: whole.length === 0 ? undefined : whole,
    pruned: pruned.length === 0 ? undefined : pruned,
    prunable: prunable.length === 0 ? undefined : prunable,
    prunableHash: asHexBytes(entry.prunable_hash ?? '', 'prunable_hash'),
    inPool,
    doubleSpendSeen: isTrue(entry, 'double_spend_seen'),
    height: inPool ? undefined : asCount(entry.block_height, 'block_height'),
    timestamp: inPool ? optionalCount(entry, 'received_timestamp') : asCount(entry.block_timestamp, 'block_timestamp'),
    outputIndices: indices.map((index) => asU64(index, 'output_indices[]')),
  };
}

const SPENT: readonly SpentStatus[] = ['unspent', 'spent', 'pool'];

/** Answers are in the requested order. The query shows the daemon which outputs are ours: only for trusted daemons (T24). */
export function isKeyImageSpent(
  client: RpcClient,
  keyImages: readonly KeyImage[],
  options: CallOptions = {},
): Promise<readonly SpentStatus[]> {
  return inBatches(keyImages, limits.KEY_IMAGES_A_CALL, (batch) =>
    client.path(
      '/is_key_image_spent',
      { key_images: batch },
      { signal: options.signal, maxBytes: limits.KEY_IMAGES },
      (reply) => {
        const values = asArray(reply.spent_status ?? [], 'spent_status');
        if (values.length !== batch.length) {
          throw new ProtocolError('bad-structure', `expected ${batch.length} answers, got ${values.length}`);
        }
        return values.map((value) => {
          const status = SPENT[asCount(value, 'spent_status[]')];
          if (status === undefined) throw new ProtocolError('out-of-range', 'expected a spent status of 0, 1 or 2');
          return status;
        });
      },
    ),
  );
}

/** Never retried: whether to send again is the wallet's decision (T3). A refusal is an answer, a busy daemon an error. */
export function sendRawTransaction(
  client: RpcClient,
  hex: string,
  options: CallOptions & { readonly doNotRelay?: boolean } = {},
): Promise<SendAnswer> {
  const body = { tx_as_hex: hex, do_not_relay: options.doNotRelay ?? false, do_sanity_checks: true };
  const call = { signal: options.signal, maxBytes: limits.SMALL, once: true, anyStatus: true };
  return client.path('/send_raw_transaction', body, call, (reply) => {
    const status = asText(reply.status, 'status');
    return {
      accepted: status === 'OK',
      reasons: REFUSAL_REASONS.filter((reason) => isTrue(reply, reason.replaceAll('-', '_'))),
      reason: optionalText(reply, 'reason') || (status === 'OK' ? '' : status),
    };
  });
}
