import type { Height, TxHash } from '../protocol/index.ts';
import type { WalletContext } from './context.ts';
import { WalletError } from './errors.ts';
import { IncomingWatch } from './incoming-watch.ts';
import { rescanSpent } from './offline-signing/spends.ts';
import { heightToScanFrom } from './scan-tx.ts';
import { outputsOfMovedRings } from './spend/index.ts';

/** The parts of a wallet that {@link Chain} needs. */
export interface ChainHost {
  /** Scans again from a height. */
  rescan(fromHeight: number): Promise<void>;
  /** Sees the block of a payment whole, whoever the daemon is. @throws WalletError `no-daemon`, `block-mismatch`, `sync-stopped` */
  see(height: Height): Promise<void>;
  /** Calls after every change. Returns the unsubscriber. */
  watch(watcher: () => void): () => void;
}

/** The chain as far as the wallet has read it, and the questions that name coins or transactions to the daemon (T24). */
export class Chain {
  readonly #ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'ready' | 'append' | 'daemon'>;
  readonly #host: ChainHost;

  constructor(ctx: Pick<WalletContext, 'state' | 'keys' | 'find' | 'ready' | 'append' | 'daemon'>, host: ChainHost) {
    this.#ctx = ctx;
    this.#host = host;
  }

  /** Next block to scan. */
  get height(): number {
    return this.#ctx.state.height;
  }

  /** Whether it has read any block. */
  get hasScanned(): boolean {
    return this.#ctx.state.blocks.length > 0;
  }

  /** Coins that a reorganisation has moved since their decoys were chosen: what `giveUpRings` takes. */
  get movedCoins(): readonly string[] {
    return outputsOfMovedRings(this.#ctx.state);
  }

  /**
   * Looks for the wallet in transactions by their hashes: scans again from the first that concerns it and that the scan has passed by, since it is
   * below the restore height or was left out by a daemon. The daemon learns whose they are.
   * @returns the height from which it scans again; undefined when there is nothing to scan for
   * @throws WalletError `no-daemon`, `not-found` when the daemon does not have all of them; DaemonError
   */
  async scanTransactions(txHashes: readonly string[]): Promise<number | undefined> {
    const height = await heightToScanFrom(this.#ctx, this.#requireDaemon(), txHashes as readonly TxHash[]);
    if (height === undefined) return undefined;
    const from = Math.min(height, this.height);
    await this.#host.rescan(from);
    return from;
  }

  /**
   * Asks for the whole block of a payment to this wallet, and sees whether it holds it (T5). A daemon that is not trusted is asked that by itself
   * for the newest 30 blocks alone: of an older one it learns by this that it paid this wallet (T24). A scan that is under way is waited for.
   * @param txHash 64 hex digits
   * @returns whether the payment is verified now; false when the daemon could not show the block whole
   * @throws WalletError `not-found` when no scanned block has such a payment; `no-daemon`, also while paused; `block-mismatch` when the block does
   *   not hold the payment: the chain is forgotten from there on, and the scan rests until a daemon is set again; `sync-stopped`
   */
  async verifyPayment(txHash: string): Promise<boolean> {
    const { state } = this.#ctx;
    const output = state.transactions.get(txHash as TxHash)?.outputs[0];
    if (output === undefined) throw new WalletError('not-found', 'expected a payment to this wallet in a block that was scanned');
    const isVerified = (): boolean => output.coinbase || state.verified.get(output.height) === output.blockId;
    if (!isVerified()) await this.#host.see(output.height);
    return isVerified();
  }

  /**
   * Asks the daemon which outputs are spent: it learns which they are. A refused payment whose inputs it calls unspent is given up.
   * A wallet that knows of no output needs no daemon.
   * @throws WalletError `no-daemon`; OfflineSigningError `bad-daemon-answer`; DaemonError
   */
  async rescanSpent(): Promise<void> {
    const { byKeyImage, imported } = this.#ctx.state;
    if (byKeyImage.size + imported.length > 0) await rescanSpent(this.#ctx, this.#requireDaemon());
  }

  /**
   * Calls with the hash of each transaction that brings something from now on: once when the pool shows it, once when a block does.
   * Returns the unsubscriber.
   */
  async onReceived(listener: (txHash: string) => void): Promise<() => void> {
    const received = new IncomingWatch(this.#ctx.state);
    return this.#host.watch(() => {
      for (const txHash of received.newTransactions()) listener(txHash);
    });
  }

  #requireDaemon(): NonNullable<WalletContext['daemon']> {
    const { daemon } = this.#ctx;
    if (daemon === undefined) throw new WalletError('no-daemon', 'expected a daemon to be set');
    return daemon;
  }
}
