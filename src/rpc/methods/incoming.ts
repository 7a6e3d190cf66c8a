import * as v from 'valibot';
import { JsonList } from '../../base/index.ts';
import type { TxHash } from '../../protocol/model.ts';
import { MAX_BLOCK_NUMBER } from '../../protocol/unlock.ts';
import { clientAttribute, clientAttributeOf } from '../../wallet/client-attributes.ts';
import type { WalletContext } from '../../wallet/context.ts';
import type { PoolPayment } from '../../wallet/pool.ts';
import {
  isSpendableAt,
  isSpent,
  passes,
  poolPayments,
  projectionOf,
  type ReceivedPayment,
  type TransferFilter,
  type UnconfirmedTransfer,
  unconfirmedTransfers,
  wholePaymentId,
} from '../../wallet/projection/index.ts';
import type { OutputEntry, WalletState } from '../../wallet/state.ts';
import { RpcError } from '../errors.ts';
import { bool, NO_RESULT, params, result, subaddressIndex, text, texts, u32, u32s, u64 } from '../fields.ts';
import { HeldAddresses } from '../held-addresses.ts';
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

/** A payment, and its id as it is to be shown. */
type Named = readonly [payment: ReceivedPayment, id: string];

/** @param id as it was asked for; their own when absent */
const named = (payments: readonly ReceivedPayment[], id?: string): Named[] =>
  payments.map((payment) => [payment, id ?? wholePaymentId(payment.paymentId)]);

function shown(room: WalletContext, found: readonly Named[]) {
  const { height } = room.state;
  const now = Math.floor(room.clock.now() / 1000);
  const addresses = new HeldAddresses(room);
  for (const [{ subaddress }] of found) addresses.hold(subaddress);
  return JsonList.of(found, ([payment, payment_id]) => ({
    payment_id,
    tx_hash: payment.txHash,
    amount: payment.amount,
    block_height: payment.height,
    unlock_time: payment.unlockTime,
    locked: !isSpendableAt(payment, height, now),
    subaddr_index: payment.subaddress,
    address: addresses.of(payment.subaddress),
  }));
}

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
    const found = projectionOf(room.state).payments.withPaymentId(wholePaymentId(payment_id.toLowerCase()), 0);
    return { payments: shown(room, named(found, payment_id)) };
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
    const { payments } = projectionOf(room.state);
    const above = heightOf(min_block_height);
    const found =
      wanted.length === 0
        ? named(payments.received({ subaddresses: [], above, upTo: NO_LIMIT }))
        : wanted.flatMap(([id, whole]) => named(payments.withPaymentId(whole, above), id));
    return { payments: shown(room, found) };
  },
});

function fullPaymentId(id: string): string {
  if (id.length !== 2 * HASH && id.length !== 2 * SHORT_PAYMENT_ID)
    throw new RpcError('wrongPaymentId', `Payment ID has invalid size: ${id}`);
  if (!isWholeHex(id)) throw new RpcError('wrongPaymentId', `Payment ID has invalid format: ${id}`);
  return wholePaymentId(id.toLowerCase());
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
    const outputs = projectionOf(state).outputsOf(account_index, subaddr_indices);
    const found =
      transfer_type === 'all' ? outputs : outputs.filter((entry) => isSpent(state, entry) === (transfer_type === 'unavailable'));
    const { height } = state;
    const taken = takenOf(state, found);
    const frozen = frozenOf(state, found);
    const transfers = JsonList.of(found, (entry) => {
      const { output, spend } = entry;
      return {
        amount: output.amount,
        spent: spend !== undefined || taken.has(entry),
        global_index: output.globalIndex,
        tx_hash: output.txHash,
        subaddr_index: output.subaddress,
        key_image: output.keyImage ?? '',
        pubkey: output.key,
        block_height: output.height,
        frozen: frozen.has(entry),
        unlocked: isSpendableAt(output, height, now),
      };
    });
    return { transfers };
  },
});

/** Those of a list that are taken, beside what the chain spent. A wallet that sends nothing has none, and is not searched. */
function takenOf(state: WalletState, entries: readonly OutputEntry[]): ReadonlySet<OutputEntry> {
  const none = state.committed.size + state.unplacedSpends.size + state.pool.spends.size === 0;
  return new Set(none ? [] : entries.filter((entry) => isSpent(state, entry)));
}

/** Those of a list that are set aside. */
function frozenOf({ frozen }: WalletState, entries: readonly OutputEntry[]): ReadonlySet<OutputEntry> {
  return new Set(frozen.size === 0 ? [] : entries.filter(({ output }) => frozen.has(output.key)));
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
  async handler({ wallet }, asked) {
    const { room } = wallet;
    if (asked.pool) await wallet.lookAtPool();
    const make = new TransferEntries(room);
    const filter: TransferFilter = {
      account: asked.all_accounts ? undefined : asked.account_index,
      subaddresses: asked.all_accounts ? [] : asked.subaddr_indices,
      above: asked.filter_by_height ? heightOf(asked.min_height) : 0,
      upTo: Math.min(asked.filter_by_height ? heightOf(asked.max_height) : NO_LIMIT, Number(MAX_BLOCK_NUMBER)),
    };
    const { payments } = projectionOf(room.state);
    const unconfirmed = asked.pending || asked.failed ? unconfirmedOf(room.state, filter) : [];
    const ofKind = (failed: boolean) => make.unconfirmed(unconfirmed.filter(({ state }) => (state === 'failed') === failed));
    return {
      in: asked.in ? make.received(payments.received(filter)) : [],
      out: asked.out ? make.confirmed(payments.spent(filter)) : [],
      pending: asked.pending ? ofKind(false) : [],
      failed: asked.failed ? ofKind(true) : [],
      pool: asked.pool ? make.pool(poolOf(room.state, filter)) : [],
    };
  },
});

function poolOf(state: WalletState, filter: TransferFilter): PoolPayment[] {
  return poolPayments(state).filter(({ subaddress }) => passes(filter, subaddress.major, [subaddress.minor]));
}

/** Under way, ours or another's in the pool; or failed after a daemon had taken them. */
function unconfirmedOf(state: WalletState, filter: TransferFilter): UnconfirmedTransfer[] {
  return unconfirmedTransfers(state).filter(({ left, account, minors }) => left && passes(filter, account, minors));
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
  async handler({ wallet }, { txid, account_index }) {
    const { room } = wallet;
    if (!isWholeHex(txid)) throw new RpcError('wrongTxid', 'Transaction ID has invalid format');
    if (!isHex(txid, HASH)) throw new RpcError('wrongTxid', `Transaction ID has invalid size: ${txid}`);
    if (account_index >= room.state.accounts.length) throw new RpcError('accountOutOfBounds', 'Account index is out of bound');
    const txHash = txid.toLowerCase() as TxHash;
    if (heightOfTransaction(room.state, txHash) === undefined) await wallet.lookAtPool();
    const transfers = transfersOf(room, txHash, account_index);
    const [transfer] = transfers;
    if (transfer === undefined) throw new RpcError('wrongTxid', 'Transaction not found.');
    return { transfer, transfers };
  },
});

function transfersOf(room: WalletContext, txHash: TxHash, account: number): TransferEntry[] {
  const { state } = room;
  const { payments } = projectionOf(state);
  const make = new TransferEntries(room);
  const at = heightOfTransaction(state, txHash);
  const filter: TransferFilter = { account, subaddresses: [], above: at === undefined ? NO_LIMIT : at - 1, upTo: at ?? NO_LIMIT };
  const isIt = (entry: { readonly txHash: string }) => entry.txHash === txHash;
  return [
    make.received(payments.received(filter).filter(isIt)),
    make.confirmed(payments.spent(filter).filter(isIt)),
    make.unconfirmed(unconfirmedOf(state, filter).filter(isIt)),
    make.pool(poolOf(state, filter).filter(isIt)),
  ].flatMap((list) => list.toArray());
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
    await wallet.room.append([clientAttribute(key, value)], 'strict');
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
    const value = clientAttributeOf(wallet.state, key);
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
