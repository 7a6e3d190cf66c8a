import { bytesToHex } from '../base/index.ts';
import { loadCrypto } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { Height, TxHash } from '../protocol/index.ts';
import type { Balance, DaemonSettings, OnSpendProgress, SweepRequest, SyncStatus } from './api.ts';
import type { NewWallet } from './create-wallet.ts';
import type { WalletEnvironment } from './environment.ts';
import { WalletError } from './errors.ts';
import type { SubaddressIndex } from './model.ts';
import { Wallet } from './wallet.ts';
import { wipeSecrets } from './wallet-secrets.ts';

/** What a paper holds, as far as it was scanned. Amounts in atomic units. */
export interface PaperView {
  readonly sync: SyncStatus;
  /** Of all accounts. */
  readonly balance: Balance;
  /** Number of coins it ever received. */
  readonly coins: number;
  /** Unix seconds of the block that spent coins last; undefined if none are spent. */
  readonly spentAt: number | undefined;
  /** Whether a payment from it waits for a block, whoever sent it. */
  readonly leaving: boolean;
}

/** What can be taken from a paper now; atomic units. */
export interface PaperPrice {
  /** Arrives in the open wallet. 0 if the coins are locked or not worth the fee. */
  readonly amount: bigint;
  /** About what the network charges: it is exact once decoys are drawn. */
  readonly fee: bigint;
}

/**
 * The wallet of a paper or gift card, opened to take its money into another wallet. It is in memory only, and gone when it is closed: a secret
 * that is never stored needs no password and leaves no trace, and nothing would be gained by keeping it. Until the payment is sent, the paper
 * has its money; afterwards the other wallet finds it by itself. The price: a payment that is cut short, and repeated from the paper, draws
 * other decoys, which tells the daemon that it was asked before which coin is real (T3). So no decoys are asked for before {@link take}, and a
 * second `take` of the same object uses those of the first.
 */
export class PaperWallet {
  readonly #wallet: Wallet;
  readonly #into: Wallet;
  #taking: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(wallet: Wallet, into: Wallet) {
    this.#wallet = wallet;
    this.#into = into;
  }

  /**
   * @param env its store holds only this wallet
   * @param made wiped
   * @param said the daemon to use, and the address on the paper, if there is one
   * @internal
   * @throws WalletError `same-wallet`, `bad-key` if the address is another wallet's; DaemonError `bad-url`, `mixed-content`
   */
  static async open(
    env: WalletEnvironment,
    into: Wallet,
    made: NewWallet,
    { daemon, address }: { readonly daemon: DaemonSettings; readonly address?: string | undefined },
  ): Promise<PaperWallet> {
    let wallet: Wallet;
    try {
      const isOf = (wanted: string): boolean =>
        made.first.some((event) => event.type === 'Created' && event.wallet.primaryAddress === wanted);
      if (address !== undefined && !isOf(address)) throw new WalletError('bad-key', 'expected the secret of this address');
      if (isOf(into.description.primaryAddress))
        throw new WalletError('same-wallet', 'expected the secret of another wallet than the open one');
      wallet = await Wallet.create(env, 'paper', bytesToHex(env.random.bytes(32)), made);
    } finally {
      wipeSecrets(made.secrets);
    }
    try {
      await wallet.setDaemon(daemon);
    } catch (error) {
      await wallet.close();
      throw error;
    }
    return new PaperWallet(wallet, into);
  }

  /** Its primary address. */
  get address(): string {
    return this.#wallet.description.primaryAddress;
  }

  async view(): Promise<PaperView> {
    const [{ balance, sync }, outputs, history] = await Promise.all([
      this.#wallet.view(),
      this.#wallet.outputs(),
      this.#wallet.history(),
    ]);
    const spends = history.filter(({ direction, state }) => direction === 'out' && state !== 'failed');
    const leaving = spends.some(({ height }) => height === undefined);
    return {
      sync,
      balance,
      coins: outputs.length,
      spentAt: spends.find(({ height }) => height !== undefined)?.timestamp,
      leaving,
    };
  }

  /** Calls `listener` with a new view after every change, at most twenty times a second. Returns a function that unsubscribes. */
  subscribe(listener: (view: PaperView) => void): Promise<() => void> {
    return this.#wallet.subscribe(() => void this.view().then(listener));
  }

  /** Resolves when all of the chain was looked through. @throws WalletError `sync-stopped` */
  waitUntilSynced(): Promise<void> {
    return this.#wallet.waitUntilSynced();
  }

  /** What can be taken now. The daemon is asked for its fees only. @throws SpendError `fee-unavailable`; DaemonError */
  async price(): Promise<PaperPrice> {
    let [amount, fee] = [0n, 0n];
    for (const part of await this.#parts()) {
      amount += part.unlocked - part.fee;
      fee += part.fee;
    }
    return { amount, fee };
  }

  /**
   * Sends all that can be spent to an address of the other wallet: one payment for each account that has coins. Returns the hashes. If one
   * fails, those before it were sent, and what is left can be taken again.
   * @param to which address of the other wallet
   * @param note on each transaction, in the other wallet, which has it before the transaction leaves
   * @throws SpendError; DaemonError; WalletError `not-found` if there is nothing to take; AbortError if closed before anything was sent;
   *   StorageError if the note cannot be written: its transactions are not sent
   */
  take(to: SubaddressIndex, onProgress?: OnSpendProgress, note = ''): Promise<readonly string[]> {
    const taking = this.#take(this.#into.addresses.at(to), onProgress, note);
    this.#taking = Promise.allSettled([this.#taking, taking]);
    return taking;
  }

  async #take(address: string, onProgress: OnSpendProgress | undefined, note: string): Promise<readonly string[]> {
    const { payments } = this.#wallet;
    const sent: string[] = [];
    const noteAll = async (hashes: readonly string[]): Promise<void> => {
      if (note !== '') await this.#into.notes.write(hashes.map((txHash) => ({ txHash, note })));
    };
    for (const { account } of await this.#parts()) {
      const { id } = await payments.prepareSweep(sweepOf(account, address), onProgress);
      sent.push(...(await payments.sendAfter(noteAll, id, onProgress)));
    }
    if (sent.length === 0) throw new WalletError('not-found', 'expected coins that can be spent and are worth the fee');
    return sent;
  }

  /** Accounts with coins that can be spent now and are worth the fee, with what that is. */
  async #parts(): Promise<readonly { readonly account: number; readonly unlocked: bigint; readonly fee: bigint }[]> {
    if (this.#closed) throw new WalletError('closed', 'expected an open paper wallet');
    const { accounts } = await this.#wallet.view();
    const parts: { account: number; unlocked: bigint; fee: bigint }[] = [];
    for (const { account, balance } of accounts) {
      if (balance.unlocked === 0n) continue;
      const { levels, automatic, planned } = await this.#wallet.payments.feeLevels({
        kind: 'sweep',
        ...sweepOf(account, this.address),
      });
      const fee = levels.find(({ priority }) => priority === automatic)?.fee ?? 0n;
      if (planned && fee < balance.unlocked) parts.push({ account, unlocked: balance.unlocked, fee });
    }
    return parts;
  }

  /** Stops, and forgets the secret. A payment that is being sent is still sent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#wallet.payments.cancel();
    await this.#taking;
    await this.#wallet.close();
  }
}

const sweepOf = (account: number, address: string): SweepRequest => ({ address, account, priority: 0 });

/**
 * Height of the first block that has one of these transactions, which gift cards name in place of a height; undefined while none is in a
 * block. The daemon learns that somebody asks for them, and its answer is not checked: a lie would make the scan begin at another block.
 * @internal
 * @throws WalletError `not-found` if the daemon does not have all of them; DaemonError
 */
export async function heightOfTransactions(
  daemon: Pick<DaemonClient, 'getTransactions'>,
  txHashes: readonly string[],
): Promise<Height | undefined> {
  await loadCrypto();
  const answer = await daemon.getTransactions(txHashes as readonly TxHash[], { prune: true });
  const { transactions } = answer.acceptUnverified('restore-date');
  if (transactions.length < txHashes.length) throw new WalletError('not-found', 'expected the daemon to have the transactions');
  const heights = transactions.flatMap(({ height }) => height ?? []);
  return heights.length === 0 ? undefined : Math.min(...heights);
}
