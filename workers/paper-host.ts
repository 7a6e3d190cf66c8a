import { passingStore } from '../src/storage/index.ts';
import {
  type DaemonSettings,
  heightOfTransactions,
  type NewWallet,
  type OnSpendProgress,
  type PaperPrice,
  type PaperView,
  PaperWallet,
  type SubaddressIndex,
  type Wallet,
  type WalletEnvironment,
} from '../src/wallet/index.ts';
import type { PaperCalls, PaperSecret, PaperStart, RestorePoint } from './host.ts';
import { HostError } from './host-error.ts';
import type { NewWallets } from './new-wallets.ts';

/** What the paper host needs of the wallet host. */
export interface PaperHostWallets {
  readonly env: WalletEnvironment;
  readonly made: NewWallets;
  /** @throws `not-open` */
  wallet(): Wallet;
  /** The daemon of the open wallet, with its login. */
  daemon(): DaemonSettings;
}

const NOW: RestorePoint = { kind: 'tip' };
const START: RestorePoint = { kind: 'height', height: 0 };

/** The worker's side of a paper wallet, which is open beside the wallet that takes its money. Its keys stay in this thread, in memory only. */
export class PaperHost implements PaperCalls {
  readonly #host: PaperHostWallets;
  #paper: PaperWallet | undefined;
  /** Counts openings and closings: a paper that was closed while it was opened does not stay open. */
  #turn = 0;

  constructor(host: PaperHostWallets) {
    this.#host = host;
  }

  async open(secret: PaperSecret, start: PaperStart | undefined, onView: (view: PaperView) => void): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    await this.#closePaper();
    const into = this.#host.wallet();
    const daemon = this.#host.daemon();
    const { env } = this.#host;
    const made = await this.#made(secret, start && (await this.#pointOf(start, daemon)));
    const paper = await PaperWallet.open({ ...env, store: passingStore(env.random) }, into, made, { daemon });
    if (turn !== this.#turn) {
      await paper.close();
      throw new DOMException('closed while it was opened', 'AbortError');
    }
    this.#paper = paper;
    await paper.subscribe(onView);
    onView(await paper.view());
  }

  price(): Promise<PaperPrice> {
    return this.#requirePaper().price();
  }

  take(to: SubaddressIndex, onProgress: OnSpendProgress, note: string): Promise<readonly string[]> {
    return this.#requirePaper().take(to, onProgress, note);
  }

  async close(): Promise<void> {
    this.#turn += 1;
    await this.#closePaper();
  }

  async #closePaper(): Promise<void> {
    const paper = this.#paper;
    this.#paper = undefined;
    await paper?.close();
  }

  #made(secret: PaperSecret, from: RestorePoint | undefined): Promise<NewWallet> {
    const { made } = this.#host;
    const { network } = this.#host.wallet().description;
    return 'words' in secret
      ? made.fromWords({ network }, secret.words, secret.passphrase, from)
      : made.fromKeys({ network }, secret.keys, from ?? START);
  }

  async #pointOf(start: PaperStart, daemon: DaemonSettings): Promise<RestorePoint> {
    if (start.kind !== 'transactions') return start;
    const height = await heightOfTransactions(this.#host.env.connect(daemon), start.txHashes);
    return height === undefined ? NOW : { kind: 'height', height };
  }

  #requirePaper(): PaperWallet {
    if (this.#paper === undefined) throw new HostError('not-open', 'expected an open paper wallet');
    return this.#paper;
  }
}
