import { loadCrypto } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import { stringifyJson } from '../protocol/json.ts';
import type { OutputKey, TxHash } from '../protocol/model.ts';
import type { ScanPool } from '../protocol/scan/contract.ts';
import type {
  AccountView,
  DaemonSettings,
  HistoryEntry,
  OnSpendProgress,
  OutputView,
  PreparedTransfer,
  SubaddressView,
  SweepRequest,
  TransferRequest,
  WalletApi,
  WalletView,
} from './api.ts';
import { isUnderWay } from './balance.ts';
import type { WalletEnvironment } from './environment.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './events.ts';
import { Exchange } from './exchange/exchange.ts';
import { history } from './history.ts';
import { WalletKeys } from './keys.ts';
import { type NewWallet, RESTORE_DATE, wordsOf } from './make.ts';
import type { SubaddressIndex, WalletSecrets } from './model.ts';
import { outputViews } from './output-views.ts';
import { NOT_SENT } from './payments.ts';
import type { Durability, Journal } from './ports.ts';
import { Preparations } from './preparations.ts';
import type { WalletRoom } from './room.ts';
import { snapshot } from './snapshot.ts';
import { KeySigner, prepareSweep, prepareTransfer, type SpendContext, submitPrepared, viewOnlySigner } from './spend/index.ts';
import { applyEvent, firstState, requireFollows, setPool, type WalletState } from './state.ts';
import { SubaddressTable } from './subaddresses.ts';
import { nextTurn } from './sync/catch-up.ts';
import { secondsOf } from './sync/deps.ts';
import { SyncEngine } from './sync/engine.ts';
import { heightForDate } from './sync/restore-height.ts';
import { Witness } from './sync/witness.ts';
import { Views } from './views.ts';

/** Shortest time between two views for subscribers, milliseconds. */
const VIEW_EVERY = 250;
/** Attribute that holds the daemon chosen last: {@link DaemonSettings} as JSON. */
export const DAEMON_ATTRIBUTE = 'daemon';
/** Records in a journal above which a snapshot takes their place. */
const COMPACT_ABOVE = 4000;

/**
 * An open wallet: its state, its synchronisation and its spending behind {@link WalletApi}. It lives where its keys may
 * live, a worker or a process of its own; `close` wipes them.
 */
export class Wallet implements WalletApi {
  readonly #env: WalletEnvironment;
  readonly #journal: Journal;
  readonly #keys: WalletKeys;
  readonly #state: WalletState;
  readonly #table: SubaddressTable;
  readonly #signer: KeySigner | undefined;
  readonly #views: Views;
  readonly #witness: Witness;
  readonly #listeners = new Set<(view: WalletView) => void>();
  readonly #preparations = new Preparations();
  /** Files of the reference wallet: the way to a cold or view-only half, and to other programs of the same keys. */
  readonly exchange: Exchange;
  #records: number;
  #scanPool: ScanPool | undefined;
  #engine: SyncEngine | undefined;
  #daemon: DaemonClient | undefined;
  #trusted = false;
  #queue: Promise<unknown> = Promise.resolve();
  #viewTimer: ReturnType<typeof setTimeout> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #closed = false;
  /** Those who wait for the next change of the sync status. */
  #waiting: (() => void)[] = [];

  private constructor(
    name: string,
    env: WalletEnvironment,
    journal: Journal,
    keys: WalletKeys,
    state: WalletState,
    records: number,
  ) {
    this.#env = env;
    this.#journal = journal;
    this.#keys = keys;
    this.#state = state;
    this.#records = records;
    this.#table = new SubaddressTable(keys);
    this.#views = new Views(name, state, keys, this.#table, () => this.#now());
    const { spendKey, viewKey } = keys;
    this.#signer = spendKey === undefined ? undefined : new KeySigner({ spendKey, viewKey }, env.random);
    this.exchange = this.#makeExchange();
    this.#witness = new Witness({
      state,
      clock: env.clock,
      connect: env.connect,
      append: (events, durability) => this.#append(events, durability),
      changed: () => this.#changed(),
    });
  }

  /** Puts a new wallet on the shelf and opens it. @throws StorageError `exists` and others of the store */
  static async create(env: WalletEnvironment, name: string, password: string, made: NewWallet): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.create(name, password, copySecrets(made.secrets), made.first);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found`; WalletError `bad-event` */
  static async open(env: WalletEnvironment, name: string, password: string): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.open(name, password);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** Brings a backup file in under a name, and opens it. @throws StorageError `wrong-password`, `damaged`, `exists` */
  static async restoreBackup(env: WalletEnvironment, name: string, password: string, backup: Uint8Array): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.restore(name, password, backup);
    return Wallet.#fromJournal(env, name, journal);
  }

  static async #fromJournal(env: WalletEnvironment, name: string, journal: Journal): Promise<Wallet> {
    try {
      let state: WalletState | undefined;
      let records = 0;
      for await (const event of journal.read()) {
        if (state === undefined) state = firstState(event);
        else applyEvent(state, event);
        records += 1;
      }
      if (state === undefined) throw new WalletError('bad-event', 'expected a journal with at least the event Created');
      const wallet = new Wallet(name, env, journal, WalletKeys.of(journal.secrets, state.description), state, records);
      await wallet.#dropUnsent();
      wallet.#prepareLookup();
      return wallet;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** The state behind the views. Read only. */
  get state(): WalletState {
    return this.#state;
  }

  /** The inside of this wallet, for rooms beside this one; it never leaves the thread. */
  get room(): WalletRoom {
    return {
      state: this.#state,
      keys: this.#keys,
      secrets: this.#journal.secrets,
      signer: this.#signer ?? viewOnlySigner,
      daemon: this.#daemon,
      trusted: this.#trusted,
      random: this.#env.random,
      clock: this.#env.clock,
      sync: this.#status(),
      addressOf: (index) => this.#views.address(index),
      find: (spendKey) => this.#table.find(spendKey),
      lookup: (address) => this.#table.lookup(address),
      ready: async () => {
        this.#requireOpen();
        await this.#table.grow(this.#state.accounts, nextTurn);
      },
      append: (events, durability) => this.#append(events, durability),
    };
  }

  async view(): Promise<WalletView> {
    return this.#views.wallet(this.#status(), this.#witness.view);
  }

  async subscribe(listener: (view: WalletView) => void): Promise<() => void> {
    this.#listeners.add(listener);
    this.#changed();
    return () => this.#listeners.delete(listener);
  }

  async history(options: { account?: number; offset?: number; limit?: number } = {}): Promise<readonly HistoryEntry[]> {
    const entries = history(this.#state, this.#now(), options.account);
    const offset = options.offset ?? 0;
    return entries.slice(offset, options.limit === undefined ? undefined : offset + options.limit);
  }

  async outputs(account?: number): Promise<readonly OutputView[]> {
    return outputViews(this.#state, this.#now(), account);
  }

  async setFrozen(key: string, frozen: boolean): Promise<void> {
    if (!this.#state.outputs.has(key as OutputKey)) throw new WalletError('not-found', 'expected an output of this wallet');
    if (this.#state.frozen.has(key) !== frozen) await this.#append([{ type: frozen ? 'Frozen' : 'Thawed', key }], 'strict');
  }

  async subaddresses(account: number): Promise<readonly SubaddressView[]> {
    return this.#views.entry(account).labels.map((_, minor) => this.#views.subaddress({ major: account, minor }));
  }

  async addAccount(label: string): Promise<AccountView> {
    await this.#append([{ type: 'AccountAdded', label }], 'strict');
    return this.#views.account(this.#state.accounts.length - 1);
  }

  async addSubaddress(account: number, label: string): Promise<SubaddressView> {
    this.#views.entry(account);
    await this.#append([{ type: 'SubaddressAdded', major: account, label }], 'strict');
    return this.#views.subaddress({ major: account, minor: this.#views.entry(account).labels.length - 1 });
  }

  async label(index: SubaddressIndex, label: string): Promise<void> {
    if (index.minor >= this.#views.entry(index.major).labels.length)
      throw new WalletError('no-such-account', 'expected a subaddress that was made', { minor: index.minor });
    await this.#append([{ type: 'Labelled', index, label }], 'strict');
  }

  async note(txHash: string, note: string): Promise<void> {
    await this.#append([{ type: 'Noted', txHash: txHash as TxHash, note }], 'strict');
  }

  setDaemon(settings: DaemonSettings): Promise<void> {
    return this.#inTurn(async () => {
      const daemon = this.#env.connect(settings);
      const engine = await this.#requireEngine();
      await engine.stop('idle');
      this.#daemon = daemon;
      this.#trusted = settings.trusted;
      await this.#rememberDaemon(settings);
      await engine.start(daemon);
    });
  }

  async #rememberDaemon({ url, username, password, trusted }: DaemonSettings): Promise<void> {
    const login = { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) };
    const value = stringifyJson({ url, trusted, ...login });
    if (this.#state.attributes.get(DAEMON_ATTRIBUTE) === value) return;
    await this.#append([{ type: 'AttributeSet', key: DAEMON_ATTRIBUTE, value }], 'relaxed');
  }

  async setWitness(url: string | undefined): Promise<void> {
    this.#requireOpen();
    await this.#witness.choose(url);
  }

  async compareWitness(): Promise<void> {
    this.#requireOpen();
    await this.#witness.compare();
  }

  pause(): Promise<void> {
    return this.#inTurn(async () => this.#engine?.stop('paused'));
  }

  resume(): Promise<void> {
    return this.#inTurn(() => this.#resume());
  }

  async #resume(): Promise<void> {
    if (this.#daemon !== undefined) await this.#engine?.start(this.#daemon);
  }

  async refresh(): Promise<void> {
    await this.#engine?.refresh();
  }

  /**
   * Resolves once the wallet is at its daemon's tip.
   * @throws WalletError `no-daemon` when none is set or the wallet is paused; `sync-stopped` with the cause's code as `data.code`
   */
  async synced(): Promise<void> {
    for (;;) {
      const { phase, error } = this.#status();
      if (phase === 'live') return;
      if (phase === 'stopped') throw new WalletError('sync-stopped', error?.message ?? '', { code: error?.code ?? '' });
      if (phase === 'idle' || phase === 'paused') throw new WalletError('no-daemon', 'expected a daemon, and no pause');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  rescan(fromHeight: number): Promise<void> {
    return this.#inTurn(async () => {
      if (!Number.isSafeInteger(fromHeight) || fromHeight < 0 || fromHeight > this.#state.height)
        throw new WalletError('height-out-of-range', 'expected a height that was already scanned', {
          height: this.#state.height,
        });
      await this.#atRest(() => this.#append([{ type: 'RestoreHeightSet', height: fromHeight }], 'strict'));
    });
  }

  /** Work done while nothing is scanned; the scan goes on after it. Only in turn. */
  async #atRest<T>(work: () => Promise<T>): Promise<T> {
    const { phase } = this.#status();
    await this.#engine?.stop('paused');
    try {
      return await work();
    } finally {
      if (phase !== 'paused') await this.#resume();
    }
  }

  async prepareTransfer(request: TransferRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#preparations.make((signal) => prepareTransfer(this.#spendContext(onProgress), request, signal));
  }

  async prepareSweep(request: SweepRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#preparations.make((signal) => prepareSweep(this.#spendContext(onProgress), request, signal));
  }

  async cancelPreparing(): Promise<void> {
    this.#preparations.cancel();
  }

  async send(preparedId: string, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    return submitPrepared(this.#spendContext(onProgress), this.#preparations.take(preparedId));
  }

  async discard(preparedId: string): Promise<void> {
    this.#preparations.discard(preparedId);
  }

  async revealSeed(password: string): Promise<string> {
    this.#requireOpen();
    await this.#journal.changePassword(password, password);
    return wordsOf(this.#journal.secrets);
  }

  async changePassword(oldPassword: string, newPassword: string): Promise<void> {
    this.#requireOpen();
    await this.#journal.changePassword(oldPassword, newPassword);
  }

  async backup(): Promise<Uint8Array> {
    this.#requireOpen();
    await this.#queue;
    return this.#journal.backup();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#turn;
    await this.#witness.stop();
    await this.#engine?.stop('idle');
    await this.#queue;
    this.#closed = true;
    clearTimeout(this.#viewTimer);
    this.#listeners.clear();
    this.#preparations.clear();
    await this.#scanPool?.close();
    await this.#journal.close();
    this.#signer?.close();
    this.#keys.wipe();
  }

  /** Starting and stopping happen one after the other, in the order asked. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Journals, then applies, then tells: one after the other, in the order asked. */
  #append(events: readonly WalletEvent[], durability: Durability): Promise<void> {
    const done = this.#queue.then(async () => {
      if (this.#closed) throw new WalletError('closed', 'expected an open wallet');
      requireFollows(this.#state, events);
      await this.#journal.append(events, durability);
      for (const event of events) applyEvent(this.#state, event);
      this.#records += events.length;
      this.#changed();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Puts a snapshot in place of a long journal. */
  #compact(): Promise<void> {
    const done = this.#queue.then(async () => {
      if (this.#closed || this.#records <= COMPACT_ABOVE) return;
      const events = [...snapshot(this.#state)];
      await this.#journal.compact(events);
      // A wallet whose facts alone fill a long journal is not written anew at every turn.
      this.#records = Math.min(events.length, COMPACT_ABOVE / 2);
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Transactions that were built when the wallet last closed and never left: their inputs are free again (their rings stay). */
  async #dropUnsent(): Promise<void> {
    const at = this.#now();
    const unsent = [...this.#state.sent.values()].filter((entry) => entry.phase === 'built');
    const events = unsent.map(({ tx }): WalletEvent => ({ type: 'TransactionFailed', txHash: tx.txHash, reason: NOT_SENT, at }));
    if (events.length > 0) await this.#append(events, 'strict');
  }

  /** What of a transaction under way comes back to us is told by its addresses: that needs the table before there is a daemon. */
  #prepareLookup(): void {
    const underWay = [...this.#state.sent.values()].some((entry) => isUnderWay(this.#state, entry));
    if (!underWay) return;
    void this.#table.grow(this.#state.accounts, nextTurn).then(() => {
      this.#views.forget();
      this.#changed();
    });
  }

  async #requireEngine(): Promise<SyncEngine> {
    if (this.#engine !== undefined) return this.#engine;
    this.#scanPool = await this.#env.scanPool();
    const engine = new SyncEngine(
      {
        state: this.#state,
        keys: this.#keys,
        table: this.#table,
        scanPool: this.#scanPool,
        clock: this.#env.clock,
        append: (events, durability) => this.#append(events, durability),
        showPool: (pool) => {
          setPool(this.#state, pool);
          this.#changed();
        },
        beforeFirstBlock: (daemon, signal) => this.#settleRestoreDate(daemon, signal),
        atTip: () => {
          this.#witness.atTip();
          return this.#compact();
        },
      },
      () => this.#statusChanged(),
      this.#env.sync,
    );
    this.#engine = engine;
    return engine;
  }

  /** A wallet restored from a date learns its height from the first daemon it meets (T23). */
  async #settleRestoreDate(
    daemon: Pick<DaemonClient, 'getHeight' | 'getBlockHeaderByHeight'>,
    signal: AbortSignal,
  ): Promise<void> {
    const date = this.#state.attributes.get(RESTORE_DATE) ?? '';
    if (date === '') return;
    const source = {
      height: async () => (await daemon.getHeight({ signal })).check(({ height }) => height),
      timestampAt: async (height: number) =>
        (await daemon.getBlockHeaderByHeight(height, { signal })).check(({ timestamp }) => timestamp),
    };
    const events: WalletEvent[] = [{ type: 'AttributeSet', key: RESTORE_DATE, value: '' }];
    if (this.#state.blocks.length === 0)
      events.unshift({ type: 'RestoreHeightSet', height: await heightForDate(source, Number(date)) });
    await this.#append(events, 'strict');
  }

  #makeExchange(): Exchange {
    return new Exchange({
      context: {
        state: this.#state,
        keys: this.#keys,
        find: (spendKey) => this.#table.find(spendKey),
        append: (events, durability) => this.#append(events, durability),
        signer: this.#signer ?? viewOnlySigner,
        random: this.#env.random,
        clock: this.#env.clock,
      },
      spend: () => this.#spendContext(),
      trustedDaemon: () => (this.#trusted ? this.#daemon : undefined),
      prepared: (id) => this.#preparations.get(id),
      ready: async () => {
        this.#requireOpen();
        await this.#table.grow(this.#state.accounts, nextTurn);
      },
      still: (work) => this.#inTurn(() => this.#atRest(work)),
    });
  }

  #spendContext(progress?: OnSpendProgress): SpendContext {
    this.#requireOpen();
    if (this.#daemon === undefined) throw new WalletError('no-daemon', 'expected a daemon to be set');
    return {
      state: this.#state,
      daemon: this.#daemon,
      append: (events, durability) => this.#append(events, durability),
      signer: this.#signer ?? viewOnlySigner,
      viewKey: this.#keys.viewKey,
      addressOf: (index) => this.#views.address(index),
      random: this.#env.random,
      clock: this.#env.clock,
      progress,
    };
  }

  #status(): WalletView['sync'] {
    if (this.#engine !== undefined) return this.#engine.status;
    const { height } = this.#state;
    return { phase: 'idle', height, daemonHeight: undefined, rate: 0, timeLeft: undefined, error: undefined };
  }

  #statusChanged(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#changed();
  }

  #changed(): void {
    if (this.#listeners.size === 0 || this.#viewTimer !== undefined || this.#closed) return;
    this.#viewTimer = setTimeout(() => {
      this.#viewTimer = undefined;
      const view = this.#views.wallet(this.#status(), this.#witness.view);
      for (const listener of this.#listeners) listener(view);
    }, VIEW_EVERY);
  }

  #now(): number {
    return secondsOf(this.#env.clock);
  }

  #requireOpen(): void {
    if (this.#closed || this.#closing !== undefined) throw new WalletError('closed', 'expected an open wallet');
  }
}

/** The one who made the wallet may wipe what it holds. */
const copySecrets = ({ spendKey, viewKey, seedLanguage }: WalletSecrets): WalletSecrets => ({
  spendKey: spendKey?.slice(),
  viewKey: viewKey.slice(),
  seedLanguage,
});
