import { type SiteConfig, startWallet, type WalletClient, type WalletHost } from '../../../workers/client.ts';
import type { Network } from '../../protocol/model.ts';
import type { JournalSummary } from '../../wallet/index.ts';
import { router } from '../router.svelte.ts';
import { loadErrorText } from '../services/load-error-text.ts';
import { localStore } from '../services/local-store.ts';
import { isNetwork } from '../services/network.ts';
import { device } from './device.svelte.ts';
import { displayNames } from './display-names.svelte.ts';
import { forgetTexts, PerWalletText, walletsWithTexts, writtenElsewhere } from './per-wallet-text.svelte.ts';
import { pins } from './pin.svelte.ts';
import { storage } from './storage.svelte.ts';
import { wallet } from './wallet.svelte.ts';

const LAST = 'nightjar.last-wallet';
/** Where the page's server passes calls on to its daemon, unless it says otherwise. */
const GATEWAY = '/daemon';
/** Network of the site, for when it cannot be asked. */
const NETWORK = 'nightjar.network';

/** Fingerprints by which an open wallet recognises others in this browser with the same keys. */
const fingerprints = new PerWalletText('mark');

/** What the page shows: nothing yet, the gate with its wallets, or the open wallet. */
export type Stage = 'starting' | 'closed' | 'open';

/** Which wallet is open, if any, and the worker that owns it. */
class Session {
  stage: Stage = $state('starting');
  wallets: readonly JournalSummary[] = $state([]);
  site: SiteConfig | undefined = $state(undefined);
  /** The worker died by itself; said until the next one opens a wallet. */
  crashed = $state(false);
  /** Error text when the wallets could not be listed, e.g. because storage is blocked in a private window. */
  listError: string | undefined = $state(undefined);
  /** Names of other wallets in this browser with the same keys as the open one. */
  readonly duplicates = $derived.by((): readonly string[] => {
    // A view-only wallet next to the one that spends is no danger: only the latter sends.
    const watches = (name: string): boolean => this.wallets.find((entry) => entry.name === name)?.kind === 'view';
    return this.#same.filter((name) => watches(name) === (wallet.view?.kind === 'view'));
  });
  #same: readonly string[] = $state.raw([]);
  /** The open wallet's own name, if it differs from the one it is stored under or was listed with: storage may have been tampered with. */
  otherName: string | undefined = $state(undefined);
  /** Resolves once the wallets are listed and the site's configuration is loaded. */
  readonly started: Promise<void>;
  #resolveStarted: () => void = () => undefined;
  #client: WalletClient | undefined;
  #listing: Promise<void> | undefined;

  constructor() {
    this.started = new Promise((resolve) => {
      this.#resolveStarted = resolve;
    });
  }

  /** No wallet was ever opened in this browser, so the welcome page need not wait for the list of wallets. */
  get isNew(): boolean {
    return localStore.get(LAST) === undefined;
  }

  /** The worker's API. A worker that crashed is restarted at the next use. */
  get host(): WalletHost {
    this.#client ??= this.#spawn();
    return this.#client.host;
  }

  async start(): Promise<void> {
    const site = this.#askSite();
    await this.#readList();
    void this.#forgetRemoved().catch(() => undefined);
    await site;
    // A wallet may be open by now: a new visitor's form is there before the worker.
    if (this.stage === 'starting') this.stage = 'closed';
    this.#resolveStarted();
    window.addEventListener('storage', ({ key }) => writtenElsewhere(key ?? undefined) && this.#listAgain());
    // Loads the site's configuration once there is a connection.
    window.addEventListener('online', () => void (this.site === undefined && this.#askSite()));
  }

  /** Network of new wallets. */
  get network(): Network {
    const kept = localStore.get(NETWORK) ?? '';
    return this.site?.network ?? (isNetwork(kept) ? kept : 'mainnet');
  }

  /** Path of the daemon behind the page's server; undefined if that is known to have none. */
  get gateway(): string | undefined {
    const url = this.site === undefined ? GATEWAY : this.site.daemon?.url;
    return url?.startsWith('/') ? url : undefined;
  }

  /** Turns the offline mode of this device on or off. Only while no wallet is open. */
  async setOffline(offline: boolean): Promise<void> {
    await Promise.all([device.setOffline(offline), this.host.setOffline(offline)]);
    await this.#askSite();
  }

  /** Name of the wallet that was opened last, for the unlock form. */
  get lastOpen(): string {
    const name = localStore.get(LAST);
    return (this.wallets.find((entry) => entry.name === name) ?? this.wallets[0])?.name ?? '';
  }

  /** Stored and display names of all wallets. @param except a wallet to leave out */
  takenNames(except?: string): readonly string[] {
    return this.wallets.flatMap(({ name }) => (name === except ? [] : [name, displayNames.of(name)]));
  }

  /** Sets the display name of the open wallet, first in the wallet itself, whose copy takes precedence. @param name it is stored under */
  async rename(name: string, displayName: string): Promise<void> {
    await this.host.rename(displayName === name ? '' : displayName);
    displayNames.set(name, displayName === name ? undefined : displayName);
  }

  /** Creates a wallet and opens it. */
  async make(name: string, work: (host: WalletHost) => Promise<void>): Promise<void> {
    await work(this.host);
    // Data still stored under its name belonged to another wallet.
    forgetTexts(name);
    await this.#entered(name);
    // Now there is data to lose, so ask for persistent storage (T18). The browser may show a prompt; do not wait for it.
    void storage.ask();
    await this.#readList();
  }

  async restoreFromBackup(name: string, password: string, backup: Uint8Array): Promise<void> {
    await this.make(name, (host) => host.restoreFromBackup(name, password, backup));
    storage.rememberBackup(name);
  }

  async open(name: string, password: string): Promise<void> {
    await this.host.open(name, password);
    await this.#entered(name);
  }

  async lock(): Promise<void> {
    const closed = this.close();
    router.forget();
    router.replace('');
    await closed;
    await this.#readList();
  }

  /** Closes the wallet but stays at the current route, e.g. before a reload. The wallet saves the payment drafts. */
  async close(): Promise<void> {
    wallet.lock();
    this.stage = 'closed';
    try {
      await this.host.lock();
    } catch {
      // A worker that cannot close its wallet is terminated, keys included. Everything it had acknowledged is on disk.
      this.#client?.terminate();
      this.#client = undefined;
    }
  }

  /**
   * For `pagehide`: terminates the worker, and with it the keys and the wallet's Web Lock, which WebKit otherwise frees late. A page restored
   * from the back/forward cache is locked.
   */
  terminate(): void {
    if (this.stage === 'open') {
      wallet.leave();
      this.stage = 'closed';
    }
    this.#client?.terminate();
    this.#client = undefined;
  }

  /** @param password undefined if the person has forgotten it */
  async remove(name: string, password: string | undefined): Promise<void> {
    await this.host.remove(name, password, displayNames.custom(name));
    try {
      await this.#forget(name);
    } finally {
      await this.#readList();
    }
  }

  /** Drops what the page stores about a removed wallet. */
  async #forget(name: string): Promise<void> {
    // Loaded on demand: the first screen does not need it. Without it the passkey stays offered, and opens nothing.
    const loaded = await import('./passkey.svelte.ts').catch(() => undefined);
    loaded?.passkeys.forget(name);
    forgetTexts(name);
    if (localStore.get(LAST) === name) localStore.set(LAST, this.wallets.find((entry) => entry.name !== name)?.name);
    await pins.forget(name);
  }

  /**
   * Chromium writes local storage to disk seconds later: if it is killed just after a wallet was removed, its data is back. Of a wallet
   * that another tab is creating now, only the fingerprint can be dropped, which is made again at each unlocking.
   */
  async #forgetRemoved(): Promise<void> {
    if (this.listError !== undefined) return;
    const last = localStore.get(LAST);
    const kept = new Set([...walletsWithTexts(), ...(last === undefined ? [] : [last])]);
    for (const { name } of this.wallets) kept.delete(name);
    await Promise.all([...kept].map((name) => this.#forget(name)));
  }

  async #entered(name: string): Promise<void> {
    await Promise.all([this.#recognise(name), wallet.enter(this.host.wallet)]);
    localStore.set(LAST, name);
    this.crashed = false;
    this.stage = 'open';
  }

  async #askSite(): Promise<void> {
    this.site = device.offline ? undefined : await this.host.site().catch(() => undefined);
    if (this.site?.network) localStore.set(NETWORK, this.site.network);
  }

  /** Finds wallets with the same keys, by the fingerprints of those that were opened in this browser before, and checks the open wallet's own name. */
  async #recognise(name: string): Promise<void> {
    const others = this.wallets.flatMap((entry) => {
      const fingerprint = fingerprints.get(entry.name);
      return entry.name === name || fingerprint === undefined ? [] : [{ name: entry.name, fingerprint }];
    });
    const own = await this.host.recognise(others);
    fingerprints.set(name, own.fingerprint);
    this.#same = own.same;
    const shown = displayNames.custom(name);
    const differs = shown !== undefined && shown !== own.displayName;
    this.otherName = own.otherName ?? (differs ? (own.displayName ?? name) : undefined);
    // If this is a different wallet than the one stored under this name, its display name is not saved.
    if (own.otherName === undefined) displayNames.set(name, own.displayName);
  }

  /** Lists what another tab made or removed. A wallet has entries from when it is made, and loses them after it is removed. */
  #listAgain(): void {
    this.#listing ??= this.#readList().finally(() => {
      this.#listing = undefined;
    });
  }

  async #readList(): Promise<void> {
    try {
      this.wallets = await this.host.list();
      this.listError = undefined;
    } catch (error) {
      this.listError = await loadErrorText(error);
    }
  }

  #spawn(): WalletClient {
    const client = startWallet(() => {
      wallet.leave();
      this.crashed = true;
      this.stage = 'closed';
      this.#client = undefined;
    });
    // The first call, before any that could use the network.
    if (device.offline) void client.host.setOffline(true);
    return client;
  }
}

export const session = new Session();
