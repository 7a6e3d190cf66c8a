import { loadCrypto } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { KeyImage } from '../protocol/index.ts';
import { TaggedAccounts } from './account-tags.ts';
import { Addresses } from './addresses.ts';
import type {
  AccountView,
  BalanceDay,
  DaemonSettings,
  HistoryEntry,
  OutputView,
  SubaddressView,
  SyncStatus,
  WalletView,
} from './api.ts';
import { Chain } from './chain.ts';
import { Attributes } from './client-attributes.ts';
import { type Contact, contactSaved, contactsOf } from './contacts.ts';
import type { WalletContext } from './context.ts';
import { type NewWallet, SEED_TO_WRITE } from './create-wallet.ts';
import type { WalletDevice } from './device/wallet-device.ts';
import type { WalletEnvironment } from './environment.ts';
import { WalletError } from './errors.ts';
import { freezeEvents, nameEvent } from './freeze.ts';
import type { WalletDescription } from './model.ts';
import { Cosigning } from './multisig/cosigning.ts';
import { Multisig } from './multisig/multisig.ts';
import { MultisigGroup } from './multisig/multisig-group.ts';
import { Notes } from './notes.ts';
import { OfflineSigning } from './offline-signing/offline-signing.ts';
import { keysFileOf } from './offline-signing/reference-files.ts';
import { type PaymentDraft, paymentDraftsOf, paymentDraftsSaved } from './payment-drafts.ts';
import { Payments } from './payments.ts';
import type { Journal } from './ports.ts';
import { type Balances, type HistoryPage, outputView, projectionOf, Transfers } from './projection/index.ts';
import { Proofs } from './proofs/proofs.ts';
import { refusalSettled } from './refusals.ts';
import { BackgroundSync } from './runtime/background.ts';
import { keysOf } from './runtime/group-keys.ts';
import { readJournal } from './runtime/read-journal.ts';
import { type Opened, WalletRuntime } from './runtime/runtime.ts';
import { Secrets } from './secrets.ts';
import { ringsGivenUp, unsentGivenUp } from './spend/index.ts';
import { entryOfImage } from './state/state.ts';
import { displayNameSet, type WalletNames, walletNameSet, walletNamesOf } from './wallet-names.ts';

/** An open wallet. It lives where its keys may be: in a worker or a process of its own; `close` wipes them. */
export class Wallet {
  readonly #runtime: WalletRuntime;
  /** Shared context of the parts; private to this room. */
  private readonly inside: WalletContext;
  /** Proofs, transaction keys and signed messages. */
  readonly proofs: Proofs;
  /** Payments, at once or with a person's review in between. */
  readonly payments: Payments;
  /** Lists of payments in and out. */
  readonly transfers: Transfers;
  /** The chain as far as it was scanned, and queries about it. */
  readonly chain: Chain;
  /** Its addresses, without balances. */
  readonly addresses: Addresses;
  readonly accountTags: TaggedAccounts;
  readonly notes: Notes;
  /** Texts that a program stores in the wallet. */
  readonly attributes: Attributes;
  /** Keys and seed words, on explicit request. */
  readonly secrets: Secrets;
  /** Syncing without the spend key in memory. */
  readonly backgroundSync: BackgroundSync;
  /** The device that holds its spend key, in a wallet of that kind. */
  readonly device: WalletDevice;
  /** The key exchange of a multisig group. */
  readonly multisig: Multisig;
  /** Exports and sets that the signers of a group pass to each other. */
  readonly cosigning: Cosigning;
  /** The group as one member uses it: rounds, messages and payments. */
  readonly group: MultisigGroup;
  /** Files of the reference wallet: for a cold or view-only half, and for other programs with the same keys. */
  readonly offline: OfflineSigning;

  private constructor(opened: Opened) {
    const runtime = new WalletRuntime(opened, {
      view: () => this.#view(),
      dropPayments: () => this.payments.clear(),
      updateCopy: () => this.backgroundSync.updateCopy(),
    });
    this.#runtime = runtime;
    this.device = runtime.device;
    const ctx = runtime.context;
    this.inside = ctx;
    this.proofs = new Proofs(ctx);
    this.transfers = new Transfers(ctx, () => this.lookAtPool());
    this.payments = new Payments(ctx, runtime.spend);
    this.addresses = new Addresses(ctx);
    this.chain = new Chain(ctx, {
      rescan: (at) => this.rescan(at),
      see: (height) => runtime.connection.see(height),
      watch: (seen) => runtime.subscribers.watch(seen),
    });
    this.accountTags = new TaggedAccounts(ctx);
    this.notes = new Notes(ctx);
    this.attributes = new Attributes(ctx);
    this.secrets = new Secrets(ctx);
    this.backgroundSync = new BackgroundSync(runtime);
    this.multisig = new Multisig(ctx);
    this.cosigning = new Cosigning({ ctx, sealing: runtime.sealing, spend: runtime.spend });
    this.group = this.#desk();
    this.offline = new OfflineSigning(ctx, { spend: runtime.spend, payments: this.payments });
  }

  #desk(): MultisigGroup {
    return new MultisigGroup({
      ...{ ctx: this.inside, multisig: this.multisig, cosigning: this.cosigning, payments: this.payments },
      changed: this.#runtime.changed,
      checkPassword: (password) => this.checkPassword(password),
    });
  }

  /** Stores a new wallet and opens it. @internal @throws StorageError `exists` and others of the store */
  static async create(env: WalletEnvironment, name: string, password: string, made: NewWallet): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.create(name, password, made.secrets, made.first, made.key);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** Opens a stored wallet. @internal @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found`; WalletError `bad-event` */
  static async open(env: WalletEnvironment, name: string, password: string): Promise<Wallet> {
    // The kernels compile while the file is read. A failure is thrown below, where they are waited for.
    loadCrypto().catch(() => undefined);
    const journal = await env.store.open(name, password);
    return Wallet.#fromJournal(env, name, journal);
  }

  /**
   * Restores a backup file under a name; the name stays free if the file does not open as a wallet. @internal @throws as {@link open};
   * StorageError `exists`
   */
  static async restoreBackup(env: WalletEnvironment, name: string, password: string, backup: Uint8Array): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.restore(name, password, backup);
    try {
      return await Wallet.#fromJournal(env, name, journal);
    } catch (error) {
      await env.store.remove(name).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The names stored inside a wallet, read without opening it; none if it cannot be read.
   * @internal @throws StorageError as {@link open}
   */
  static async ownNames(env: WalletEnvironment, name: string, password: string): Promise<WalletNames> {
    const journal = await env.store.open(name, password);
    try {
      return walletNamesOf((await readJournal(journal)).state);
    } catch {
      return { original: undefined, displayName: undefined };
    } finally {
      await journal.close();
    }
  }

  static async #fromJournal(env: WalletEnvironment, name: string, journal: Journal): Promise<Wallet> {
    try {
      await loadCrypto();
      const { state, records } = await readJournal(journal);
      // It is opened even if there is no space to write.
      await journal.label(state.description).catch(() => undefined);
      const wallet = new Wallet({ name, env, journal, keys: keysOf(journal.secrets, state), state, records });
      await wallet.#runtime.append(unsentGivenUp(state, wallet.#runtime.now()), 'strict');
      await wallet.backgroundSync.recover();
      wallet.#runtime.prepareLookup();
      return wallet;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Fixed facts about the wallet; only the network may still be determined by its first daemon. */
  get description(): WalletDescription {
    return this.#runtime.state.description;
  }

  /** The names stored inside the wallet. @internal */
  get ownNames(): WalletNames {
    return walletNamesOf(this.#runtime.state);
  }

  /**
   * Stores the name under which the wallet is stored as its original name, and removes its display name: for stores in which only this
   * program names wallets. @internal
   */
  async keepName(): Promise<void> {
    await this.#runtime.append([walletNameSet(this.#runtime.views.name), displayNameSet('')], 'strict');
  }

  /** Stores a display name. The name under which it is stored does not change. @param name empty to show that one @internal */
  async rename(name: string): Promise<void> {
    await this.#runtime.append([displayNameSet(name)], 'strict');
  }

  /** Stores payment drafts, the latest last, in place of those stored before. @internal */
  async saveDrafts(payments: readonly PaymentDraft[]): Promise<void> {
    await this.#runtime.append([paymentDraftsSaved(payments)], 'strict');
  }

  /** Payments that {@link saveDrafts} stored last. @internal */
  async drafts(): Promise<readonly PaymentDraft[]> {
    return paymentDraftsOf(this.#runtime.state);
  }

  /** The current daemon. */
  get daemon(): DaemonClient | undefined {
    return this.#runtime.connection.daemon;
  }

  /** Whether the current daemon may be asked about single transactions and key images (T24). */
  get isDaemonTrusted(): boolean {
    return this.#runtime.connection.trusted;
  }

  /** The daemon that the person last chose for this wallet, for when it is opened again. */
  get savedDaemon(): DaemonSettings | undefined {
    return this.#runtime.connection.remembered;
  }

  /** Progress of the scan, as in {@link view} but cheaper. */
  get sync(): SyncStatus {
    return this.#runtime.connection.status;
  }

  /** The current state. */
  async view(): Promise<WalletView> {
    return this.#view();
  }

  /** Calls `listener` with a new view after every change, at most twenty times a second. Returns a function that unsubscribes. */
  async subscribe(listener: (view: WalletView) => void): Promise<() => void> {
    return this.#runtime.subscribers.add(listener);
  }

  /** As {@link subscribe}, without a view. @internal */
  watch(watcher: () => void): () => void {
    return this.#runtime.subscribers.watch(watcher);
  }

  /** Payments, the newest first: optionally of one account, `limit` of them from `offset` on. */
  async history(page?: HistoryPage): Promise<readonly HistoryEntry[]> {
    return projectionOf(this.#runtime.state).history(this.#runtime.now(), page);
  }

  /** Balances of the days on which the chain changed them, oldest first. */
  async balanceDays(): Promise<readonly BalanceDay[]> {
    return projectionOf(this.#runtime.state).payments.days.balances();
  }

  /** Every output, spent ones included, in chain order; of one account when asked. */
  async outputs(account?: number): Promise<readonly OutputView[]> {
    return projectionOf(this.#runtime.state).coins(this.#runtime.now(), account);
  }

  /** Balances at one instant: total, by account, by subaddress. @param strict excludes unconfirmed payments */
  async balances(strict = false): Promise<Balances> {
    const { state, lookup, ready } = this.inside;
    if (!strict && state.unmined.size > 0) await ready();
    return projectionOf(state).balances(this.#runtime.now(), lookup, strict);
  }

  /** The output of a key image, 64 hex digits; undefined if it is not this wallet's. */
  outputOf(keyImage: string): OutputView | undefined {
    const entry = entryOfImage(this.#runtime.state, keyImage as KeyImage);
    return entry && outputView(this.#runtime.state, entry, this.#runtime.now());
  }

  /**
   * Freezes outputs, by their one-time public keys, or thaws them: a frozen output is never spent. @throws `not-found`, and then nothing is
   * changed
   */
  async setFrozen(keys: readonly string[], frozen: boolean): Promise<void> {
    await this.#runtime.append(freezeEvents(this.#runtime.state, keys, frozen), 'strict');
  }

  /** Names an output, by its one-time public key; an empty name takes its name away. @throws WalletError `not-found` */
  async nameOutput(key: string, name: string): Promise<void> {
    await this.#runtime.append([nameEvent(this.#runtime.state, key, name)], 'strict');
  }

  /** The addresses of an account, with their balances. @throws WalletError `no-such-account` */
  async subaddresses(account: number): Promise<readonly SubaddressView[]> {
    return this.#runtime.views.subaddresses(account);
  }

  /** Makes an account with one address. */
  async addAccount(label: string): Promise<AccountView> {
    await this.#runtime.append([{ type: 'AccountAdded', label }], 'strict');
    return this.#runtime.views.account(this.#runtime.state.accounts.length - 1);
  }

  /** The address book, in the order in which it was filled. */
  async contacts(): Promise<readonly Contact[]> {
    return contactsOf(this.#runtime.state);
  }

  /**
   * Changes entries of the address book, or adds those without a known id: all in one write. @throws the address decoder's error, and then
   * none is changed
   */
  async saveContact(...contacts: readonly (Omit<Contact, 'id'> & { readonly id?: string })[]): Promise<void> {
    const { state, env } = this.#runtime;
    const saved = contacts.map((contact) => contactSaved(state, env.random, contact));
    if (saved.length > 0) await this.#runtime.append(saved, 'strict');
  }

  /** Does nothing if there is no such entry. */
  async removeContact(id: string): Promise<void> {
    if (this.#runtime.state.contacts.has(id))
      await this.#runtime.append([{ type: 'ContactSet', id, contact: undefined }], 'strict');
  }

  /** Follows the chain through this daemon, instead of the earlier one. @throws DaemonError `bad-url`, `mixed-content` */
  async setDaemon(settings: DaemonSettings): Promise<void> {
    await this.#open.connection.use(settings, true);
  }

  /** As {@link setDaemon}, but the wallet does not remember it: nothing is written, so a full disk does not matter. @internal */
  async followDaemon(settings: DaemonSettings): Promise<void> {
    await this.#open.connection.use(settings, false);
  }

  /** Disconnects from the daemon until another is set. */
  async leaveDaemon(): Promise<void> {
    await this.#open.connection.leave();
  }

  /** Checks that a daemon answers and serves this wallet's network; changes nothing. @throws DaemonError; WalletError `wrong-network` */
  async tryDaemon(settings: DaemonSettings): Promise<void> {
    await this.#open.connection.try(settings);
  }

  /**
   * Sets a second daemon to compare chains with, or none; resolves after the comparison, even if it failed. @throws DaemonError `bad-url`
   */
  async setSecondDaemon(url: string | undefined): Promise<void> {
    await this.#open.secondDaemon.choose(url);
  }

  /** Compares with the second daemon now; the view shows the result. */
  async compareSecondDaemon(): Promise<void> {
    await this.#open.secondDaemon.compare();
  }

  /** Stops queries to the daemon until {@link resume}. */
  async pause(): Promise<void> {
    await this.#open.connection.pause();
  }

  /** Continues after {@link pause}. */
  async resume(): Promise<void> {
    await this.#open.connection.resume();
  }

  /** Polls the daemon now; resolves when that is done, even if it failed. */
  refresh(): Promise<void> {
    return this.#runtime.connection.refresh();
  }

  /** Polls only the daemon's pool, even while the scan is paused; resolves within three seconds, even if it failed. */
  lookAtPool(): Promise<void> {
    return this.#runtime.connection.lookAtPool();
  }

  /**
   * Resolves once the wallet has reached its daemon's tip.
   * @throws WalletError `no-daemon` when none is set or the wallet is paused; `sync-stopped` with the cause's code as `data.code`
   */
  waitUntilSynced(): Promise<void> {
    return this.#runtime.connection.waitUntilSynced();
  }

  /** Scans again from a height; the user's own data is unchanged. */
  async rescan(fromHeight: number): Promise<void> {
    await this.#open.connection.rescan(fromHeight);
  }

  /**
   * Records that the person considers a refused transaction not sent, or wants to pay again in any case: later payments need not share an
   * input with it. @throws WalletError `not-found`
   */
  async giveUpRefused(txHash: string): Promise<void> {
    await this.#open.append([refusalSettled(this.#runtime.state, txHash)], 'strict');
  }

  /**
   * Records that the person gives up the stored rings of these coins, so that new decoys are drawn for the next payment: somebody who saw a
   * payment with the earlier ones can tell which coins are ours (T3). Only for coins that a reorganisation has moved since.
   * @param keyImages as the error `kept-ring-unusable` lists them in `data.keyImages`
   * @throws SpendError `kept-ring-usable`, and then nothing is given up
   */
  async giveUpRings(keyImages: readonly string[]): Promise<void> {
    await this.#open.append([ringsGivenUp(this.#runtime.state, keyImages)], 'strict');
  }

  /** Records that the person has written the seed words down. */
  async seedWritten(): Promise<void> {
    await this.#runtime.append([{ type: 'AttributeSet', key: SEED_TO_WRITE, value: '' }], 'strict');
  }

  /**
   * A `.keys` file with which the reference's programs open this wallet by the same password, which is checked.
   * @param kdfRounds as the reference's `--kdf-rounds`; 1 by default
   * @throws StorageError `wrong-password`; WalletError `view-only` while the spend key is locked ({@link backgroundSync})
   */
  async exportKeysFile(password: string, kdfRounds = 1): Promise<Uint8Array> {
    await this.checkPassword(password);
    if (this.backgroundSync.isOn)
      throw new WalletError('view-only', 'expected a wallet that holds its spend key: the file would lack it');
    return keysFileOf(this.#runtime.journal.secrets, this.#runtime.state, password, this.#runtime.env.random, kdfRounds);
  }

  /** Whether this is the wallet's password. @throws StorageError `wrong-password` */
  async checkPassword(password: string): Promise<void> {
    await this.#open.journal.checkPassword(password);
  }

  /** Changes the wallet's password. @throws StorageError `wrong-password` */
  async changePassword(oldPassword: string, newPassword: string): Promise<void> {
    await this.#open.journal.changePassword(oldPassword, newPassword);
  }

  /** The wallet as one encrypted file, opened by its password: everything in its journal. */
  async backup(): Promise<Uint8Array> {
    await this.#open.writer.settled();
    return this.#runtime.journal.backup();
  }

  /** Stops all work, wipes the keys, and releases the journal. A closed wallet stays closed. */
  close(): Promise<void> {
    return this.#runtime.close();
  }

  /** @throws WalletError `closed` */
  get #open(): WalletRuntime {
    this.#runtime.requireOpen();
    return this.#runtime;
  }

  #view(): WalletView {
    const { views, connection, secondDaemon } = this.#runtime;
    return views.wallet(connection.status, secondDaemon.view, this.group.status);
  }
}
