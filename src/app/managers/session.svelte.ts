import { type SiteConfig, startWallet, type WalletClient, type WalletHost } from '../../../workers/client.ts';
import type { Network } from '../../protocol/model.ts';
import type { JournalSummary } from '../../wallet/index.ts';
import { router } from '../router.svelte.ts';
import { isNetwork } from '../services/network.ts';
import { remembered } from '../services/remembered.ts';
import { wordsFor } from '../services/words.ts';
import { called } from './called.svelte.ts';
import { device } from './device.svelte.ts';
import { passkeys } from './passkey.svelte.ts';
import { pins } from './pin.svelte.ts';
import { storage } from './storage.svelte.ts';
import { wallet } from './wallet.svelte.ts';

const LAST = 'nightjar.last-wallet';
/** Network of the site, for when it cannot be asked. */
const NETWORK = 'nightjar.network';

const markKey = (name: string): string => `nightjar.mark.${name}`;

/** What the page shows: nothing yet, the gate with its wallets, or the open wallet. */
export type Stage = 'starting' | 'closed' | 'open';

/** Which wallet is open, if any, and the worker that owns it. */
class Session {
  stage: Stage = $state('starting');
  backend: readonly JournalSummary[] = $state([]);
  site: SiteConfig | undefined = $state(undefined);
  /** The worker died by itself; said until the next one opens a wallet. */
  crashed = $state(false);
  /** Why the backend could not be read: a private window, no storage. */
  trouble: string | undefined = $state(undefined);
  /** Other wallets of this browser that have the open one's keys. */
  twins: readonly string[] = $state.raw([]);
  /** The name that the open wallet keeps of itself, where it lies under another one, or was called by another one while it was locked. */
  otherName: string | undefined = $state(undefined);
  /** Settles when it is known which wallets are here, and what the site is. */
  readonly started: Promise<void>;
  #tellStarted: () => void = () => undefined;
  #client: WalletClient | undefined;

  constructor() {
    this.started = new Promise((resolve) => {
      this.#tellStarted = resolve;
    });
  }

  /** No wallet was ever open in this browser, as far as it remembers: what comes next does not wait for the worker to say so. */
  get isNew(): boolean {
    return remembered.get(LAST) === undefined;
  }

  /** The worker's host. A worker that died is replaced when something is asked again, not before. */
  get host(): WalletHost {
    this.#client ??= this.#spawn();
    return this.#client.host;
  }

  async start(): Promise<void> {
    const site = this.#askSite();
    await this.#readList();
    await site;
    this.stage = 'closed';
    this.#tellStarted();
    // Asks the site again once there is a connection.
    window.addEventListener('online', () => void (this.site === undefined && this.#askSite()));
  }

  /** The network of wallets that are made here. */
  get network(): Network {
    const kept = remembered.get(NETWORK) ?? '';
    return this.site?.network ?? (isNetwork(kept) ? kept : 'mainnet');
  }

  /** Makes this an offline device, or one that is online again; while no wallet is open. */
  async stayOffline(offline: boolean): Promise<void> {
    await Promise.all([device.stayOffline(offline), this.host.stayOffline(offline)]);
    await this.#askSite();
  }

  /** The wallet to offer first: the one that was open last. */
  get lastOpen(): string {
    const name = remembered.get(LAST);
    return (this.backend.find((entry) => entry.name === name) ?? this.backend[0])?.name ?? '';
  }

  /** Names that wallets of this browser lie under or are called by. @param but a wallet whose own do not count */
  taken(but?: string): readonly string[] {
    return this.backend.flatMap(({ name }) => (name === but ? [] : [name, called.of(name)]));
  }

  /** Has the open wallet be called so; the name that it lies under stays. The wallet keeps it first: that is the one that holds. */
  async callIt(name: string, shown: string): Promise<void> {
    await this.host.callIt(shown === name ? '' : shown);
    called.set(name, shown === name ? undefined : shown);
  }

  /** Has a wallet made under this name, and opens it. */
  async make(name: string, work: (host: WalletHost) => Promise<void>): Promise<void> {
    await work(this.host);
    storage.forgetBackup(name);
    called.set(name, undefined);
    await this.#entered(name);
    // There is something to keep now, so the browser is asked to keep it (T18). It may ask the person; nothing waits for that.
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

  /** As {@link lock}, for a page that is loaded anew at the place that is shown: what was begun is kept by the wallet. */
  async close(): Promise<void> {
    wallet.lock();
    this.stage = 'closed';
    try {
      await this.host.lock();
    } catch {
      // An engine that cannot close its wallet is ended, with the keys it holds. What it had confirmed is saved.
      this.#client?.terminate();
      this.#client = undefined;
    }
  }

  /**
   * The page is left: its engine ends at once, and with it the keys and the lock on the wallet, which WebKit frees late otherwise. A page
   * that a browser keeps to show it again is a locked one.
   */
  depart(): void {
    if (this.stage === 'open') {
      wallet.leave();
      this.stage = 'closed';
    }
    this.#client?.terminate();
    this.#client = undefined;
  }

  /** @param password undefined where it is forgotten */
  async remove(name: string, password: string | undefined): Promise<void> {
    await this.host.remove(name, password, called.given(name));
    storage.forgetBackup(name);
    called.set(name, undefined);
    passkeys.forget(name);
    remembered.set(markKey(name), undefined);
    try {
      await pins.forget(name);
    } finally {
      await this.#readList();
    }
  }

  async #entered(name: string): Promise<void> {
    await Promise.all([this.#recognise(name), wallet.enter(this.host.wallet)]);
    remembered.set(LAST, name);
    this.crashed = false;
    this.stage = 'open';
  }

  async #askSite(): Promise<void> {
    this.site = device.offline ? undefined : await this.host.site().catch(() => undefined);
    if (this.site) remembered.set(NETWORK, this.site.network);
  }

  /** One seed under two names is told wherever the other one was opened before; its mark is all that is known of it while it is locked. */
  async #recognise(name: string): Promise<void> {
    const others = this.backend.flatMap((entry) => {
      const mark = remembered.get(markKey(entry.name));
      return entry.name === name || mark === undefined ? [] : [{ name: entry.name, mark }];
    });
    const own = await this.host.recognise(others);
    remembered.set(markKey(name), own.mark);
    this.twins = own.same;
    const shown = called.given(name);
    const differs = shown !== undefined && shown !== own.called;
    this.otherName = own.otherName ?? (differs ? (own.called ?? name) : undefined);
    // What another wallet calls itself is not kept as the name of what should lie here.
    if (own.otherName === undefined) called.set(name, own.called);
  }

  async #readList(): Promise<void> {
    try {
      this.backend = await this.host.list();
      this.trouble = undefined;
    } catch (error) {
      this.trouble = await wordsFor(error);
    }
  }

  #spawn(): WalletClient {
    const client = startWallet(() => {
      wallet.leave();
      this.crashed = true;
      this.stage = 'closed';
      this.#client = undefined;
    });
    // Before anything else is asked of it.
    if (device.offline) void client.host.stayOffline(true);
    return client;
  }
}

export const session = new Session();
