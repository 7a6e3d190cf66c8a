import { type PageWallet, RemoteError } from '../../../workers/client.ts';
import type {
  Balance,
  BegunPayment,
  Contact,
  HistoryEntry,
  SubaddressIndex,
  SubaddressView,
  WalletView,
} from '../../wallet/index.ts';
import { nextTask, takeLatestAfterFrame } from '../services/frame-scheduling.ts';
import { onOpenWalletCheck } from '../services/open-wallet.ts';
import { isSameData } from '../services/payment-draft.ts';
import { isWhole } from '../services/sync.ts';
import { canAddAddress, unusedAddress } from '../services/unused-address.ts';
import { orSay } from './attempt.svelte.ts';

/** How many history rows are kept on the page; the rest is asked for by scrolling. */
const PAGE = 50;
/** Milliseconds between two fetchings of the lists while a scan runs, which changes them faster than they are read. */
const LISTS_EVERY = 5000;

/** The open wallet as the page shows it: the last view, and the lists that follow its version. */
class OpenWallet {
  view: WalletView | undefined = $state.raw(undefined);
  history: readonly HistoryEntry[] = $state.raw([]);
  subaddresses: readonly SubaddressView[] = $state.raw([]);
  /** The address book. */
  contacts: readonly Contact[] = $state.raw([]);
  /** Payments that were begun and not sent, as the wallet keeps them (T13): the latest at the end. */
  begun: readonly BegunPayment[] = $state.raw([]);
  /** False once the wallet could not keep {@link begun} as it is here. */
  #begunKept = true;
  /** Whether the lists have come: empty ones are of a wallet that has nothing, not on their way. */
  listed = $state(false);
  /** There may be older entries than those shown. */
  more = $state(false);
  account = $state(0);
  /** Height at which the running sync began: what its progress is measured from. */
  syncStart = $state(0);
  /** Milliseconds since the epoch: when it was last known that every block had been looked at; undefined before. */
  wholeAt: number | undefined = $state();
  /** Blocks a second, as last seen while this page scanned; undefined before. */
  scanRate: number | undefined = $state();
  #api: PageWallet | undefined;
  #leave: (() => void) | undefined;
  #limit = PAGE;
  #listsVersion = -1;
  /** When the lists were fetched last, by the clock of `performance`. */
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
    this.listed = false;
    this.#limit = PAGE;
    this.#listsVersion = -1;
    this.#listsAt = -LISTS_EVERY;
    this.account = 0;
    const first = Promise.all([api.view(), api.begun()]);
    // Made while the page draws the balance, which does not wait for them.
    void orSay(this.#loadLists());
    const [view, begun] = await first;
    if (this.#api !== api) return;
    this.begun = begun;
    this.#begunKept = true;
    this.syncStart = view.sync.height;
    this.#listsVersion = view.version;
    await this.#show(view);
    void orSay(this.#follow(api));
  }

  /** Shows what is told of the wallet from now on. */
  async #follow(api: PageWallet): Promise<void> {
    const show = takeLatestAfterFrame((view: WalletView) => {
      if (this.#api === api) void orSay(this.#show(view));
    });
    const leave = await api.subscribe(show);
    if (this.#api === api) this.#leave = leave;
    else leave();
  }

  /** Has the wallet keep payments that were begun, sealed, in place of those it kept before. */
  async keepBegun(payments: readonly BegunPayment[]): Promise<void> {
    if (this.#begunKept && isSameData(payments, this.begun)) return;
    const { api } = this;
    this.begun = payments;
    this.#begunKept = true;
    try {
      await api.keepBegun(payments);
    } catch (error) {
      // Asked again the next time, the same or not: a disk that was full may have room then.
      if (this.#api === api) this.#begunKept = false;
      throw error;
    }
  }

  /** Called whenever a wallet is left, to let go of what was about it. */
  atLeaving(forget: () => void): void {
    this.#leaving.push(forget);
  }

  /** Called before an open wallet is locked, to have it keep what was begun in it: what is asked of it at once is done before it closes. */
  atLocking(keep: () => Promise<void>): void {
    this.#locking.push(keep);
  }

  /** As {@link leave}, of a wallet that is still there to keep something. Where it cannot, it is left all the same. */
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
    this.wholeAt = undefined;
    this.listed = false;
    this.begun = [];
    this.history = [];
    this.subaddresses = [];
    this.contacts = [];
  }

  /** Balance of the account that receives and sends on this page. */
  get accountBalance(): Balance | undefined {
    return this.view?.accounts[this.account]?.balance;
  }

  async chooseAccount(account: number): Promise<void> {
    this.account = account;
    // No address of another account is shown under this one's name.
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

  /** The address for the next payer of this account: the newest that is still free, or a new one; the primary one where there may be no more. */
  async addressToOffer(): Promise<SubaddressIndex> {
    const fresh = unusedAddress(this.subaddresses, this.history);
    if (fresh || !canAddAddress(this.subaddresses)) return fresh?.index ?? { major: this.account, minor: 0 };
    const [made] = await this.api.addresses.make(this.account, '');
    await this.refreshLists();
    return made.index;
  }

  /** Name of an address in the address book; undefined when it has none. */
  readonly contactName = (address: string): string | undefined =>
    this.contacts.find((contact) => contact.address === address)?.description;

  /** Has the wallet look for payments now, when it would pause between two tries; ends once it has. A locked one has nothing to do. */
  async look(): Promise<void> {
    await this.#api?.refresh().catch(() => undefined);
  }

  /** The whole history, however long: for searching and for what is older than the page. */
  async wholeHistory(): Promise<readonly HistoryEntry[]> {
    return this.api.history();
  }

  async #show(view: WalletView): Promise<void> {
    const api = this.#api;
    if (!api) return;
    if (view.sync.phase === 'live' || view.sync.height < this.syncStart) this.syncStart = view.sync.height;
    if (view.sync.phase === 'syncing' && view.sync.rate > 0) this.scanRate = view.sync.rate;
    if (isWhole(view.sync)) this.wholeAt = Date.now();
    this.view = view;
    if (view.version === this.#listsVersion) return;
    // The scan's next view, or that of its end, brings them.
    if (view.sync.phase === 'syncing' && performance.now() < this.#listsAt + LISTS_EVERY) return;
    this.#listsVersion = view.version;
    // Not in the task that draws the view.
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
      // A wallet that was locked meanwhile owes no answer.
      if (this.#api === api) throw error;
      return [[], [], []] as const;
    });
    if (this.#api !== api || this.account !== account) return;
    this.more = history.length > this.#limit;
    this.history = history.slice(0, this.#limit);
    this.subaddresses = subaddresses;
    this.contacts = contacts;
    this.listed = true;
  }
}

export const wallet = new OpenWallet();
onOpenWalletCheck(() => wallet.view !== undefined);
