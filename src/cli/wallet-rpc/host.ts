import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Clock, type Log, readUrl, secondsOf, systemClock } from '../../base/index.ts';
import { type Random, systemRandom } from '../../crypto/index.ts';
import { DaemonClient, DaemonError, isOnThisMachine } from '../../daemon/index.ts';
import { ledgerByName } from '../../device/ledger-by-name.ts';
import type { AliasResolver } from '../../openalias/index.ts';
import type { Network } from '../../protocol/index.ts';
import type { DaemonTls, ServiceHost, WalletFolder } from '../../rpc/host.ts';
import { createNodeScanPool } from '../../scan/pool-node.ts';
import { FileJournalStore } from '../../storage/file-store.ts';
import { isWalletName, MemoryJournalStore, StorageError } from '../../storage/index.ts';
import { hashInThread } from '../../storage/password-node.ts';
import type { DaemonSettings } from '../../wallet/index.ts';
import {
  environment,
  type NewWallet,
  Wallet,
  type WalletEnvironment,
  walletFromKeysFile,
  withOpenNetwork,
} from '../../wallet/index.ts';
import type { Compat } from '../../wallet2/index.ts';
import type { ServiceLog } from '../log.ts';
import { daemonFetch } from './daemon-fetch.ts';
import type { Settings } from './flags.ts';
import { openBesideKeysFile } from './keys-file-beside.ts';
import { logWallet } from './log-wallet.ts';
import { loggedFetch } from './logged-fetch.ts';
import { keysFileAt, referenceFiles } from './reference-files.ts';
import { type Endpoint, readEndpoint } from './socks.ts';

/** TLS settings when no flag is given: TLS only if the daemon's URL says `https`. */
export const DEFAULT_DAEMON_TLS: DaemonTls = {
  mode: 'disabled',
  keyFile: '',
  certificateFile: '',
  authoritiesFile: '',
  chained: false,
  fingerprints: [],
  anyCertificate: false,
};

/** The flag that asks for a network by name, by a daemon's name for it. */
const FLAG_OF: Readonly<Record<string, string>> = { fakechain: '--regtest', stagenet: '--stagenet', testnet: '--testnet' };

/** Milliseconds that the start waits for a daemon to say which network it serves. */
const NETWORK_WAIT = 3000;

const TLS_FILES = 'expected files of TLS that can be read';

interface DaemonWay {
  readonly settings: DaemonSettings;
  readonly tls: DaemonTls;
  readonly proxy: Endpoint | undefined;
}

/** Settings for wallets and daemons from the flags, and callbacks for what happens. */
export interface NodeHostOptions
  extends Pick<Settings, 'network' | 'restricted' | 'threads'>,
    Partial<Pick<Settings, 'kdfRounds' | 'compat' | 'device' | 'proxy'>> {
  readonly folder: string;
  /** Whether clients may make and open wallets in it. */
  readonly opensByName: boolean;
  readonly log: ServiceLog;
  readonly onStop: () => void;
  readonly resolveAlias?: AliasResolver | undefined;
  /** Called for transactions that pay the wallet. */
  readonly notify?: ((txHash: string) => void) | undefined;
}

/** The open wallet and its folder, for the service on Node. */
export class NodeServiceHost implements ServiceHost, WalletFolder {
  readonly restricted: boolean;
  readonly random: Random = systemRandom;
  readonly clock: Clock = systemClock;
  readonly walletFolder: WalletFolder | undefined;
  readonly concurrency = availableParallelism();
  readonly resolveAlias?: AliasResolver;
  readonly compat?: Compat;
  readonly log: Log;
  readonly #options: NodeHostOptions;
  readonly #store: FileJournalStore;
  readonly #env: WalletEnvironment;
  /** Whether the daemon is reached through a proxy. */
  #isProxied = false;
  /** Undefined until a flag or a daemon determines it. */
  #network: Network | undefined;
  #wallet: Wallet | undefined;
  /** Its name in the folder; undefined for one in memory. */
  #name: string | undefined;
  /** The daemon with which the service was started: every wallet begins with it. */
  #standing: DaemonWay | undefined;
  #daemon: DaemonSettings | undefined;
  #client: DaemonClient | undefined;
  /** Set when a client disconnected the daemon, with the trust it then asked for. */
  #left: { readonly trusted: boolean } | undefined;
  /** The fetch by which the daemon is reached. */
  #fetch: typeof fetch | undefined;
  #autoRefresh = true;

  constructor(options: NodeHostOptions) {
    this.#options = options;
    this.#network = options.network;
    this.restricted = options.restricted;
    this.log = options.log.write;
    if (options.compat !== undefined) this.compat = options.compat;
    if (options.resolveAlias !== undefined) this.resolveAlias = options.resolveAlias;
    const width = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#store = new FileJournalStore(options.folder, { hash: hashInThread });
    this.#env = environment({
      store: this.#store,
      scanPool: () => createNodeScanPool(width),
      connect: (settings) => this.#connect(settings),
      believesRegtest: (settings) => this.#believesRegtest(settings),
    });
    this.walletFolder = options.opensByName ? this : undefined;
  }

  get network(): Network {
    return this.#network ?? 'mainnet';
  }

  get wallet(): Wallet | undefined {
    return this.#wallet;
  }

  get daemon(): DaemonSettings | undefined {
    return this.#daemon;
  }

  get daemonClient(): DaemonClient | undefined {
    return this.#client;
  }

  get offline(): boolean {
    return this.#standing === undefined && this.#daemon === undefined;
  }

  get trusted(): boolean {
    return (this.#daemon ?? this.#left)?.trusted ?? true;
  }

  get proxied(): boolean {
    return this.#options.proxy !== undefined;
  }

  get autoRefresh(): boolean {
    return this.#autoRefresh;
  }

  /**
   * Regtest shares its addresses with mainnet, and the reference's clients do not distinguish them: the daemon decides, if its claim is
   * accepted. If it does not answer, it is asked again later.
   */
  async learnNetwork(): Promise<void> {
    const [client, settings] = [this.#client, this.#daemon];
    if (this.#options.network !== undefined || client === undefined || settings === undefined) return;
    const info = await client.getInfo({ signal: AbortSignal.timeout(NETWORK_WAIT) }).catch(() => undefined);
    info?.check(({ nettype }) => this.#judgeNetwork(nettype, settings));
  }

  #judgeNetwork(nettype: string, settings: DaemonSettings): void {
    const where = `the daemon at ${nameOf(settings.url)} serves ${nettype}`;
    if (nettype === 'fakechain' && this.#believesRegtest(settings)) this.#decide('regtest', `${where} and is on this machine`);
    else if (nettype === 'mainnet') this.#decide('mainnet', where);
    else this.log('WARNING', 'wallet.rpc', `${where}: not used, give ${FLAG_OF[nettype] ?? 'its network'} if that is meant`);
  }

  #decide(network: Network, why: string): void {
    this.#network = network;
    this.log('WARNING', 'wallet.rpc', `network: ${network} (${why})`);
  }

  /** If the person named regtest, from any daemon; otherwise only from one on this machine, without proxy. */
  #believesRegtest({ url }: DaemonSettings): boolean {
    return this.#options.network === 'regtest' || (!this.#isProxied && isOnThisMachine(url));
  }

  /** @throws DaemonError `bad-url`, also if a TLS path is not a file */
  async setDaemon(settings: DaemonSettings, tls = DEFAULT_DAEMON_TLS, proxy = ''): Promise<void> {
    const paths = [tls.keyFile, tls.certificateFile, tls.authoritiesFile];
    // A client may name any path: a pipe would block the service for ever, and a device has no end.
    if (!paths.every((path) => path === '' || isFile(path))) throw new DaemonError('bad-url', TLS_FILES);
    await this.useDaemon(settings, tls, proxy);
  }

  /** As {@link setDaemon}, for paths named by the operator of the service, which may be pipes. */
  async useDaemon(settings: DaemonSettings, tls: DaemonTls, proxy = ''): Promise<void> {
    const way = { settings, tls, proxy: proxy === '' ? this.#options.proxy : requireEndpoint(proxy) };
    this.#use(way);
    if (this.#wallet === undefined) this.#standing = way;
    await this.learnNetwork();
    if (this.#wallet !== undefined) await this.#follow(this.#wallet);
  }

  async leaveDaemon(trusted: boolean): Promise<void> {
    this.#use(undefined);
    this.#left = { trusted };
    await this.#wallet?.leaveDaemon();
  }

  /** @throws DaemonError `bad-url`, and then the earlier daemon is used */
  #use(way: DaemonWay | undefined): void {
    const before = this.#fetch;
    try {
      this.#fetch = way && loggedFetch(daemonFetch({ ...way, oneConnection: way.settings.username !== undefined }), this.log);
      this.#client = way && this.#connect(way.settings);
    } catch (error) {
      this.#fetch = before;
      // A key or certificate that cannot be read is treated like a bad address.
      throw error instanceof DaemonError ? error : new DaemonError('bad-url', TLS_FILES, {}, error);
    }
    this.#daemon = way?.settings;
    this.#isProxied = way?.proxy !== undefined;
    this.#network = this.#options.network;
    this.#left = undefined;
    this.log('INFO', 'wallet.wallet2', () => `setting daemon to ${way === undefined ? 'none' : nameOf(way.settings.url)}`);
  }

  #connect({ url, username, password }: DaemonSettings): DaemonClient {
    return DaemonClient.connect({ url, username, password, fetch: this.#fetch });
  }

  async setAutoRefresh(enabled: boolean): Promise<void> {
    this.#autoRefresh = enabled;
    if (enabled) await this.#wallet?.resume();
    else await this.#wallet?.pause();
  }

  /** @throws StorageError, `exists` for two wallets of the name; Wallet2Error for a file of the reference */
  async open(name: string, password: string): Promise<Wallet> {
    const open = this.#wallet;
    if (open !== undefined && name === this.#name) return this.#again(open, password);
    // The wallet to open may be the copy of the open one. If it cannot be written, it is an older one, which reads the chain again.
    await open?.backgroundSync.updateCopy().catch(() => undefined);
    const isForeign = isWalletName(name) && !this.#store.has(name);
    const files = isForeign ? await referenceFiles(join(this.#options.folder, name)) : undefined;
    if (files === undefined) return this.#take(await this.#openJournal(name, password), name);
    const now = secondsOf(this.clock);
    const { kdfRounds, device = 'Ledger' } = this.#options;
    const connect = ledgerByName(device);
    const made = await walletFromKeysFile(files, password, this.network, now, this.random, kdfRounds, connect);
    const beside = { ...this.#forNetwork(made), key: made.copyKey };
    return this.#take(await Wallet.create(this.#env, name, password, beside), name);
  }

  async #openJournal(name: string, password: string): Promise<Wallet> {
    const open = () => Wallet.open(this.#env, name, password);
    const file = isWalletName(name) ? await keysFileAt(join(this.#options.folder, name)).catch(() => undefined) : undefined;
    if (file === undefined) return open();
    return openBesideKeysFile({ name, file, kdfRounds: this.#options.kdfRounds }, password, open, this.log);
  }

  /** @throws StorageError `exists`, `bad-name` */
  async create(name: string, password: string, made: NewWallet): Promise<Wallet> {
    if (name !== '') {
      if (existsSync(this.keysFile(name))) throw new StorageError('exists', 'a keys file of this name is there already');
      return this.#take(await Wallet.create(this.#env, name, password, this.#forNetwork(made)), name);
    }
    // A wallet without a name is kept in memory, as in the reference.
    const env = { ...this.#env, store: new MemoryJournalStore() };
    return this.#take(await Wallet.create(env, 'unnamed', password, this.#forNetwork(made)), undefined);
  }

  /** If no daemon has determined the network, a new wallet's own stays open, and the daemon is asked again. */
  #forNetwork(made: NewWallet): NewWallet {
    if (this.#network !== undefined) return made;
    void this.learnNetwork();
    return withOpenNetwork(made);
  }

  async fileOf(name: string): Promise<string | undefined> {
    if (this.#store.has(name)) return `${name}.nightjar`;
    return existsSync(join(this.#options.folder, name)) ? name : undefined;
  }

  keysFile(name: string): string {
    return join(this.#options.folder, `${name}.keys`);
  }

  /**
   * The open wallet as if it were closed and opened again: its spend key is restored, and its daemon is that of the start
   * (wallet_rpc_server.cpp, on_open_wallet). Everything is on the disk already, and readers need not wait.
   * @throws StorageError `wrong-password`, and then nothing is changed
   */
  async #again(wallet: Wallet, password: string): Promise<Wallet> {
    if (wallet.backgroundSync.isOn) await wallet.backgroundSync.stop(password);
    else await wallet.checkPassword(password);
    if (this.#daemon === this.#standing?.settings && this.#left === undefined) return wallet;
    this.#use(this.#standing);
    if (this.#standing === undefined) await wallet.leaveDaemon();
    else await this.#follow(wallet);
    return wallet;
  }

  /** Replaces the open wallet by a new one. */
  async #take(wallet: Wallet, name: string | undefined): Promise<Wallet> {
    const before = this.#wallet;
    this.#wallet = wallet;
    this.#name = name;
    // A daemon that was set for the earlier wallet does not apply to this one.
    this.#use(this.#standing);
    await before?.close();
    this.log('INFO', 'wallet.rpc', 'A wallet is open');
    if (wallet.device.isNeeded) wallet.device.use(ledgerByName(this.#options.device ?? 'Ledger'));
    logWallet(wallet, this.log);
    await wallet.chain.onReceived((txHash) => {
      this.log('INFO', 'wallet.wallet2', `Received money, with tx: <${txHash}>`);
      this.#options.notify?.(txHash);
    });
    await this.#follow(wallet);
    return wallet;
  }

  async #follow(wallet: Wallet): Promise<void> {
    if (this.#daemon === undefined) return;
    await wallet.followDaemon(this.#daemon);
    if (!this.#autoRefresh) await wallet.pause();
  }

  async closeWallet(): Promise<void> {
    const wallet = this.#wallet;
    this.#wallet = undefined;
    this.#use(this.#standing);
    await wallet?.close();
  }

  requestStop(): void {
    this.#options.onStop();
  }

  setLog(levelOrCategories: number | string): string {
    return this.#options.log.change(String(levelOrCategories));
  }
}

function requireEndpoint(proxy: string): Endpoint {
  const endpoint = readEndpoint(proxy);
  if (endpoint === undefined) throw new DaemonError('bad-url', 'expected a proxy as [ip:]port');
  return endpoint;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A daemon's URL without a possible login. */
function nameOf(url: string): string {
  return readUrl(url)?.host ?? 'an address that is none';
}
