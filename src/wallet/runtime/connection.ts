import { asBoolean, asObject, asText, parseJson, SerialQueue, stringifyJson } from '../../base/index.ts';
import { type DaemonClient, type DaemonError, isDaemonError } from '../../daemon/index.ts';
import type { Height } from '../../protocol/index.ts';
import type { ScanPool } from '../../scan/index.ts';
import type { DaemonSettings, SyncStatus } from '../api.ts';
import { NETWORK_OPEN, RESTORE_DATE, RESTORED_FROM } from '../create-wallet.ts';
import type { WalletEnvironment } from '../environment.ts';
import { WalletError } from '../errors.ts';
import type { WalletKeys } from '../keys.ts';
import { withholdOwnSecrets } from '../own-secrets.ts';
import { rescannedFrom, unscannedFrom } from '../projection/index.ts';
import { rescanFrom } from '../rescan.ts';
import type { WalletEvent } from '../state/events.ts';
import { setPool } from '../state/fold.ts';
import type { WalletState } from '../state/state.ts';
import type { SubaddressTable } from '../subaddresses.ts';
import { SyncEngine } from '../sync/engine.ts';
import { requireNetwork } from '../sync/genesis.ts';
import { heightForDate } from '../sync/restore-height.ts';
import type { StateWriter } from './writer.ts';

/** Attribute that stores the last chosen daemon: {@link DaemonSettings} as JSON. */
const DAEMON_ATTRIBUTE = 'daemon';

/** Whether a daemon cannot be used here, or is none: the page's server may have no gateway. */
const isRefusal = (error: unknown): error is DaemonError | WalletError =>
  isDaemonError(error) || (error instanceof WalletError && error.code === 'no-daemon');

/** The parts of a wallet that its connection needs. */
export interface ConnectionDeps {
  readonly env: WalletEnvironment;
  readonly state: WalletState;
  readonly keys: WalletKeys;
  readonly table: SubaddressTable;
  readonly writer: StateWriter;
  /** Called at the tip, for housekeeping. */
  atTip(): Promise<void>;
  /** Notifies subscribers. */
  changed(): void;
}

/** A wallet's daemon, and syncing with it. Starts and stops happen one after the other, in the order of the calls. */
export class Connection {
  readonly #deps: ConnectionDeps;
  #scanPool: ScanPool | undefined;
  #engine: SyncEngine | undefined;
  #daemon: DaemonClient | undefined;
  #settings: DaemonSettings | undefined;
  /** Why the first chosen daemon cannot be used; shown until one can. */
  #refused: SyncStatus['error'];
  readonly #queue = new SerialQueue();
  /** Callbacks waiting for the next change of the sync status. */
  #waiting: (() => void)[] = [];

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** The current daemon. */
  get daemon(): DaemonClient | undefined {
    return this.#daemon;
  }

  /** Whether the current daemon may be asked about single transactions and key images (T24); false without one. */
  get trusted(): boolean {
    return this.#settings?.trusted ?? false;
  }

  /** The daemon that the person last chose, stored with the wallet, including its login. */
  get remembered(): DaemonSettings | undefined {
    const saved = this.#deps.state.attributes.get(DAEMON_ATTRIBUTE) ?? '';
    if (saved === '') return undefined;
    const { url, username, password, trusted } = asObject(parseJson(saved));
    return {
      url: asText(url),
      trusted: asBoolean(trusted),
      ...(username === undefined ? {} : { username: asText(username) }),
      ...(password === undefined ? {} : { password: asText(password) }),
    };
  }

  /** Whether fees have an absolute bound: always, except on a chain that is accepted as regtest. */
  get boundsFees(): boolean {
    return this.#deps.state.description.network !== 'regtest' || !this.#believesRegtest();
  }

  /** As {@link SyncEngine.status}; before there is an engine, only the height, and why a daemon was refused. */
  get status(): SyncStatus {
    if (this.#engine !== undefined) return this.#engine.status;
    const { height } = this.#deps.state;
    const phase = this.#refused === undefined ? 'idle' : 'offline';
    return { phase, height, daemonHeight: undefined, rate: 0, timeLeft: undefined, error: this.#refused };
  }

  /**
   * Switches to this daemon. One that cannot be used, or stored, changes nothing.
   * @param stored whether the wallet remembers it
   * @throws DaemonError `bad-url`, `mixed-content`; WalletError `no-daemon` where there is none; StorageError `full`
   */
  use(settings: DaemonSettings, stored: boolean): Promise<void> {
    return this.#queue.run(async () => {
      const daemon = this.#connect(settings);
      const engine = await this.#requireEngine();
      if (stored) await this.#remember(settings);
      await engine.stop('idle');
      this.#daemon = daemon;
      this.#settings = settings;
      await engine.start(daemon);
    });
  }

  /** Disconnects, until another daemon is set. */
  leave(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#engine?.stop('idle');
      this.#daemon = undefined;
      this.#settings = undefined;
    });
  }

  /** Checks that a daemon serves this wallet's network; changes nothing. @throws DaemonError; WalletError `wrong-network` */
  async try(settings: DaemonSettings): Promise<void> {
    const { env, state } = this.#deps;
    const info = await env.connect(settings).getInfo();
    info.check(({ nettype }) => requireNetwork(nettype, state.description.network));
  }

  /** Stops queries to the daemon until {@link resume}; does nothing without one. */
  pause(): Promise<void> {
    return this.#queue.run(async () => this.#engine?.stop('paused'));
  }

  resume(): Promise<void> {
    return this.#queue.run(() => this.#resume());
  }

  async refresh(): Promise<void> {
    await this.#engine?.refresh();
  }

  async lookAtPool(): Promise<void> {
    await this.#engine?.lookAtPool();
  }

  /**
   * Fetches and verifies the whole block of a payment, from any daemon. @throws WalletError `no-daemon`, `block-mismatch`, `sync-stopped`
   */
  async see(height: Height): Promise<void> {
    await this.#requireAsking().see(height);
    const { phase, error } = this.status;
    if (phase !== 'stopped') return;
    if (error?.code === 'block-mismatch') throw new WalletError('block-mismatch', error.message, { height });
    throw syncStopped(error);
  }

  /** @throws WalletError `no-daemon` when none is set or the wallet is paused; `sync-stopped` */
  async waitUntilSynced(): Promise<void> {
    for (;;) {
      const { phase, error } = this.status;
      if (phase === 'live') return;
      // A daemon of another network does not stop the sync, but waiting would be pointless.
      if (phase === 'stopped' || error?.code === 'wrong-network') throw syncStopped(error);
      this.#requireAsking();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #requireAsking(): SyncEngine {
    const { phase } = this.status;
    if (this.#engine === undefined || phase === 'idle' || phase === 'paused')
      throw new WalletError('no-daemon', 'expected a daemon, and no pause');
    return this.#engine;
  }

  /** Scans again from a height. @throws WalletError `height-out-of-range` */
  rescan(fromHeight: number): Promise<void> {
    return this.#queue.run(async () => {
      const { env, state, writer } = this.#deps;
      if (!Number.isSafeInteger(fromHeight) || fromHeight < 0 || fromHeight > state.height)
        throw new WalletError('height-out-of-range', 'expected a height that was already scanned', { height: state.height });
      // If that height is the block of one of our outputs, the daemon must not learn it.
      const isOurs = fromHeight === unscannedFrom(state);
      const height = isOurs ? rescanFrom(fromHeight, { state, trusted: this.trusted, random: env.random }) : fromHeight;
      await this.#atRest(() => writer.append([{ type: 'RestoreHeightSet', height }, ...rescannedFrom(state, height)], 'strict'));
    });
  }

  /** Runs `work` while no scan is running; the scan continues afterwards. */
  still<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => this.#atRest(work));
  }

  /** Resolves when all starts and stops so far are done. */
  async settled(): Promise<void> {
    await this.#queue.idle();
  }

  /** Stops, and ends the scan workers. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#engine?.stop('idle');
    await this.#scanPool?.close();
  }

  #connect(settings: DaemonSettings): DaemonClient {
    try {
      return withholdOwnSecrets(this.#deps.env.connect(settings), this.#deps);
    } catch (error) {
      if (this.#engine === undefined && isRefusal(error)) {
        this.#refused = { code: error.code, message: error.message };
        this.#statusChanged();
      }
      throw error;
    }
  }

  /** Call it inside the queue only. */
  async #atRest<T>(work: () => Promise<T>): Promise<T> {
    const { phase } = this.status;
    await this.#engine?.stop('paused');
    try {
      return await work();
    } finally {
      if (phase !== 'paused') await this.#resume();
    }
  }

  async #resume(): Promise<void> {
    if (this.#daemon !== undefined) await this.#engine?.start(this.#daemon);
  }

  async #remember({ url, username, password, trusted }: DaemonSettings): Promise<void> {
    const value = stringifyJson({ url, trusted, username, password });
    if (this.#deps.state.attributes.get(DAEMON_ATTRIBUTE) === value) return;
    await this.#deps.writer.append([{ type: 'AttributeSet', key: DAEMON_ATTRIBUTE, value }], 'relaxed');
  }

  async #requireEngine(): Promise<SyncEngine> {
    if (this.#engine !== undefined) return this.#engine;
    const { env, state, keys, table, writer, atTip, changed } = this.#deps;
    this.#scanPool = await env.scanPool();
    const engine = new SyncEngine(
      {
        state,
        keys,
        table,
        scanPool: this.#scanPool,
        clock: env.clock,
        isTrusted: () => this.trusted,
        append: (events, durability) => writer.append(events, durability),
        showPool: (pool) => {
          setPool(state, pool);
          changed();
        },
        settleNetwork: (nettype) => this.#settleNetwork(nettype),
        beforeFirstBlock: (daemon, signal) => this.#settleRestoreDate(daemon, signal),
        atTip,
      },
      () => this.#statusChanged(),
      env.sync,
    );
    this.#engine = engine;
    return engine;
  }

  #believesRegtest(): boolean {
    return this.#settings !== undefined && this.#deps.env.believesRegtest(this.#settings);
  }

  /**
   * A wallet made before any daemon answered takes the network of the first one that does. Regtest, which shares mainnet's addresses, is
   * accepted only from daemons that may claim it.
   */
  async #settleNetwork(nettype: string): Promise<void> {
    const { state, writer } = this.#deps;
    if ((state.attributes.get(NETWORK_OPEN) ?? '') === '') return;
    const isRegtest = nettype === 'fakechain';
    if (!isRegtest && nettype !== state.description.network) return;
    if (isRegtest && !this.#believesRegtest()) return;
    const events: WalletEvent[] = [{ type: 'AttributeSet', key: NETWORK_OPEN, value: '' }];
    if (isRegtest) events.push({ type: 'NetworkFound', network: 'regtest' });
    await writer.append(events, 'strict');
  }

  /** Converts the date of a restored wallet to a height by the first daemon (T23). */
  async #settleRestoreDate(
    daemon: Pick<DaemonClient, 'getHeight' | 'getBlockHeaderByHeight'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { state, writer } = this.#deps;
    const date = state.attributes.get(RESTORE_DATE) ?? '';
    if (date === '') return;
    const source = {
      height: async () => (await daemon.getHeight({ signal })).acceptUnverified('restore-date').height,
      timestampAt: async (height: number) =>
        (await daemon.getBlockHeaderByHeight(height, { signal })).acceptUnverified('restore-date').timestamp,
    };
    const events: WalletEvent[] = [{ type: 'AttributeSet', key: RESTORE_DATE, value: '' }];
    if (state.blocks.length === 0) {
      const height = await heightForDate(source, Number(date));
      events.unshift(
        { type: 'RestoreHeightSet', height },
        { type: 'AttributeSet', key: RESTORED_FROM, value: `${height} ${date}` },
      );
    }
    await writer.append(events, 'strict');
  }

  #statusChanged(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#deps.changed();
  }
}

const syncStopped = (error: SyncStatus['error']): WalletError =>
  new WalletError('sync-stopped', error?.message ?? '', { code: error?.code ?? '' });
