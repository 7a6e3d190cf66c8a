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
  /**
   * Fetches and verifies the whole block of a payment, from any daemon. @throws WalletError `no-daemon`, `block-mismatch`, `sync-stopped`
   */
  see(height: Height): Promise<void>;
  /** Calls `watcher` after every change. Returns a function that unsubscribes. */
  watch(watcher: () => void): () => void;
}

/** The chain as far as the wallet has scanned it, and queries that reveal coins or transactions to the daemon (T24). */
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

  /** Whether any block has been scanned. */
  get hasScanned(): boolean {
    return this.#ctx.state.blocks.length > 0;
  }

  /** Coins that a reorganisation has moved since their decoys were chosen: what `giveUpRings` takes. */
  get movedCoins(): readonly string[] {
    return outputsOfMovedRings(this.#ctx.state);
  }

  /**
   * Looks for the wallet in transactions by their hashes: scans again from the first one that concerns it and that the scan has missed, because
   * it is below the restore height or a daemon left it out. The daemon learns that they are ours.
   * @returns the height from which it scans again; undefined if there is nothing to scan for
   * @throws WalletError `no-daemon`, `not-found` if the daemon does not have all of them; DaemonError
   */
  async scanTransactions(txHashes: readonly string[]): Promise<number | undefined> {
    const height = await heightToScanFrom(this.#ctx, this.#requireDaemon(), txHashes as readonly TxHash[]);
    if (height === undefined) return undefined;
    const from = Math.min(height, this.height);
    await this.#host.rescan(from);
    return from;
  }

  /**
   * Fetches the whole block of a payment to this wallet and verifies that it contains the payment (T5). By itself, the wallet asks a daemon
   * that is not trusted only for the newest 30 blocks: from a query for an older one the daemon learns that it paid this wallet (T24).
   * Waits for a running scan.
   * @param txHash 64 hex digits
   * @returns whether the payment is now verified; false if the daemon could not provide the whole block
   * @throws WalletError `not-found` when no scanned block has such a payment; `no-daemon`, also while paused; `block-mismatch` when the
   *   block does not contain the payment: the chain is then forgotten from there on, and the scan stops until a daemon is set again;
   *   `sync-stopped`
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
   * Asks the daemon which outputs are spent, from which it learns that they are ours. A refused payment whose inputs it calls unspent is
   * given up. A wallet without outputs needs no daemon.
   * @throws WalletError `no-daemon`; OfflineSigningError `bad-daemon-answer`; DaemonError
   */
  async rescanSpent(): Promise<void> {
    const { byKeyImage, imported } = this.#ctx.state;
    if (byKeyImage.size + imported.length > 0) await rescanSpent(this.#ctx, this.#requireDaemon());
  }

  /**
   * Calls `listener` with the hash of each transaction that pays the wallet from now on: once when it is in the pool, once when it is in a
   * block. Returns a function that unsubscribes.
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
