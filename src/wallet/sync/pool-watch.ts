import { bytesToHex } from '../../crypto/index.ts';
import type { TransactionEntry } from '../../daemon/index.ts';
import { NEWEST_VERSION } from '../../protocol/eras.ts';
import {
  type AtomicAmount,
  isProtocolError,
  type KeyImage,
  type Transaction,
  type TxHash,
  toAtomicAmount,
} from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';
import type { PoolPayment } from '../pool.ts';
import { isWithin } from '../subaddresses.ts';
import { type SyncDaemon, type SyncDeps, secondsOf } from './deps.ts';
import { idOf, transactionIn } from './entry.ts';
import { feeOf } from './interpret.ts';
import { matchOutputs } from './match.ts';
import { openAmount } from './open.ts';
import { paymentIdToUs } from './tx-extra.ts';

/** Transactions a restricted daemon gives at once. */
const CHUNK = 100;

/** What one pool transaction means for us. Most mean nothing. */
interface Seen {
  readonly payments: readonly PoolPayment[];
  /** All key images it takes; compared anew as outputs come in. */
  readonly inputs: readonly KeyImage[];
}

const NOTHING: Seen = { payments: [], inputs: [] };

/** Follows the daemon's pool. Unseen transactions are fetched all, so that what is asked does not tell what is ours (T24). */
export class PoolWatch {
  readonly #deps: SyncDeps;
  #seen = new Map<TxHash, Seen>();
  /** The look under way, well or not. */
  #looking: Promise<void> = Promise.resolve();
  /** The one that begins after it. */
  #next: Promise<void> | undefined;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
  }

  /** Hashes in the pool now. */
  has(txHash: TxHash): boolean {
    return this.#seen.has(txHash);
  }

  /** One look at the pool, begun after the call: one under way may be from before what the caller knows of. Who asks meanwhile shares it. */
  poll(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    this.#next ??= this.#looking.then(() => {
      this.#next = undefined;
      const look = this.#follow(daemon, signal);
      this.#looking = look.catch(() => undefined);
      return look;
    });
    return this.#next;
  }

  /** Forgets all, for a daemon that is another one; looks at the one before are to be ended by their signal. */
  async clear(): Promise<void> {
    await (this.#next ?? this.#looking).catch(() => undefined);
    this.#seen.clear();
  }

  async #follow(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    // A lie here shows or hides what is not mined yet, and no more.
    const hashes = (await daemon.getPoolHashes({ signal })).check((answer) => answer);
    const unseen = hashes.filter((hash) => !this.#seen.has(hash));
    const found = new Map<TxHash, Seen>();
    for (let i = 0; i < unseen.length; i += CHUNK) {
      await this.#fetch(daemon, unseen.slice(i, i + CHUNK), found, signal);
    }
    const kept = new Map<TxHash, Seen>();
    for (const hash of hashes) {
      const seen = this.#seen.get(hash) ?? found.get(hash);
      if (seen !== undefined) kept.set(hash, seen);
    }
    const changed = kept.size !== this.#seen.size || found.size > 0;
    this.#seen = kept;
    if (changed || this.#hasStale()) this.#show();
  }

  async #fetch(daemon: SyncDaemon, hashes: readonly TxHash[], found: Map<TxHash, Seen>, signal: AbortSignal): Promise<void> {
    const answer = await daemon.getTransactions(hashes, { prune: true, signal });
    const { transactions } = answer.check((value) => value);
    const asked = new Set(hashes);
    for (const entry of transactions) {
      if (entry.inPool && asked.has(entry.hash)) found.set(entry.hash, this.#read(entry));
    }
  }

  /** Bytes of another transaction, and those that nobody can read, mean nothing to us until a block has them. */
  #read(entry: TransactionEntry): Seen {
    try {
      const tx = transactionIn(entry);
      // A pruned version 1 transaction cannot be hashed, and is believed until mined.
      if (tx === undefined || (idOf(tx, entry) ?? entry.hash) !== entry.hash) return NOTHING;
      return this.#look(entry.hash, tx, entry.doubleSpendSeen);
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      return NOTHING;
    }
  }

  #look(txHash: TxHash, tx: Transaction, doubleSpendSeen: boolean): Seen {
    const inputs = tx.inputs.flatMap((input) => (input.type === 'key' ? [bytesToHex(input.keyImage) as KeyImage] : []));
    return { payments: this.#payments(txHash, tx, inputs, doubleSpendSeen), inputs };
  }

  /** What it pays us, by subaddress; not what comes back to the account it spends from. */
  #payments(txHash: TxHash, tx: Transaction, inputs: readonly KeyImage[], doubleSpendSeen: boolean): PoolPayment[] {
    const { keys, state, table, clock } = this.#deps;
    const spentFrom = this.#spendingAccount(inputs);
    const sums = new Map<string, { subaddress: SubaddressIndex; amounts: AtomicAmount[] }>();
    for (const match of matchOutputs(tx, keys.viewKey, (key) => table.find(key))) {
      const { subaddress } = match;
      const opened = openAmount(tx, match.outputIndex, match.derivation);
      if (opened === undefined || subaddress.major === spentFrom || !isWithin(state.accounts, subaddress)) continue;
      const id = `${subaddress.major}/${subaddress.minor}`;
      sums.set(id, { subaddress, amounts: [...(sums.get(id)?.amounts ?? []), opened.amount] });
    }
    return [...sums.values()].map(({ subaddress, amounts }) => ({
      txHash,
      amount: toAtomicAmount(amounts.reduce((sum, amount) => sum + amount, 0n)),
      amounts,
      fee: feeOf(tx),
      subaddress,
      timestamp: secondsOf(clock),
      unlockTime: tx.unlockTime,
      paymentId: paymentIdToUs(tx, keys.viewKey, NEWEST_VERSION),
      doubleSpendSeen,
    }));
  }

  #spendingAccount(inputs: readonly KeyImage[]): number | undefined {
    const { state } = this.#deps;
    for (const image of inputs) {
      const key = state.byKeyImage.get(image);
      if (key !== undefined) return state.outputs.get(key)!.output.subaddress.major;
    }
    return undefined;
  }

  /** Whether the view shows something that the chain has taken in since. */
  #hasStale(): boolean {
    const { state } = this.#deps;
    return state.pool.payments.some((payment) => state.transactions.has(payment.txHash));
  }

  #show(): void {
    const { state, showPool } = this.#deps;
    const payments: PoolPayment[] = [];
    const ours = new Set<TxHash>();
    const spends = new Map<KeyImage, TxHash>();
    for (const [txHash, seen] of this.#seen) {
      if (state.sent.has(txHash)) ours.add(txHash);
      for (const image of seen.inputs) if (state.byKeyImage.has(image)) spends.set(image, txHash);
      if (!state.transactions.has(txHash)) payments.push(...seen.payments);
    }
    showPool({ payments, ours, spends });
  }
}
