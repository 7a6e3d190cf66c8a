import { expect } from 'vitest';
import type { Seat } from './multisig-group.ts';
import { comparable } from './rpc-both.ts';

interface Seen {
  readonly balance: unknown;
  readonly unlocked_balance: unknown;
  readonly multisig_import_needed: boolean;
}

interface Coins {
  readonly transfers?: readonly { key_image: string; spent: boolean; amount: unknown; pubkey: string }[];
}

interface History {
  readonly in?: readonly Entry[];
  readonly out?: readonly Entry[];
}

interface Entry {
  readonly txid: string;
  readonly amount: unknown;
  readonly fee: unknown;
  readonly height: unknown;
  readonly type: string;
}

/** A member's knowledge, in a form that must be the same for all members. */
async function knownTo(seat: Seat) {
  const { balance, unlocked_balance, multisig_import_needed } = await seat.rpc<Seen>('get_balance', { account_index: 0 });
  const { transfers = [] } = await seat.rpc<Coins>('incoming_transfers', { transfer_type: 'all' });
  const coins = transfers.map(({ pubkey, key_image, spent, amount }) => `${pubkey} ${key_image} ${spent} ${amount}`).sort();
  const history = await seat.rpc<History>('get_transfers', { in: true, out: true });
  const entries = [...(history.in ?? []), ...(history.out ?? [])]
    .map(({ txid, type, amount, fee, height }) => `${txid} ${type} ${amount} ${fee} ${height}`)
    .sort();
  return comparable({ balance, unlocked_balance, multisig_import_needed, coins, entries });
}

/** All members agree on balance, coins, key images and history, and lack nothing. */
export async function expectMembersAgree(seats: readonly Seat[]): Promise<void> {
  const [first, ...others] = await Promise.all(seats.map(knownTo));
  expect(first).toMatchObject({ multisig_import_needed: false });
  for (const [i, other] of others.entries()) expect(other, `member ${i + 2}`).toEqual(first);
}

/** Hashes of the transactions that a member knows to be spends. */
export async function spentBy(seat: Seat): Promise<readonly string[]> {
  const { out = [] } = await seat.rpc<History>('get_transfers', { out: true });
  return out.map(({ txid }) => txid);
}
