import { hexToBytes, secondsOf, wipe } from '../src/base/index.ts';
import { argon2id, loadCrypto } from '../src/crypto/index.ts';
import { isDaemonError, isOnThisMachine } from '../src/daemon/index.ts';
import { type AddressKind, decodeAddress, type Network, POLYSEED_LANGUAGES, SEED_LANGUAGES } from '../src/protocol/index.ts';
import { DEFAULT_KDF, deriveKey, type PasswordHash } from '../src/storage/index.ts';
import type { DaemonSettings, JournalSummary, WalletEnvironment } from '../src/wallet/index.ts';
import {
  type GroupPlan,
  type MessageVerdict,
  type NewWallet,
  type ReserveClaim,
  type ReserveScope,
  type ReserveVerdict,
  type SeedForm,
  type SpendClaim,
  type SubaddressIndex,
  verifyMessage,
  Wallet,
  WalletError,
  walletNameSet,
  wipeSecrets,
} from '../src/wallet/index.ts';
import type {
  DeviceCalls,
  FoundWord,
  NewSeed,
  NodeHealth,
  Pairing,
  PaperCalls,
  PaymentClaim,
  RecognisedWallet,
  RestorePoint,
  RevealedSeed,
  RpcAnswer,
  RpcMethodInfo,
  SecretKeys,
  SeedCheck,
  SiteConfig,
  TxProofVerdict,
  WalletCode,
  WalletFingerprint,
  WalletForm,
  WalletHost,
} from './host.ts';
import { HostError } from './host-error.ts';
import { lazyDeviceHost } from './lazy-device-host.ts';
import { lazyPaperHost } from './lazy-paper-host.ts';
import { NewWallets } from './new-wallets.ts';
import { measureNode } from './node-health.ts';
import type { NodeAnswer } from './node-query/answer.ts';
import type { ParameterTexts, ReadOnlyCall } from './node-query/calls.ts';
import type { PageRpc, PageWallet } from './rpc.ts';
import { checkSeed } from './seed-check.ts';
import { askFaucet, fetchSite } from './site.ts';
import { walletFingerprint, walletsWithSameKeys } from './wallet-fingerprints.ts';

/** Hashes a PIN, and prepares while a PIN or a password is being typed. */
interface Passwords {
  readonly hash: PasswordHash;
  prepare(): void;
  /** Begins to hash the password that would open a wallet. */
  ahead(name: string, password: string): Promise<void>;
  /** For offline devices: when a worker starts, Chromium contacts the page's server. */
  hashInThisThread(here: boolean): void;
}

const HERE: Passwords = {
  hash: argon2id,
  prepare: () => undefined,
  ahead: async () => undefined,
  hashInThisThread: () => undefined,
};

/** Whether a wallet has no daemon, because none was named and the page came without one. */
const isWithoutDaemon = (error: unknown): boolean => error instanceof WalletError && error.code === 'no-daemon';

/**
 * The one place where wallets are created, opened and closed. One wallet is open at a time. It has keys and stays in this thread: the page gets
 * only what `page-api.ts` exposes.
 */
export class Host implements WalletHost {
  readonly #env: WalletEnvironment;
  readonly #new: NewWallets;
  readonly #passwords: Passwords;
  readonly device: DeviceCalls;
  readonly paper: PaperCalls;
  #open: Wallet | undefined;
  #site: SiteConfig | undefined;
  #rpc: PageRpc | undefined;
  /** An offline device: neither a daemon nor the page's server is contacted. */
  #offline = false;
  /** The last wallet's closing: only afterwards is its journal free for the next one. */
  #closing: Promise<void> = Promise.resolve();

  constructor(env: WalletEnvironment, passwords: Passwords = HERE) {
    this.#passwords = passwords;
    // The only way from here to a daemon.
    const connect = (settings: DaemonSettings) => {
      this.#requireNetwork();
      if (this.#isMissing(settings)) throw new WalletError('no-daemon', 'expected the page’s server to have a gateway');
      return env.connect(settings);
    };
    this.#env = { ...env, connect };
    this.#new = new NewWallets(this.#env);
    this.device = lazyDeviceHost({
      env,
      wallet: () => this.wallet,
      make: (form, made) => this.#make(form, Promise.resolve(made)),
      birth: (wallet, from) => this.#new.birth(wallet, from),
    });
    this.paper = lazyPaperHost({
      env: this.#env,
      made: this.#new,
      wallet: () => this.wallet,
      daemon: () => this.#daemonOf(this.wallet),
    });
  }

  get wallet(): Wallet {
    const open = this.#open;
    if (open === undefined) throw new HostError('not-open', 'expected an open wallet');
    return open;
  }

  /** Only on this machine, and for the gateway only if it says that its daemon is regtest. */
  believesRegtest({ url }: DaemonSettings): boolean {
    return isOnThisMachine(url) && (!url.startsWith('/') || this.#site?.regtest === true);
  }

  async setOffline(offline: boolean): Promise<void> {
    this.#offline = offline;
    this.#passwords.hashInThisThread(offline);
    if (offline) this.#site = undefined;
  }

  async site(): Promise<SiteConfig | undefined> {
    this.#site = this.#offline ? undefined : await fetchSite();
    return this.#site;
  }

  list(): Promise<readonly JournalSummary[]> {
    return this.#env.store.list();
  }

  async remove(name: string, password: string | undefined, displayName?: string): Promise<void> {
    await this.#closing;
    if (password !== undefined) await this.#requireOwnName(name, password, displayName);
    await this.#env.store.remove(name);
  }

  create(wallet: WalletForm, seed: NewSeed): Promise<void> {
    return this.#make(wallet, this.#new.fromRandom(wallet, seed));
  }

  async seedLanguages(form: SeedForm): Promise<readonly string[]> {
    return form === 'polyseed' ? POLYSEED_LANGUAGES : SEED_LANGUAGES;
  }

  checkSeed(words: string): Promise<SeedCheck> {
    return checkSeed(words);
  }

  async findSeedWord(words: string, passphrase: string, address: string, network: Network): Promise<FoundWord | undefined> {
    return (await import('./find-word.ts')).findSeedWord(words, passphrase, address, network);
  }

  restoreFromSeed(wallet: WalletForm, words: string, passphrase: string, from: RestorePoint | undefined): Promise<void> {
    return this.#make(wallet, this.#new.fromWords(wallet, words, passphrase, from));
  }

  restoreViewOnly(wallet: WalletForm, address: string, viewKey: string, from: RestorePoint): Promise<void> {
    return this.#make(wallet, this.#new.fromViewKey(wallet, address, viewKey, from));
  }

  restoreFromKeys(wallet: WalletForm, keys: SecretKeys, from: RestorePoint): Promise<void> {
    return this.#make(wallet, this.#new.fromKeys(wallet, keys, from));
  }

  async restoreFromBackup(name: string, password: string, backup: Uint8Array): Promise<void> {
    const wallet = await Wallet.restoreBackup(this.#env, name, password, backup);
    // Until this is stored, the backup's other name is reported.
    await wallet.keepName().catch(() => undefined);
    await this.#reenter(wallet);
  }

  restoreFromKeysFile(wallet: WalletForm, file: Uint8Array, filePassword: string): Promise<void> {
    return this.#make(wallet, this.#new.fromKeysFile(wallet, file, filePassword));
  }

  createForGroup(wallet: WalletForm, plan: GroupPlan): Promise<void> {
    return this.#make(wallet, this.#new.forGroup(wallet, plan));
  }

  restoreFromGroupSeed(wallet: WalletForm, seed: string, passphrase: string, from: RestorePoint): Promise<void> {
    return this.#make(wallet, this.#new.fromGroupSeed(wallet, seed, passphrase, from));
  }

  async open(name: string, password: string): Promise<void> {
    await this.#closing;
    const wallet = await Wallet.open(this.#env, name, password);
    if (wallet.ownNames.original === undefined) await wallet.keepName().catch(() => undefined);
    await this.#reenter(wallet);
  }

  lock(): Promise<void> {
    return this.#closeOpen();
  }

  async #closeOpen(): Promise<void> {
    const closed = this.#open?.close();
    this.#open = undefined;
    // Console settings of one wallet do not apply to the next.
    this.#rpc = undefined;
    void this.paper.close().catch(() => undefined);
    if (closed !== undefined) this.#closing = closed.catch(() => undefined);
    await closed;
  }

  async recognise(others: readonly WalletFingerprint[]): Promise<RecognisedWallet> {
    const { secrets, description, ownNames } = this.wallet;
    const { original, displayName } = ownNames;
    const { network } = description;
    const { name } = await this.wallet.view();
    const viewKey = hexToBytes(await secrets.viewKey());
    const fingerprint = walletFingerprint({ viewKey, network }, this.#env.random);
    const same = walletsWithSameKeys({ viewKey, network }, others);
    wipe(viewKey);
    return { fingerprint, same, displayName, otherName: original === name ? undefined : (displayName ?? original) };
  }

  rename(name: string): Promise<void> {
    return this.wallet.rename(name);
  }

  stretchPin(pin: string, salt: Uint8Array): Promise<Uint8Array> {
    return deriveKey(`PIN ${pin}`, salt, DEFAULT_KDF, (...args) => this.#passwords.hash(...args));
  }

  async expectPassword(name?: string, password?: string): Promise<void> {
    // The kernels compile while the rest is typed. A failure is reported when a wallet is opened.
    loadCrypto().catch(() => undefined);
    if (name === undefined || password === undefined) this.#passwords.prepare();
    else await this.#passwords.ahead(name, password);
  }

  async checkAddress(address: string, network: Network): Promise<AddressKind> {
    await loadCrypto();
    return decodeAddress(address.trim(), network).kind;
  }

  async pairingCode(password: string): Promise<string> {
    const { wallet } = this;
    await wallet.checkPassword(password);
    const { guessedHeight, pairingText } = await import('./pairing.ts');
    const { network, primaryAddress: address, restore } = await wallet.view();
    const height = restore.height ?? guessedHeight(restore.date, network);
    return pairingText({ address, viewKey: await wallet.secrets.viewKey(), height });
  }

  async revealSeed(password: string, form?: SeedForm): Promise<RevealedSeed> {
    const { wallet } = this;
    await wallet.checkPassword(password);
    const { seedCode } = await import('./wallet-code.ts');
    const [words, { network, restore }] = await Promise.all([wallet.secrets.words(form), wallet.view()]);
    return { words, code: seedCode(words, restore, network) };
  }

  async revealTxKey(password: string, txHash: string): Promise<string | undefined> {
    const { wallet } = this;
    await wallet.checkPassword(password);
    return wallet.proofs.txKey(txHash);
  }

  async readPairing(text: string, network: Network): Promise<Pairing> {
    const [{ readPairing }] = await Promise.all([import('./pairing.ts'), loadCrypto()]);
    return readPairing(text, network, this.#now());
  }

  async readWalletCode(text: string, network: Network): Promise<WalletCode> {
    const [{ readWalletCode }] = await Promise.all([import('./wallet-code.ts'), loadCrypto()]);
    return readWalletCode(text, network, this.#now());
  }

  async daemon(): Promise<DaemonSettings> {
    const { password: _, ...settings } = this.#daemonOf(this.#open);
    return settings;
  }

  async faucet(address: string): Promise<void> {
    this.#requireNetwork();
    return askFaucet(address);
  }

  async provePayment(claim: PaymentClaim): Promise<string> {
    return this.#trusting().proofs.txProof({ ...claim, address: claim.address.trim() });
  }

  async checkPayment(claim: PaymentClaim, proof: string): Promise<TxProofVerdict> {
    return this.#trusting().proofs.checkTxProof({ ...claim, address: claim.address.trim() }, proof);
  }

  async signMessage(message: string, index: SubaddressIndex): Promise<string> {
    return this.wallet.proofs.signMessage(message, index);
  }

  async checkMessage(message: string, address: string, signature: string): Promise<MessageVerdict> {
    return verifyMessage(message, decodeAddress(address.trim(), this.wallet.description.network), signature);
  }

  async proveReserve(scope: ReserveScope, message: string): Promise<string> {
    return this.wallet.proofs.reserveProof(scope, message);
  }

  async checkReserve(claim: ReserveClaim, proof: string): Promise<ReserveVerdict> {
    return this.#trusting().proofs.checkReserveProof({ ...claim, address: claim.address.trim() }, proof);
  }

  async proveSpend(claim: SpendClaim): Promise<string> {
    return this.#trusting().proofs.spendProof(claim);
  }

  async checkSpend(claim: SpendClaim, proof: string): Promise<boolean> {
    return this.#trusting().proofs.checkSpendProof(claim, proof);
  }

  async nodeHealth(node: DaemonSettings): Promise<NodeHealth> {
    const { network } = this.wallet.description;
    const own = await this.daemon();
    const other = own.url === node.url || this.#isMissing(own) ? undefined : this.#env.connect(own);
    return measureNode(this.#env.connect(node), other, network, () => this.#env.clock.now());
  }

  async readOnlyCalls(): Promise<readonly ReadOnlyCall[]> {
    return (await import('./node-query/index.ts')).readOnlyCalls();
  }

  async askNode(url: string, call: string, written: ParameterTexts): Promise<NodeAnswer> {
    this.#requireNetwork();
    const own = this.#daemonOf(this.wallet);
    const node = own.url === url ? own : { url, trusted: false };
    await this.wallet.secrets.requireNone(Object.values(written).flatMap((text) => text.split(/[\s,]+/)));
    return (await import('./node-query/index.ts')).askNode(node, call, written);
  }

  async rpcMethods(): Promise<readonly RpcMethodInfo[]> {
    return (await import('./rpc.ts')).rpcMethods();
  }

  async rpc(method: string, params: string, password?: string): Promise<RpcAnswer> {
    const { wallet } = this;
    this.#rpc ??= new (await import('./rpc.ts')).PageRpc(this.#asPageWallet());
    if (this.#rpc.revealsSecret(method, params)) {
      if (password === undefined) throw new HostError('password-needed', 'expected the password');
      await wallet.checkPassword(password);
    }
    return this.#rpc.call(method, params);
  }

  /**
   * Detects records or names that were exchanged in the browser's storage: no wallet is removed in place of another.
   * @param shown the name shown by the page; undefined: by its name @throws HostError `other-name`; StorageError `wrong-password` and others
   */
  async #requireOwnName(name: string, password: string, shown: string | undefined): Promise<void> {
    const { original, displayName } = await Wallet.ownNames(this.#env, name, password);
    if (original === undefined) return;
    const own = displayName ?? original;
    if (original !== name) throw new HostError('other-name', 'expected the wallet of this name', { name: own });
    if ((shown ?? own) !== own) throw new HostError('other-name', 'expected the wallet with this display name', { name: own });
  }

  /** @throws HostError `offline-device` */
  #requireNetwork(): void {
    if (this.#offline) throw new HostError('offline-device', 'expected a device with a network');
  }

  /** The open wallet, for requests to its daemon about a single transaction. */
  #trusting(): Wallet {
    const { wallet } = this;
    if (!wallet.isDaemonTrusted) throw new HostError('daemon-not-trusted', 'expected a daemon marked trusted');
    return wallet;
  }

  #asPageWallet(): PageWallet {
    const daemon = () => this.#daemonOf(this.#open);
    return { env: this.#env, wallet: () => this.#open, daemon, close: () => this.lock() };
  }

  async #make(wallet: WalletForm, making: Promise<NewWallet>): Promise<void> {
    const made = await making;
    const named = { ...made, first: [...made.first, walletNameSet(wallet.name)] };
    const created = await Wallet.create(this.#env, wallet.name, wallet.password, named).finally(() => wipeSecrets(made.secrets));
    // If the daemon's address is invalid, the wallet is closed again: the page shows it as closed.
    await this.#enter(created, wallet.daemon ?? this.#daemonOf(undefined), isWithoutDaemon);
  }

  /** An existing wallet opens even if this page may not use its daemon: the person can change that, and its sync status gives the reason. */
  #reenter(wallet: Wallet): Promise<void> {
    return this.#enter(wallet, this.#daemonOf(wallet), (error) => isDaemonError(error) || isWithoutDaemon(error));
  }

  /** @param isBearable whether the wallet stays open despite this error of its daemon */
  async #enter(wallet: Wallet, daemon: DaemonSettings, isBearable: (error: unknown) => boolean): Promise<void> {
    await this.#closeOpen();
    this.#open = wallet;
    if (this.#offline) return;
    try {
      await wallet.setDaemon(daemon);
    } catch (error) {
      if (isBearable(error)) return;
      await this.#closeOpen();
      throw error;
    }
  }

  /** The daemon chosen for a wallet, with its login, or else the site's. */
  #daemonOf(wallet: Wallet | undefined): DaemonSettings {
    const daemon = this.#site?.daemon;
    return wallet?.savedDaemon ?? { url: daemon?.url ?? '/daemon', trusted: daemon?.kind === 'devnet' };
  }

  /** Whether this is the gateway of the page's server, which is known to have none: a person has yet to choose a daemon. */
  #isMissing({ url }: DaemonSettings): boolean {
    return url.startsWith('/') && this.#site !== undefined && this.#site.daemon === undefined;
  }

  #now(): number {
    return secondsOf(this.#env.clock);
  }
}
