import type { MoneroTxWallet, MoneroWalletRpc } from 'monero-ts';
import type { Monerod } from '../programs.ts';
import { shapeOf } from '../rpc-pair.ts';

/** The starting point of a day's work with a service. */
export interface Plan {
  /** The service. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly daemon: Monerod;
  /** 25 words of the wallet that has mined. */
  readonly seed: string;
  /** An address of another wallet. */
  readonly stranger: string;
}

/** A day in progress: the client, and results of earlier steps for later ones. */
export interface Day extends Plan {
  readonly wallet: MoneroWalletRpc;
  /** Total fees of the day's transactions so far: a fee depends on the random choice of ring members. */
  fees: bigint;
  /** Hashes of transactions, by purpose. */
  readonly hashes: Map<string, string>;
}

/** One action of a client. Its return value is compared: values if they are determined, shapes if they are random. */
export type Step = readonly [name: string, run: (day: Day) => Promise<unknown>];

/** The outcome of a step. */
export type Outcome = { readonly done: unknown } | { readonly failed: string };

/** Runs all of them in turn; a failed step does not end the day. */
export async function liveDay(day: Day, steps: readonly Step[]): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const [name, run] of steps) {
    try {
      outcomes.set(name, { done: plain(await run(day)) });
    } catch (error) {
      outcomes.set(name, { failed: error instanceof Error ? error.message : String(error) });
    }
  }
  return outcomes;
}

/** Bigints as digits; undefined fields are removed. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(kept.map(([name, field]) => [name, plain(field)]));
}

/** The error of a refused call. */
export async function refusal(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    const { code, message } = error as { readonly code?: number; readonly message: string };
    return { code, message };
  }
  throw new Error('expected the service to refuse');
}

/** Records the fee of a new transaction, for later balances. */
export function made(day: Day, name: string, txs: readonly MoneroTxWallet[]): unknown {
  for (const tx of txs) day.fees += tx.getFee();
  const [first] = txs;
  if (first !== undefined) day.hashes.set(name, first.getHash());
  return txs.map((tx) => {
    const sent = tx.getOutgoingTransfer();
    return {
      hash: shapeOf(tx.getHash()),
      key: shapeOf(tx.getKey()),
      hex: shapeOf(tx.getFullHex()),
      metadata: shapeOf(tx.getMetadata()),
      costs: tx.getFee() > 0n,
      weighs: tx.getWeight() > 1000,
      account: sent.getAccountIndex(),
      subaddresses: sent.getSubaddressIndices(),
      // A sweep sends everything except the fee.
      spent: sent.getDestinations()?.length === 1 && name.startsWith('sweep') ? sent.getAmount() + tx.getFee() : sent.getAmount(),
      inPool: tx.getInTxPool(),
      relayed: tx.getIsRelayed(),
      confirmed: tx.getIsConfirmed(),
      locked: tx.getIsLocked(),
    };
  });
}

/** Transactions of the history. The daemon chooses the block of our own ones; that of a mined coin is known. */
export function history(txs: readonly MoneroTxWallet[]): unknown {
  return inOrder(
    txs.map((tx) => ({
      hash: shapeOf(tx.getHash()),
      height: tx.getIsMinerTx() ? tx.getHeight() : tx.getHeight() !== undefined,
      old: tx.getNumConfirmations() >= 10,
      confirmed: tx.getIsConfirmed(),
      inPool: tx.getInTxPool(),
      failed: tx.getIsFailed(),
      locked: tx.getIsLocked(),
      mined: tx.getIsMinerTx(),
      unlockTime: tx.getUnlockTime(),
      paymentId: tx.getPaymentId(),
      note: tx.getNote(),
      costs: tx.getFee() === undefined ? undefined : tx.getFee() > 0n,
      sent: sentOf(tx),
      received: inOrder(
        (tx.getIncomingTransfers() ?? []).map((one) => ({
          account: one.getAccountIndex(),
          subaddress: one.getSubaddressIndex(),
          amount: one.getAmount(),
          suggested: one.getNumSuggestedConfirmations(),
        })),
      ),
    })),
  );
}

function sentOf(tx: MoneroTxWallet): unknown {
  const sent = tx.getOutgoingTransfer();
  if (sent === undefined) return undefined;
  return {
    account: sent.getAccountIndex(),
    subaddresses: sent.getSubaddressIndices(),
    amount: sent.getAmount(),
    to: (sent.getDestinations() ?? []).map((one) => [one.getAddress(), one.getAmount()]),
  };
}

/** Sorted by its text: each service has its own order of lists. */
export function inOrder(list: readonly unknown[]): unknown[] {
  const keyed = list.map((one) => ({ one: plain(one), key: JSON.stringify(plain(one)) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one);
}

/** Mines blocks to an unrelated address, one by one until the pool is empty, then the rest, and brings the wallet to the tip. */
export async function mine(day: Day, blocks: number): Promise<void> {
  const { daemon, stranger, wallet } = day;
  const pool = async () => (await daemon.path<{ tx_hashes?: string[] }>('get_transaction_pool_hashes')).tx_hashes ?? [];
  let left = blocks;
  do {
    await daemon.generateBlocks(1, stranger);
    left -= 1;
  } while ((await pool()).length > 0 && left > 10);
  await daemon.generateBlocks(left, stranger);
  await wallet.sync();
}
