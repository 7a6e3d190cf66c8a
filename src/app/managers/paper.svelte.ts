import type { PaperSecret, PaperStart, WalletCode } from '../../../workers/client.ts';
import type { PaperPrice, PaperView, SpendProgress } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';
import { isWhole } from '../services/sync.ts';
import { Attempt, noticeErrors } from './attempt.svelte.ts';
import { endedSearch } from './ended-search.svelte.ts';
import { RestoreStart } from './restore-start.svelte.ts';
import { SecretKeysForm } from './secret-keys.svelte.ts';
import { SeedWordsForm } from './seed-words.svelte.ts';
import { session } from './session.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** Form fields for what is on a paper wallet or gift card, and where to look for its money. */
class PaperForm {
  kind: 'words' | 'keys' = $state('words');
  readonly seed = new SeedWordsForm();
  readonly keys = new SecretKeysForm();
  /** What a scanned code says beside its secret. */
  #code: { readonly secret: string; readonly address: string | undefined; readonly txHashes: readonly string[] } | undefined =
    $state.raw();
  /** Of no use beside another secret, which was typed in place of the scanned one. */
  readonly #beside = $derived(this.#code?.secret === this.#entered ? this.#code : undefined);
  /** Transactions that a scanned code names, where it says no height. */
  readonly txHashes = $derived(this.#beside?.txHashes ?? []);
  readonly start = new RestoreStart();
  readonly scanning = new Attempt();
  /** The form was submitted once: from now on field errors are shown. */
  tried = $state(false);
  /** The words say their month, or the code its transactions. */
  readonly knowsStart = $derived((this.kind === 'words' && this.seed.polyseed !== undefined) || this.txHashes.length > 0);

  /** Reads a code, and fills the fields. */
  async scan(text: string): Promise<void> {
    await this.scanning.run(async (wanted) => {
      const code = await session.host.readWalletCode(text, wallet.view?.network ?? session.network);
      if (wanted()) this.fill(code);
    });
    if (this.scanning.code !== undefined) this.seed.words = '';
  }

  /** Fills the fields with what a code says. */
  fill(code: WalletCode): void {
    this.clear();
    if (code.kind === 'pairing') {
      this.scanning.problem = m.paper_no_spend();
      return;
    }
    this.kind = code.kind;
    let address: string | undefined;
    if (code.kind === 'words') this.seed.words = code.words;
    else {
      this.keys.fill(code.keys);
      address = code.keys.address;
    }
    this.start.take(code.from);
    const txHashes = code.from === undefined ? (code.txHashes ?? []) : [];
    this.#code = { secret: this.#entered, address, txHashes };
  }

  /** Checks all fields, and shows their errors. Returns what to open; undefined if something is wrong. */
  async read(): Promise<{ readonly secret: PaperSecret; readonly start: PaperStart | undefined } | undefined> {
    this.tried = true;
    const good = this.kind === 'words' ? await this.seed.read() : this.keys.check();
    const start = this.#start;
    if (!good || (start === undefined && !this.knowsStart)) return undefined;
    return { secret: this.#secret, start };
  }

  /** Forgets the secret. */
  clear(): void {
    this.seed.words = '';
    this.seed.passphrase = '';
    this.keys.clear();
    this.#code = undefined;
    this.tried = false;
    this.seed.tried = false;
  }

  get #entered(): string {
    return this.kind === 'words' ? this.seed.words : `${this.keys.spendKey} ${this.keys.viewKey}`;
  }

  get #start(): PaperStart | undefined {
    if (this.txHashes.length > 0) return { kind: 'transactions', txHashes: this.txHashes };
    return this.knowsStart ? undefined : this.start.point;
  }

  get #secret(): PaperSecret {
    if (this.kind === 'words') return { words: this.seed.words, passphrase: this.seed.usedPassphrase };
    return { keys: { ...this.keys.keys, address: this.#beside?.address } };
  }
}

/**
 * Takes the money of a paper wallet: its secret goes to the worker as soon as the form is sent, and is cleared here. To be closed with the view;
 * a payment that is being sent is still sent.
 */
export class PaperFlow {
  readonly form = new PaperForm();
  step: 'enter' | 'found' | 'sent' = $state('enter');
  /** What was found so far. */
  view: PaperView | undefined = $state.raw();
  /** Height at which the search began, from which its progress is measured. */
  from = $state(0);
  price: PaperPrice | undefined = $state.raw();
  progress: SpendProgress | undefined = $state.raw();
  readonly opening = new Attempt();
  /** The latest asking for the price. */
  pricing = $state.raw(new Attempt());
  readonly taking = new Attempt();
  /** Counts papers: views of an earlier one are dropped. */
  #turn = 0;

  /** Whether all of the chain was looked through. */
  get isWhole(): boolean {
    return this.view !== undefined && isWhole(this.view.sync);
  }

  /** The price, if something can be taken: what it was asked for may have been spent by somebody else since. */
  get offer(): PaperPrice | undefined {
    return this.isWhole && (this.view?.balance.unlocked ?? 0n) > 0n ? this.price : undefined;
  }

  async open(): Promise<void> {
    await this.opening.run(async (wanted) => {
      const asked = await this.form.read();
      if (asked === undefined || !wanted()) return;
      this.#turn += 1;
      const turn = this.#turn;
      this.view = undefined;
      this.price = undefined;
      await session.host.paper.open(asked.secret, asked.start, (view) => {
        if (turn === this.#turn) this.#show(view);
      });
      if (!wanted()) return;
      this.form.clear();
      this.step = 'found';
    });
  }

  /** Asks what can be taken; to be called when that may have changed. An earlier asking that still waits is dropped. */
  async ask(): Promise<void> {
    const pricing = this.#anewPricing();
    await pricing.run(async (wanted) => {
      const price = await session.host.paper.price();
      if (wanted()) this.price = price;
    });
  }

  #anewPricing(): Attempt {
    this.pricing.forget();
    this.pricing = new Attempt();
    return this.pricing;
  }

  async take(): Promise<void> {
    await this.taking.run(async () => {
      this.progress = undefined;
      const to = await wallet.nextReceiveAddress();
      const onProgress = (progress: SpendProgress): void => {
        this.progress = progress;
      };
      await session.host.paper.take(to, onProgress, m.paper_note());
      this.step = 'sent';
      void this.close();
    });
    if (this.step !== 'sent') void this.ask();
  }

  /** Back to the form, without the secret. */
  async begin(): Promise<void> {
    this.step = 'enter';
    this.taking.forget();
    await this.close();
  }

  async close(): Promise<void> {
    this.#turn += 1;
    this.form.clear();
    this.opening.forget();
    this.#anewPricing();
    // While a component is taken down, it reads what was there before the lock.
    await Promise.resolve();
    // The worker has closed the paper with the wallet.
    if (wallet.view === undefined) endedSearch.byLock ||= this.#isUnfinished;
    else await noticeErrors(session.host.paper.close());
  }

  /** Whether something is looked for, or can still be taken. */
  get #isUnfinished(): boolean {
    if (this.step === 'enter') return this.opening.busy;
    return this.step === 'found' && !(this.isWhole && this.view?.balance.total === 0n);
  }

  #show(view: PaperView): void {
    if (this.view === undefined || view.sync.height < this.from) this.from = view.sync.height;
    this.view = view;
  }
}
