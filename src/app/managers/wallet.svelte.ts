import { type PageWallet, RemoteError } from '../../../workers/client.ts';
import type {
  Balance,
  Contact,
  HistoryEntry,
  PaymentDraft,
  SubaddressIndex,
  SubaddressView,
  WalletView,
} from '../../wallet/index.ts';
import { nextTask, takeLatestAfterFrame } from '../services/frame-scheduling.ts';
import { onOpenWalletCheck } from '../services/open-wallet.ts';
import { isSameData } from '../services/payment-draft.ts';
import { isWhole } from '../services/sync.ts';
import { canAddAddress, unusedAddress } from '../services/unused-address.ts';
import { noticeErrors } from './attempt.svelte.ts';

/** Number of history entries loaded at a time; more are loaded by scrolling. */
const PAGE = 50;
/** Shortest time between two reloads of the lists while a scan runs, in milliseconds. */
const LISTS_EVERY = 5000;

/** The open wallet as the page shows it: its latest view, and the lists, which are reloaded when the view's version changes. */
class OpenWallet {
  view: WalletView | undefined = $state.raw(undefined);
  history: readonly HistoryEntry[] = $state.raw([]);
  subaddresses: readonly SubaddressView[] = $state.raw([]);
  /** The address book. */
  contacts: readonly Contact[] = $state.raw([]);
  /** Saved payment drafts, latest last. The wallet stores them encrypted (T13). */
  drafts: readonly PaymentDraft[] = $state.raw([]);
  /** False if the last attempt to save {@link drafts} failed. */
  #draftsSaved = true;
  /** Whether the lists were loaded: only then an empty list means that there is nothing. */
  listsLoaded = $state(false);
  /** Whether there are older history entries to load. */
  more = $state(false);
  account = $state(0);
  /** Height at which the current sync began, from which its progress is measured. */
  syncStart = $state(0);
  /** When the wallet was last fully synced, in milliseconds since the epoch; undefined before. */
  syncedAt: number | undefined = $state();
  /** Last measured scan rate in blocks per second; undefined before the first scan. */
  scanRate: number | undefined = $state();
  #api: PageWallet | undefined;
  #leave: (() => void) | undefined;
  #limit = PAGE;
  #listsVersion = -1;
  /** `performance.now()` when the lists were last loaded. */
  #listsAt = -LISTS_EVERY;
  readonly #leaving: (() => void)[] = [];
  readonly #locking: (() => Promise<void>)[] = [];

  /** @throws RemoteError `not-open` when the wallet was locked meanwhile */
  get api(): PageWallet {
    if (this.#api) return this.#api;
    throw new RemoteError({ room: 'page', code: 'not-open', message: 'expected an open wallet', data: undefined });
  }

  async enter(api: PageWallet): Promise<void> {
    this.#api = api;
    this.listsLoaded = false;
    this.#limit = PAGE;
    this.#listsVersion = -1;
    this.#listsAt = -LISTS_EVERY;
    this.account = 0;
    const first = Promise.all([api.view(), api.drafts()]);
    // Loaded while the page renders the balance, which does not wait for them.
    void noticeErrors(this.#loadLists());
    const [view, drafts] = await first;
    if (this.#api !== api) return;
    this.drafts = drafts;
    this.#draftsSaved = true;
    this.syncStart = view.sync.height;
    this.#listsVersion = view.version;
    await this.#show(view);
    void noticeErrors(this.#follow(api));
  }

  /** Subscribes to the wallet's views. */
  async #follow(api: PageWallet): Promise<void> {
    const show = takeLatestAfterFrame((view: WalletView) => {
      if (this.#api === api) void noticeErrors(this.#show(view));
    });
    const leave = await api.subscribe(show);
    if (this.#api === api) this.#leave = leave;
    else leave();
  }

  /** Saves payment drafts in the wallet, in place of the previous ones. */
  async saveDrafts(payments: readonly PaymentDraft[]): Promise<void> {
    if (this.#draftsSaved && isSameData(payments, this.drafts)) return;
    const { api } = this;
    this.drafts = payments;
    this.#draftsSaved = true;
    try {
      await api.saveDrafts(payments);
    } catch (error) {
      // Retried the next time even if the drafts are the same: the disk may have been full.
      if (this.#api === api) this.#draftsSaved = false;
      throw error;
    }
  }

  /** Registers a callback for when the wallet is closed, to clear state about it. */
  onLeave(forget: () => void): void {
    this.#leaving.push(forget);
  }

  /** Registers a callback for before the wallet is locked, to save unsaved input. Calls that it starts synchronously finish before the wallet closes. */
  beforeLock(keep: () => Promise<void>): void {
    this.#locking.push(keep);
  }

  /** Runs the {@link beforeLock} callbacks, ignoring their errors, then {@link leave}. */
  lock(): void {
    if (this.#api) for (const keep of this.#locking) keep().catch(() => undefined);
    this.leave();
  }

  leave(): void {
    for (const forget of this.#leaving) forget();
    this.#leave?.();
    this.#leave = undefined;
    this.#api = undefined;
    this.view = undefined;
    this.syncedAt = undefined;
    this.listsLoaded = false;
    this.drafts = [];
    this.history = [];
    this.subaddresses = [];
    this.contacts = [];
  }

  /** Balance of the selected account. */
  get accountBalance(): Balance | undefined {
    return this.view?.accounts[this.account]?.balance;
  }

  async chooseAccount(account: number): Promise<void> {
    this.account = account;
    // Cleared at once, so that no address of the previous account is shown under the new one.
    this.subaddresses = [];
    await this.#loadLists();
  }

  async loadMore(): Promise<void> {
    this.#limit += PAGE;
    await this.#loadLists();
  }

  async refreshLists(): Promise<void> {
    await this.#loadLists();
  }

  /** The address to show to the next payer: an unused one, a new one, or the primary address when no more can be made. */
  async nextReceiveAddress(): Promise<SubaddressIndex> {
    const fresh = unusedAddress(this.subaddresses, this.history);
    if (fresh || !canAddAddress(this.subaddresses)) return fresh?.index ?? { major: this.account, minor: 0 };
    const [made] = await this.api.addresses.make(this.account, '');
    await this.refreshLists();
    return made.index;
  }

  /** Name of an address in the address book; undefined if it has none. */
  readonly contactName = (address: string): string | undefined =>
    this.contacts.find((contact) => contact.address === address)?.description;

  /** Checks for new blocks and transactions now, without waiting for the next poll. Does nothing when no wallet is open. */
  async refreshNow(): Promise<void> {
    await this.#api?.refresh().catch(() => undefined);
  }

  /** The complete history, for searching and for old entries. */
  async wholeHistory(): Promise<readonly HistoryEntry[]> {
    return this.api.history();
  }

  async #show(view: WalletView): Promise<void> {
    const api = this.#api;
    if (!api) return;
    if (view.sync.phase === 'live' || view.sync.height < this.syncStart) this.syncStart = view.sync.height;
    if (view.sync.phase === 'syncing' && view.sync.rate > 0) this.scanRate = view.sync.rate;
    if (isWhole(view.sync)) this.syncedAt = Date.now();
    this.view = view;
    if (view.version === this.#listsVersion) return;
    // A later view of this scan, or its last one, loads them.
    if (view.sync.phase === 'syncing' && performance.now() < this.#listsAt + LISTS_EVERY) return;
    this.#listsVersion = view.version;
    // In a task of their own, so that the view is rendered first.
    await nextTask();
    await this.#loadLists();
  }

  async #loadLists(): Promise<void> {
    const api = this.#api;
    if (!api) return;
    this.#listsAt = performance.now();
    const account = this.account;
    const asked = Promise.all([api.history({ limit: this.#limit + 1 }), api.subaddresses(account), api.contacts()]);
    const [history, subaddresses, contacts] = await asked.catch((error: unknown) => {
      // Errors no longer matter if the wallet was locked meanwhile.
      if (this.#api === api) throw error;
      return [[], [], []] as const;
    });
    if (this.#api !== api || this.account !== account) return;
    this.more = history.length > this.#limit;
    this.history = history.slice(0, this.#limit);
    this.subaddresses = subaddresses;
    this.contacts = contacts;
    this.listsLoaded = true;
  }
}

export const wallet = new OpenWallet();
onOpenWalletCheck(() => wallet.view !== undefined);
