import * as v from 'valibot';
import type { LazyList } from '../../base/index.ts';
import { MAX_BLOCK_NUMBER } from '../../protocol/unlock.ts';
import { type PaymentView, type TransferQuery, type TransferView, wholePaymentId } from '../../wallet/index.ts';
import { RpcError } from '../errors.ts';
import { bool, params, result, subaddressIndex, text, texts, u32, u32s, u64 } from '../fields.ts';
import { isHex, isWholeHex, requireTxid } from '../hex-params.ts';
import { MethodGroup, READS, WRITES } from '../method.ts';
import { shownTransfer, transferEntry } from '../transfer-entry.ts';

export const incomingMethods = new MethodGroup('Incoming funds and history');

const HASH = 32;
const SHORT_PAYMENT_ID = 8;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

const payments = v.object({
  payments: v.array(
    v.object({
      payment_id: result.text,
      tx_hash: result.text,
      amount: result.u64,
      block_height: result.u32,
      unlock_time: result.u64,
      locked: result.bool,
      subaddr_index: subaddressIndex,
      address: result.text,
    }),
  ),
});

/** @param id as it was requested; the payment's own when absent */
const shown = (payment: PaymentView, id = wholePaymentId(payment.paymentId)) => ({
  payment_id: id,
  tx_hash: payment.txHash,
  amount: payment.amount,
  block_height: payment.height,
  unlock_time: payment.unlockTime,
  locked: payment.locked,
  subaddr_index: payment.subaddress,
  address: payment.address,
});

incomingMethods.define({
  name: 'get_payments',
  summary: 'Payments received with a payment id, the newest first.',
  params: params({ payment_id: text() }),
  result: payments,
  ...READS,
  errors: ['wrongPaymentId'],
  handler({ wallet }, { payment_id }) {
    if (!isWholeHex(payment_id)) throw new RpcError('wrongPaymentId', 'Payment ID has invalid format');
    if (!isHex(payment_id, HASH) && !isHex(payment_id, SHORT_PAYMENT_ID))
      throw new RpcError('wrongPaymentId', `Payment ID has invalid size: ${payment_id}`);
    const found = wallet.transfers.payments({ paymentId: payment_id }).reversed();
    return { payments: found.map((payment) => shown(payment, payment_id)) };
  },
});

incomingMethods.define({
  name: 'get_bulk_payments',
  summary: 'Payments received with any of some payment ids, or all payments, above a height; the newest first.',
  params: params({ payment_ids: texts(), min_block_height: u64() }),
  result: payments,
  ...READS,
  errors: ['wrongPaymentId'],
  handler({ wallet }, { payment_ids, min_block_height }) {
    const above = heightOf(min_block_height);
    payment_ids.forEach(requirePaymentId);
    const received = (paymentId?: string) =>
      wallet.transfers.payments({ above, ...(paymentId === undefined ? {} : { paymentId }) }).reversed();
    if (payment_ids.length === 0) return { payments: received().map((payment) => shown(payment)) };
    return {
      payments: payment_ids.flatMap((id) =>
        received(id)
          .toArray()
          .map((payment) => shown(payment, id)),
      ),
    };
  },
});

/** @throws RpcError `wrongPaymentId` */
function requirePaymentId(id: string): void {
  if (id.length !== 2 * HASH && id.length !== 2 * SHORT_PAYMENT_ID)
    throw new RpcError('wrongPaymentId', `Payment ID has invalid size: ${id}`);
  if (!isWholeHex(id)) throw new RpcError('wrongPaymentId', `Payment ID has invalid format: ${id}`);
}

/** Values of `transfer_type`: whether outputs are spent. */
const TRANSFER_TYPES: ReadonlyMap<string, boolean | undefined> = new Map([
  ['all', undefined],
  ['available', false],
  ['unavailable', true],
]);

incomingMethods.define({
  name: 'incoming_transfers',
  summary: 'Outputs of an account: all, available (not spent) or unavailable (spent).',
  params: params({ transfer_type: text(), account_index: u32(), subaddr_indices: u32s() }),
  result: v.object({
    transfers: v.array(
      v.object({
        amount: result.u64,
        spent: result.bool,
        global_index: result.u64,
        tx_hash: result.text,
        subaddr_index: subaddressIndex,
        key_image: result.text,
        pubkey: result.text,
        block_height: result.u32,
        frozen: result.bool,
        unlocked: result.bool,
      }),
    ),
  }),
  ...READS,
  errors: ['transferType'],
  handler({ wallet }, { transfer_type, account_index, subaddr_indices }) {
    if (!TRANSFER_TYPES.has(transfer_type))
      throw new RpcError('transferType', 'Transfer type must be one of: all, available, or unavailable');
    const outputs = wallet.transfers.outputs(account_index, subaddr_indices, TRANSFER_TYPES.get(transfer_type));
    const transfers = outputs.map((output) => ({
      amount: output.amount,
      spent: output.spent,
      global_index: output.globalIndex,
      tx_hash: output.txHash,
      subaddr_index: output.subaddress,
      key_image: output.keyImage ?? '',
      pubkey: output.key,
      block_height: output.height,
      frozen: output.frozen,
      unlocked: output.unlocked,
    }));
    return { transfers };
  },
});

const entries = v.array(transferEntry);

incomingMethods.define({
  name: 'get_transfers',
  summary: 'Transfers of the kinds asked for: in, out, pending, failed, pool; the newest first.',
  params: params({
    in: bool(),
    out: bool(),
    pending: bool(),
    failed: bool(),
    pool: bool(),
    filter_by_height: bool(),
    min_height: u64(),
    max_height: u64(MAX_BLOCK_NUMBER),
    account_index: u32(),
    subaddr_indices: u32s(),
    all_accounts: bool(),
  }),
  result: v.object({ in: entries, out: entries, pending: entries, failed: entries, pool: entries }),
  ...READS,
  restricted: 'denied',
  async handler({ wallet }, params) {
    if (params.pool) await wallet.lookAtPool();
    const query: TransferQuery = {
      ...(params.all_accounts ? {} : { account: params.account_index, subaddresses: params.subaddr_indices }),
      above: params.filter_by_height ? heightOf(params.min_height) : 0,
      upTo: Math.min(params.filter_by_height ? heightOf(params.max_height) : NO_LIMIT, Number(MAX_BLOCK_NUMBER)),
    };
    const { transfers } = wallet;
    const { height } = wallet.chain;
    // As in most of the reference's tables.
    const newestFirst = (list: LazyList<TransferView>) => list.reversed().map((one) => shownTransfer(one, height));
    return {
      in: params.in ? newestFirst(transfers.received(query)) : [],
      out: params.out ? newestFirst(transfers.sent(query)) : [],
      pending: params.pending ? newestFirst(transfers.pending(query)) : [],
      failed: params.failed ? newestFirst(transfers.failed(query)) : [],
      pool: params.pool ? newestFirst(transfers.pool(query)) : [],
    };
  },
});

incomingMethods.define({
  name: 'get_transfer_by_txid',
  summary: 'What one transaction is to an account.',
  params: params({ txid: text(), account_index: u32() }),
  result: v.object({ transfer: transferEntry, transfers: entries }),
  ...READS,
  restricted: 'denied',
  errors: ['wrongTxid', 'accountOutOfBounds'],
  async handler({ wallet }, { txid, account_index }) {
    if (!isWholeHex(txid)) throw new RpcError('wrongTxid', 'Transaction ID has invalid format');
    if (!isHex(txid, HASH)) throw new RpcError('wrongTxid', `Transaction ID has invalid size: ${txid}`);
    if (account_index >= wallet.addresses.accounts) throw new RpcError('accountOutOfBounds', 'Account index is out of bound');
    const found = await wallet.transfers.ofTransaction(txid.toLowerCase(), account_index);
    const transfers = found.map((one) => shownTransfer(one, wallet.chain.height));
    const [transfer] = transfers;
    if (transfer === undefined) throw new RpcError('wrongTxid', 'Transaction not found.');
    return { transfer, transfers };
  },
});

/** A height as a number; one that no chain reaches becomes the largest. */
function heightOf(height: bigint): number {
  return height > BigInt(NO_LIMIT) ? NO_LIMIT : Number(height);
}

incomingMethods.define({
  name: 'set_tx_notes',
  summary: 'Notes for transactions, one each.',
  params: params({ txids: texts(), notes: texts() }),
  ...WRITES,
  errors: ['unknown', 'wrongTxid'],
  async handler({ wallet }, { txids, notes }) {
    if (txids.length !== notes.length) throw new RpcError('unknown', 'Different amount of txids and notes');
    const hashes = txids.map(requireTxid);
    await wallet.notes.write(hashes.map((txHash, i) => ({ txHash, note: notes[i]! })));
  },
});

incomingMethods.define({
  name: 'get_tx_notes',
  summary: 'Notes of transactions, in the order asked.',
  params: params({ txids: texts() }),
  result: v.object({ notes: v.array(result.text) }),
  ...READS,
  errors: ['wrongTxid'],
  handler({ wallet }, { txids }) {
    return { notes: txids.map((txid) => wallet.notes.of(requireTxid(txid))) };
  },
});

incomingMethods.define({
  name: 'set_attribute',
  summary: 'Keeps a text under a key in the wallet.',
  params: params({ key: text(), value: text() }),
  ...WRITES,
  async handler({ wallet }, { key, value }) {
    await wallet.attributes.set(key, value);
  },
});

incomingMethods.define({
  name: 'get_attribute',
  summary: 'The text kept under a key.',
  params: params({ key: text() }),
  result: v.object({ value: result.text }),
  ...READS,
  restricted: 'denied',
  errors: ['attributeNotFound'],
  handler({ wallet }, { key }) {
    const value = wallet.attributes.get(key);
    if (value === undefined) throw new RpcError('attributeNotFound', 'Attribute not found.');
    return { value };
  },
});
