import * as v from 'valibot';
import { JsonList } from '../../protocol/json.ts';
import type { TxHash } from '../../protocol/model.ts';
import { MAX_BLOCK_NUMBER } from '../../protocol/unlock.ts';
import { isSpendableAt } from '../../wallet/outputs.ts';
import { outputsOf } from '../../wallet/outputs-by-subaddress.ts';
import {
  isLocked,
  passes,
  paymentsIn,
  paymentsOut,
  type ReceivedPayment,
  type TransferFilter,
  unconfirmedOut,
} from '../../wallet/payments.ts';
import type { WalletRoom } from '../../wallet/room.ts';
import type { OutputEntry, WalletState } from '../../wallet/state.ts';
import { RpcError } from '../errors.ts';
import { bool, NO_RESULT, params, result, subaddressIndex, text, texts, u32, u32s, u64 } from '../fields.ts';
import { isHex, isWholeHex } from '../hex.ts';
import { defineMethod, group } from '../method.ts';
import { TransferEntries, type TransferEntry, transferEntry } from '../transfer-entry.ts';

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

function shown(room: WalletRoom, payment: ReceivedPayment, payment_id: string) {
  const now = Math.floor(room.clock.now() / 1000);
  return {
    payment_id,
    tx_hash: payment.txHash,
    amount: payment.amount,
    block_height: payment.height,
    unlock_time: payment.unlockTime,
    locked: isLocked(room.state, payment.height, payment.unlockTime, now),
    subaddr_index: payment.subaddress,
    address: room.addressOf(payment.subaddress),
  };
}

const everything = (above: number): TransferFilter => ({ subaddresses: [], above, upTo: NO_LIMIT });

const getPayments = defineMethod({
  name: 'get_payments',
  summary: 'Payments received with a payment id.',
  params: params({ payment_id: text() }),
  result: payments,
  needs: 'wallet',
  restricted: 'allowed',
  access: 'read',
  errors: ['wrongPaymentId'],
  handler({ wallet }, { payment_id }) {
    const { room } = wallet;
    if (!isWholeHex(payment_id)) throw new RpcError('wrongPaymentId', 'Payment ID has invalid format');
    if (!isHex(payment_id, HASH) && !isHex(payment_id, SHORT_PAYMENT_ID))
      throw new RpcError('wrongPaymentId', `Payment ID has invalid size: ${payment_id}`);
    const wanted = payment_id.toLowerCase().padEnd(2 * HASH, '0');
    const found = paymentsIn(room.state, everything(0)).filter(({ paymentId }) => paymentId === wanted);
    return { payments: found.map((payment) => shown(room, payment, payment_id)) };
  },
});

const getBulkPayments = defineMethod({
  name: 'get_bulk_payments',
  summary: 'Payments received with any of some payment ids, or all payments, above a height.',
  params: params({ payment_ids: texts(), min_block_height: u64() }),
  result: payments,
  needs: 'wallet',
  restricted: 'allowed',
  access: 'read',
  errors: ['wrongPaymentId'],
  handler({ wallet }, { payment_ids, min_block_height }) {
    const { room } = wallet;
    const wanted = payment_ids.map((id) => [id, fullPaymentId(id)] as const);
    const found = paymentsIn(room.state, everything(heightOf(min_block_height)));
    if (wanted.length === 0) return { payments: found.map((payment) => shown(room, payment, payment.paymentId)) };
    const byId = byPaymentId(found);
    return {
      payments: wanted.flatMap(([id, full]) => (byId.get(full) ?? []).map((payment) => shown(room, payment, id))),
    };
  },
});

function byPaymentId(all: readonly ReceivedPayment[]): ReadonlyMap<string, readonly ReceivedPayment[]> {
  const found = new Map<string, ReceivedPayment[]>();
  for (const payment of all) {
    const known = found.get(payment.paymentId);
    if (known === undefined) found.set(payment.paymentId, [payment]);
    else known.push(payment);
  }
  return found;
}

function fullPaymentId(id: string): string {
  if (id.length !== 2 * HASH && id.length !== 2 * SHORT_PAYMENT_ID)
    throw new RpcError('wrongPaymentId', `Payment ID has invalid size: ${id}`);
  if (!isWholeHex(id)) throw new RpcError('wrongPaymentId', `Payment ID has invalid format: ${id}`);
  return id.toLowerCase().padEnd(2 * HASH, '0');
}

const incomingTransfers = defineMethod({
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
  needs: 'wallet',
  restricted: 'allowed',
  access: 'read',
  errors: ['transferType'],
  handler({ wallet }, { transfer_type, account_index, subaddr_indices }) {
    if (!['all', 'available', 'unavailable'].includes(transfer_type))
      throw new RpcError('transferType', 'Transfer type must be one of: all, available, or unavailable');
    const { state, clock } = wallet.room;
    const now = Math.floor(clock.now() / 1000);
    const outputs = outputsOf(state, account_index, subaddr_indices);
    const found =
      transfer_type === 'all' ? outputs : outputs.filter((entry) => isSpent(state, entry) === (transfer_type === 'unavailable'));
    const transfers = JsonList.of(found, (entry) => {
      const { output } = entry;
      return {
        amount: output.amount,
        spent: isSpent(state, entry),
        global_index: output.globalIndex,
        tx_hash: output.txHash,
        subaddr_index: output.subaddress,
        key_image: output.keyImage ?? '',
        pubkey: output.key,
        block_height: output.height,
        frozen: state.frozen.has(output.key),
        unlocked: isSpendableAt(output, state.height, now),
      };
    });
    return { transfers };
  },
});

/** Spent on the chain, or taken by a transaction of ours that was sent. */
function isSpent(state: WalletState, { output, spend }: OutputEntry): boolean {
  const image = output.keyImage;
  if (spend !== undefined) return true;
  if (image === undefined) return false;
  const sender = state.committed.get(image);
  return state.unplacedSpends.has(image) || (sender !== undefined && state.sent.get(sender)?.phase !== 'built');
}

const entries = v.array(transferEntry);

const getTransfers = defineMethod({
  name: 'get_transfers',
  summary: 'Transfers of the kinds asked for: in, out, pending, failed, pool.',
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
  needs: 'wallet',
  restricted: 'denied',
  access: 'read',
  errors: [],
  handler({ wallet }, asked) {
    const { room } = wallet;
    const make = new TransferEntries(room);
    const filter: TransferFilter = {
      account: asked.all_accounts ? undefined : asked.account_index,
      subaddresses: asked.all_accounts ? [] : asked.subaddr_indices,
      above: asked.filter_by_height ? heightOf(asked.min_height) : 0,
      upTo: Math.min(asked.filter_by_height ? heightOf(asked.max_height) : NO_LIMIT, Number(MAX_BLOCK_NUMBER)),
    };
    const unconfirmed = asked.pending || asked.failed ? unconfirmedOut(room.state, filter) : [];
    return {
      in: asked.in ? JsonList.of(paymentsIn(room.state, filter), (payment) => make.received(payment)) : [],
      out: asked.out ? JsonList.of(paymentsOut(room.state, filter), (entry) => make.confirmed(entry)) : [],
      pending: asked.pending
        ? unconfirmed.filter(({ failed }) => !failed).map(({ entry }) => make.unconfirmed(entry, false))
        : [],
      failed: asked.failed ? unconfirmed.filter(({ failed }) => failed).map(({ entry }) => make.unconfirmed(entry, true)) : [],
      pool: asked.pool ? poolEntries(room, filter, make) : [],
    };
  },
});

function poolEntries({ state }: WalletRoom, filter: TransferFilter, make: TransferEntries): TransferEntry[] {
  return state.pool.payments
    .filter(({ subaddress }) => passes(filter, subaddress.major, [subaddress.minor]))
    .map((payment) => make.pool(payment));
}

const getTransferByTxid = defineMethod({
  name: 'get_transfer_by_txid',
  summary: 'What one transaction is to an account.',
  params: params({ txid: text(), account_index: u32() }),
  result: v.object({ transfer: transferEntry, transfers: entries }),
  needs: 'wallet',
  restricted: 'denied',
  access: 'read',
  errors: ['wrongTxid', 'accountOutOfBounds'],
  handler({ wallet }, { txid, account_index }) {
    const { room } = wallet;
    if (!isWholeHex(txid)) throw new RpcError('wrongTxid', 'Transaction ID has invalid format');
    if (!isHex(txid, HASH)) throw new RpcError('wrongTxid', `Transaction ID has invalid size: ${txid}`);
    if (account_index >= room.state.accounts.length) throw new RpcError('accountOutOfBounds', 'Account index is out of bound');
    const transfers = transfersOf(room, txid.toLowerCase(), account_index);
    const [transfer] = transfers;
    if (transfer === undefined) throw new RpcError('wrongTxid', 'Transaction not found.');
    return { transfer, transfers };
  },
});

function transfersOf(room: WalletRoom, txHash: string, account: number): TransferEntry[] {
  const { state } = room;
  const make = new TransferEntries(room);
  const at = heightOfTransaction(state, txHash as TxHash);
  const filter: TransferFilter = { account, subaddresses: [], above: at === undefined ? NO_LIMIT : at - 1, upTo: at ?? NO_LIMIT };
  const isIt = (entry: { readonly txHash: string }) => entry.txHash === txHash;
  return [
    ...paymentsIn(state, filter)
      .filter(isIt)
      .map((payment) => make.received(payment)),
    ...paymentsOut(state, filter)
      .filter(isIt)
      .map((entry) => make.confirmed(entry)),
    ...unconfirmedOut(state, filter)
      .filter(({ entry }) => isIt(entry.tx))
      .map(({ entry, failed }) => make.unconfirmed(entry, failed)),
    ...state.pool.payments
      .filter(isIt)
      .filter(({ subaddress }) => subaddress.major === account)
      .map((payment) => make.pool(payment)),
  ];
}

function heightOfTransaction(state: WalletState, txHash: TxHash): number | undefined {
  const facts = state.transactions.get(txHash);
  return facts?.outputs[0]?.height ?? facts?.spends[0]?.height;
}

/** A height as a number; what no chain reaches is the largest one. */
function heightOf(height: bigint): number {
  return height > BigInt(NO_LIMIT) ? NO_LIMIT : Number(height);
}

const setTxNotes = defineMethod({
  name: 'set_tx_notes',
  summary: 'Notes for transactions, one each.',
  params: params({ txids: texts(), notes: texts() }),
  result: NO_RESULT,
  needs: 'wallet',
  restricted: 'denied',
  access: 'write',
  errors: ['unknown', 'wrongTxid'],
  async handler({ wallet }, { txids, notes }) {
    if (txids.length !== notes.length) throw new RpcError('unknown', 'Different amount of txids and notes');
    const hashes = txids.map(requireTxid);
    const events = hashes.map((txHash, i) => ({ type: 'Noted', txHash, note: notes[i]! }) as const);
    if (events.length > 0) await wallet.room.append(events, 'strict');
    return {};
  },
});

const getTxNotes = defineMethod({
  name: 'get_tx_notes',
  summary: 'Notes of transactions, in the order asked.',
  params: params({ txids: texts() }),
  result: v.object({ notes: v.array(result.text) }),
  needs: 'wallet',
  restricted: 'allowed',
  access: 'read',
  errors: ['wrongTxid'],
  handler({ wallet }, { txids }) {
    return { notes: txids.map((txid) => wallet.state.notes.get(requireTxid(txid)) ?? '') };
  },
});

/** @throws RpcError `wrongTxid` */
function requireTxid(txid: string): TxHash {
  if (!isHex(txid, HASH)) throw new RpcError('wrongTxid', 'TX ID has invalid format');
  return txid.toLowerCase() as TxHash;
}

/** Attributes of clients stand apart from those that the wallet keeps for itself. */
const CLIENTS = 'rpc:';

const setAttribute = defineMethod({
  name: 'set_attribute',
  summary: 'Keeps a text under a key in the wallet.',
  params: params({ key: text(), value: text() }),
  result: NO_RESULT,
  needs: 'wallet',
  restricted: 'denied',
  access: 'write',
  errors: [],
  async handler({ wallet }, { key, value }) {
    await wallet.room.append([{ type: 'AttributeSet', key: CLIENTS + key, value }], 'strict');
    return {};
  },
});

const getAttribute = defineMethod({
  name: 'get_attribute',
  summary: 'The text kept under a key.',
  params: params({ key: text() }),
  result: v.object({ value: result.text }),
  needs: 'wallet',
  restricted: 'denied',
  access: 'read',
  errors: ['attributeNotFound'],
  handler({ wallet }, { key }) {
    const value = wallet.state.attributes.get(CLIENTS + key);
    if (value === undefined) throw new RpcError('attributeNotFound', 'Attribute not found.');
    return { value };
  },
});

export const incomingMethods = group('Incoming funds and history', [
  getPayments,
  getBulkPayments,
  incomingTransfers,
  getTransfers,
  getTransferByTxid,
  setTxNotes,
  getTxNotes,
  setAttribute,
  getAttribute,
]);
