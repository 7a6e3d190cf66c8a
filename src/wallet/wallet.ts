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

/** An open wallet. It lives where its keys may live, a worker or a process of its own; `close` wipes them. */
export class Wallet {
  readonly #runtime: WalletRuntime;
  /** Shared context of the parts; private to this room. */
  private readonly inside: WalletContext;
  /** Proofs, transaction keys and signed messages. */
  readonly proofs: Proofs;
  /** Paying, in one go or with a person's review in between. */
  readonly payments: Payments;
  /** Payments in and out, as lists. */
  readonly transfers: Transfers;
  /** The chain as far as it was read, and questions about it. */
  readonly chain: Chain;
  /** Its addresses, without balances. */
  readonly addresses: Addresses;
  readonly accountTags: TaggedAccounts;
  readonly notes: Notes;
  /** Texts that a program keeps in the wallet. */
  readonly attributes: Attributes;
  /** Keys and words, for who asks by name. */
  readonly secrets: Secrets;
  /** Following the chain without the spend key. */
  readonly backgroundSync: BackgroundSync;
  /** The device that holds its spend key, in a wallet of that kind. */
  readonly device: WalletDevice;
  /** Being one of several signers. */
  readonly multisig: Multisig;
  /** Exports and sets that the signers of a group pass to each other. */
  readonly cosigning: Cosigning;
  /** The same for a person: rounds, messages and payments as they stand with this member. */
  readonly group: MultisigGroup;
  /** Files of the reference wallet: the way to a cold or view-only half, and to other programs of the same keys. */
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

  /** Puts a new wallet into the store and opens it. @internal @throws StorageError `exists` and others of the store */
  static async create(env: WalletEnvironment, name: string, password: string, made: NewWallet): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.create(name, password, made.secrets, made.first);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** Opens what is there. @internal @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found`; WalletError `bad-event` */
  static async open(env: WalletEnvironment, name: string, password: string): Promise<Wallet> {
    // The kernels compile while the file is read. A failure is thrown below, where they are waited for.
    loadCrypto().catch(() => undefined);
    const journal = await env.store.open(name, password);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** Opens a backup file under a name, which one that comes to no wallet does not take. @internal @throws as {@link open}; StorageError `exists` */
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
   * The names that a wallet keeps of itself, without opening it for more; none where it cannot be read.
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
      // Without room to write it is opened all the same.
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

  /** Fixed facts of the wallet; only the network may still be told by its first daemon. */
  get description(): WalletDescription {
    return this.#runtime.state.description;
  }

  /** The names that it keeps of itself, whatever it lies under. @internal */
  get ownNames(): WalletNames {
    return walletNamesOf(this.#runtime.state);
  }

  /** Stores the name that the wallet lies under as its original name, and forgets its display name: for stores in which only this program names wallets. @internal */
  async keepName(): Promise<void> {
    await this.#runtime.append([walletNameSet(this.#runtime.views.name), displayNameSet('')], 'strict');
  }

  /** Stores a display name. Where the wallet lies does not change. @param name empty to show the name that it lies under @internal */
  async rename(name: string): Promise<void> {
    await this.#runtime.append([displayNameSet(name)], 'strict');
  }

  /** Stores the payments that a person has filled in and not sent, the latest at the end, in place of those stored before. @internal */
  async saveDrafts(payments: readonly PaymentDraft[]): Promise<void> {
    await this.#runtime.append([paymentDraftsSaved(payments)], 'strict');
  }

  /** Payments that {@link saveDrafts} stored last. @internal */
  async drafts(): Promise<readonly PaymentDraft[]> {
    return paymentDraftsOf(this.#runtime.state);
  }

  /** The daemon set last. */
  get daemon(): DaemonClient | undefined {
    return this.#runtime.connection.daemon;
  }

  /** Whether the daemon set last may be asked about single transactions and key images (T24). */
  get isDaemonTrusted(): boolean {
    return this.#runtime.connection.trusted;
  }

  /** The daemon that the person chose for this wallet last: to be set again when it is opened. */
  get savedDaemon(): DaemonSettings | undefined {
    return this.#runtime.connection.remembered;
  }

  /** How far it has read the chain; the same as in {@link view}, for less. */
  get sync(): SyncStatus {
    return this.#runtime.connection.status;
  }

  /** The wallet as it is now. */
  async view(): Promise<WalletView> {
    return this.#view();
  }

  /** Called with a fresh view after every change, at most twenty times a second. Returns the unsubscriber. */
  async subscribe(listener: (view: WalletView) => void): Promise<() => void> {
    return this.#runtime.subscribers.add(listener);
  }

  /** Called after every change, as often, without a view. Returns the unsubscriber. @internal */
  watch(watcher: () => void): () => void {
    return this.#runtime.subscribers.watch(watcher);
  }

  /** Its payments, the newest first: of one account when asked, `limit` of them from `offset` on. */
  async history(page?: HistoryPage): Promise<readonly HistoryEntry[]> {
    return projectionOf(this.#runtime.state).history(this.#runtime.now(), page);
  }

  /** Balances of the days on which the chain brought or took something, oldest first. */
  async balanceDays(): Promise<readonly BalanceDay[]> {
    return projectionOf(this.#runtime.state).payments.days.balances();
  }

  /** Every output, spent ones included, in chain order; of one account when asked. */
  async outputs(account?: number): Promise<readonly OutputView[]> {
    return projectionOf(this.#runtime.state).coins(this.#runtime.now(), account);
  }

  /** Balances of one instant: of all, by account, by subaddress. @param strict without what is under way */
  async balances(strict = false): Promise<Balances> {
    const { state, lookup, ready } = this.inside;
    if (!strict && state.unmined.size > 0) await ready();
    return projectionOf(state).balances(this.#runtime.now(), lookup, strict);
  }

  /** The output of a key image, 64 hex digits; undefined when it is none of this wallet's. */
  outputOf(keyImage: string): OutputView | undefined {
    const entry = entryOfImage(this.#runtime.state, keyImage as KeyImage);
    return entry && outputView(this.#runtime.state, entry, this.#runtime.now());
  }

  /** Sets outputs aside, by their one-time public keys, or takes them back: one set aside is never spent. @throws `not-found`; nothing is changed then */
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

  /** Changes entries of the address book, or adds those of which it has no id: all of them in one write. @throws the address decoder's typed error, and then none */
  async saveContact(...contacts: readonly (Omit<Contact, 'id'> & { readonly id?: string })[]): Promise<void> {
    const { state, env } = this.#runtime;
    const saved = contacts.map((contact) => contactSaved(state, env.random, contact));
    if (saved.length > 0) await this.#runtime.append(saved, 'strict');
  }

  /** Nothing happens when there is no such entry. */
  async removeContact(id: string): Promise<void> {
    if (this.#runtime.state.contacts.has(id))
      await this.#runtime.append([{ type: 'ContactSet', id, contact: undefined }], 'strict');
  }

  /** Follows the chain by this daemon from now on, instead of the one before. @throws DaemonError `bad-url`, `mixed-content` */
  async setDaemon(settings: DaemonSettings): Promise<void> {
    await this.#open.connection.use(settings);
  }

  /** No daemon from now on, until another is set. */
  async leaveDaemon(): Promise<void> {
    await this.#open.connection.leave();
  }

  /** Whether a daemon answers and serves this wallet's network; nothing changes. @throws DaemonError; WalletError `wrong-network` */
  async tryDaemon(settings: DaemonSettings): Promise<void> {
    await this.#open.connection.try(settings);
  }

  /** Names a second daemon to compare chains with, or none; resolves when that is done, whether or not it worked. @throws DaemonError `bad-url` */
  async setSecondDaemon(url: string | undefined): Promise<void> {
    await this.#open.secondDaemon.choose(url);
  }

  /** Compares with the second daemon now; the view says what came of it. */
  async compareSecondDaemon(): Promise<void> {
    await this.#open.secondDaemon.compare();
  }

  /** Asks the daemon nothing more until {@link resume}. */
  async pause(): Promise<void> {
    await this.#open.connection.pause();
  }

  /** Goes on from where it was. */
  async resume(): Promise<void> {
    await this.#open.connection.resume();
  }

  /** Looks at the daemon now instead of at the next turn; resolves when that is done, whether or not it worked. */
  refresh(): Promise<void> {
    return this.#runtime.connection.refresh();
  }

  /** Looks at the daemon's pool alone, also while the scan rests; resolves in three seconds at the most, whatever came of it. */
  lookAtPool(): Promise<void> {
    return this.#runtime.connection.lookAtPool();
  }

  /**
   * Resolves once the wallet is at its daemon's tip.
   * @throws WalletError `no-daemon` when none is set or the wallet is paused; `sync-stopped` with the cause's code as `data.code`
   */
  waitUntilSynced(): Promise<void> {
    return this.#runtime.connection.waitUntilSynced();
  }

  /** Scans again from a height; facts of the person stay. */
  async rescan(fromHeight: number): Promise<void> {
    await this.#open.connection.rescan(fromHeight);
  }

  /**
   * The person's word that a refused transaction was not passed on, or is meant to be paid beside others: later payments need not share
   * an input with it. @throws WalletError `not-found`
   */
  async giveUpRefused(txHash: string): Promise<void> {
    await this.#open.append([refusalSettled(this.#runtime.state, txHash)], 'strict');
  }

  /**
   * The person's word that the decoys kept for these coins are given up, and new ones drawn for the next payment: whoever saw a payment with
   * the earlier ones can tell which coins are ours (T3). Only coins that a reorganisation has moved since.
   * @param keyImages as the error `kept-ring-unusable` names them in `data.keyImages`
   * @throws SpendError `kept-ring-usable`; nothing is given up then
   */
  async giveUpRings(keyImages: readonly string[]): Promise<void> {
    await this.#open.append([ringsGivenUp(this.#runtime.state, keyImages)], 'strict');
  }

  /** The person's word that the words are on paper. */
  async seedWritten(): Promise<void> {
    await this.#runtime.append([{ type: 'AttributeSet', key: SEED_TO_WRITE, value: '' }], 'strict');
  }

  /**
   * The `.keys` file that the reference's programs open this wallet with, by this password, which is asked for again.
   * @param kdfRounds as the reference's `--kdf-rounds`; 1 unless told
   * @throws StorageError `wrong-password`; WalletError `view-only` while the spend key is forgotten ({@link backgroundSync})
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

  /** Seals the wallet by another password. @throws StorageError `wrong-password` */
  async changePassword(oldPassword: string, newPassword: string): Promise<void> {
    await this.#open.journal.changePassword(oldPassword, newPassword);
  }

  /** The wallet as one encrypted file, which its password opens: all that is in its journal. */
  async backup(): Promise<Uint8Array> {
    await this.#open.writer.settled();
    return this.#runtime.journal.backup();
  }

  /** Ends all work, wipes the keys, and lets go of the journal. Once closed it stays so. */
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
