import { foreignSpends } from './projection/index.ts';
import type { WalletState } from './state/state.ts';

/** Reports incoming transactions from now on: each once when it appears in the pool and once when it is mined. */
export class IncomingWatch {
  readonly #state: WalletState;
  readonly #mined: Set<string>;
  readonly #pooled = new Set<string>();
  #looked: { readonly rewrites: number; readonly done: number };

  constructor(state: WalletState) {
    const { rewrites, hashes } = state.transactionLog;
    this.#state = state;
    this.#mined = new Set<string>(hashes);
    this.#looked = { rewrites, done: hashes.length };
  }

  /** Transactions since the last call. */
  newTransactions(): string[] {
    const { pool, transactions, transactionLog } = this.#state;
    const { rewrites, hashes } = transactionLog;
    const pooled = [...pool.payments, ...foreignSpends(this.#state).filter(({ received }) => received > 0n)];
    // The log is replaced after a reorganisation.
    const mined = hashes.slice(rewrites === this.#looked.rewrites ? this.#looked.done : 0);
    this.#looked = { rewrites, done: hashes.length };
    return [
      ...pooled.map(({ txHash }) => txHash).filter(unseen(this.#pooled)),
      ...mined.filter((txHash) => (transactions.get(txHash)?.outputs.length ?? 0) > 0).filter(unseen(this.#mined)),
    ];
  }
}

/** Adds an item to a set. @returns whether it was not in it */
const unseen = (known: Set<string>) => (txHash: string) => !known.has(txHash) && known.add(txHash) !== undefined;
