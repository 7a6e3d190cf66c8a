import { secondsOf } from '../base/index.ts';
import { loadCrypto } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { KeyImage } from '../protocol/model.ts';
import { TaggedAccounts } from './account-tags.ts';
import { Addresses } from './addresses.ts';
import type {
  AccountView,
  BalanceDay,
  DaemonSettings,
  HistoryEntry,
  OnSpendProgress,
  OutputView,
  SubaddressView,
  SyncStatus,
  WalletView,
} from './api.ts';
import { Chain } from './chain.ts';
import { Attributes } from './client-attributes.ts';
import { type Contact, contactSaved, contactsOf } from './contacts.ts';
import type { WalletContext } from './context.ts';
import { WalletDevice } from './device/wallet-device.ts';
import type { WalletEnvironment } from './environment.ts';
import { WalletError } from './errors.ts';
import { freezing } from './frozen.ts';
import { scannedThrough } from './given-addresses.ts';
import type { WalletKeys } from './keys.ts';
import { type NewWallet, SEED_TO_WRITE } from './make.ts';
import type { SubaddressIndex, WalletDescription } from './model.ts';
import { Cosigning } from './multisig/cosigning.ts';
import { GroupDesk } from './multisig/desk.ts';
import { Multisig } from './multisig/multisig.ts';
import { GroupSealing } from './multisig/sealing.ts';
import { nextTurn } from './next-turn.ts';
import { Notes } from './notes.ts';
import { OfflineSigning } from './offline-signing/offline-signing.ts';
import { keysFileOf } from './offline-signing/reference-files.ts';
import { Payments } from './payments.ts';
import type { Journal } from './ports.ts';
import { type Balances, type HistoryPage, isUnderWay, outputView, projectionOf, Transfers } from './projection/index.ts';
import { Proofs } from './proofs/proofs.ts';
import { refusalSettled } from './refusals.ts';
import { BackgroundSync } from './runtime/background.ts';
import { Connection } from './runtime/connection.ts';
import { followGroup, keysOf, wipeAccount } from './runtime/group-keys.ts';
import { liveContext } from './runtime/live-context.ts';
import { readJournal } from './runtime/read-journal.ts';
import { Subscribers } from './runtime/subscribers.ts';
import { StateWriter } from './runtime/writer.ts';
import { Secrets } from './secrets.ts';
import { KeySigner, ringsGivenUp, type SpendContext, spendContextOf, unsentGivenUp } from './spend/index.ts';
import { entryOfImage, type WalletState } from './state/state.ts';
import { SubaddressTable } from './subaddresses.ts';
import { SecondDaemon } from './sync/second-daemon.ts';
import { Views } from './views.ts';

/** What a wallet is opened with: its place, and what its journal says. */
interface Opened {
  readonly name: string;
  readonly env: WalletEnvironment;
  readonly journal: Journal;
  readonly keys: WalletKeys;
  readonly state: WalletState;
  /** How many records the journal has. */
  readonly records: number;
}

/** An open wallet. It lives where its keys may live, a worker or a process of its own; `close` wipes them. */
export class Wallet {
  readonly #env: WalletEnvironment;
  readonly #journal: Journal;
  readonly #keys: WalletKeys;
  readonly #state: WalletState;
  readonly #table: SubaddressTable;
  readonly #signer: KeySigner | undefined;
  readonly #views: Views;
  readonly #secondDaemon: SecondDaemon;
  readonly #writer: StateWriter;
  readonly #connection: Connection;
  readonly #subscribers: Subscribers;
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
  readonly group: GroupDesk;
  /** Files of the reference wallet: the way to a cold or view-only half, and to other programs of the same keys. */
  readonly offline: OfflineSigning;
  readonly #sealing = new GroupSealing();
  #closing: Promise<void> | undefined;

  private constructor({ name, env, journal, keys, state, records }: Opened) {
    this.#env = env;
    this.#journal = journal;
    this.#keys = keys;
    this.#state = state;
    this.#table = new SubaddressTable(keys);
    this.#views = new Views(name, state, keys, this.#table, this.#now);
    const { spendKey, viewKey } = keys;
    this.#signer = spendKey === undefined ? undefined : new KeySigner({ spendKey, viewKey }, env.random);
    this.#subscribers = new Subscribers(() => this.#view());
    const { connect, clock } = env;
    const changed = this.#changed;
    this.#writer = new StateWriter(journal, state, records, changed);
    const append: StateWriter['append'] = (events, durability) => this.#writer.append(events, durability);
    this.#secondDaemon = new SecondDaemon({ state, clock, connect, append, changed });
    const following = { env, state, keys, table: this.#table, writer: this.#writer, changed };
    this.#connection = new Connection({ ...following, atTip: () => this.#atTip() });
    const still = this.#still;
    const addressOf = (index: SubaddressIndex) => this.#views.address(index);
    const isTrusted = () => this.#connection.trusted;
    this.device = new WalletDevice({ state, keys, random: env.random, isTrusted, append, addressOf, still, wallet: this });
    this.inside = this.#context();
    this.proofs = new Proofs(this.inside);
    this.transfers = new Transfers(this.inside, () => this.lookAtPool());
    this.payments = new Payments(this.inside, this.#spendContext);
    this.addresses = new Addresses(this.inside);
    this.chain = new Chain(this.inside, {
      rescan: (at) => this.rescan(at),
      see: (height) => this.#connection.see(height),
      subscribe: (seen) => this.#subscribers.add(seen),
    });
    this.accountTags = new TaggedAccounts(this.inside);
    this.notes = new Notes(this.inside);
    this.attributes = new Attributes(this.inside);
    this.secrets = new Secrets(this.inside);
    this.backgroundSync = new BackgroundSync({
      ...{ state, keys, journal, signer: this.#signer, writer: this.#writer, still, random: env.random, isTrusted },
    });
    this.multisig = new Multisig(this.inside);
    this.cosigning = new Cosigning({ ctx: this.inside, sealing: this.#sealing, spend: this.#spendContext });
    this.group = this.#desk();
    this.offline = new OfflineSigning(this.inside, { spend: this.#spendContext, payments: this.payments });
  }

  #context(): WalletContext {
    return liveContext({
      ...{ env: this.#env, state: this.#state, keys: this.#keys, journal: this.#journal, table: this.#table, views: this.#views },
      ...{ writer: this.#writer, connection: this.#connection, signer: this.#signer, device: this.device },
      ...{ sealing: this.#sealing, ready: () => this.#ready(), still: this.#still },
    });
  }

  #desk(): GroupDesk {
    return new GroupDesk({
      ...{ ctx: this.inside, multisig: this.multisig, cosigning: this.cosigning, payments: this.payments },
      changed: this.#changed,
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

  static async #fromJournal(env: WalletEnvironment, name: string, journal: Journal): Promise<Wallet> {
    try {
      await loadCrypto();
      const { state, records } = await readJournal(journal);
      // Without room to write it is opened all the same.
      await journal.label(state.description).catch(() => undefined);
      const wallet = new Wallet({ name, env, journal, keys: keysOf(journal.secrets, state), state, records });
      await wallet.#writer.append(unsentGivenUp(state, wallet.#now()), 'strict');
      await wallet.backgroundSync.recover();
      wallet.#prepareLookup();
      return wallet;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Fixed facts of the wallet; only the network may still be told by its first daemon. */
  get description(): WalletDescription {
    return this.#state.description;
  }

  /** The daemon set last. */
  get daemon(): DaemonClient | undefined {
    return this.#connection.daemon;
  }

  /** Whether the daemon set last may be asked about single transactions and key images (T24). */
  get isDaemonTrusted(): boolean {
    return this.#connection.trusted;
  }

  /** The daemon that the person chose for this wallet last: to be set again when it is opened. */
  get savedDaemon(): DaemonSettings | undefined {
    return this.#connection.remembered;
  }

  /** How far it has read the chain; the same as in {@link view}, for less. */
  get sync(): SyncStatus {
    return this.#connection.status;
  }

  /** The wallet as it is now. */
  async view(): Promise<WalletView> {
    return this.#view();
  }

  /** Called with a fresh view after every change, at most twenty times a second. Returns the unsubscriber. */
  async subscribe(listener: (view: WalletView) => void): Promise<() => void> {
    return this.#subscribers.add(listener);
  }

  /** Its payments, the newest first: of one account when asked, `limit` of them from `offset` on. */
  async history(page?: HistoryPage): Promise<readonly HistoryEntry[]> {
    return projectionOf(this.#state).history(this.#now(), page);
  }

  /** Balances of the days on which the chain brought or took something, oldest first. */
  async balanceDays(): Promise<readonly BalanceDay[]> {
    return projectionOf(this.#state).payments.days.balances();
  }

  /** Every output, spent ones included, in chain order; of one account when asked. */
  async outputs(account?: number): Promise<readonly OutputView[]> {
    return projectionOf(this.#state).coins(this.#now(), account);
  }

  /** Balances of one instant: of all, by account, by subaddress. @param strict without what is under way */
  async balances(strict = false): Promise<Balances> {
    const { state, lookup, ready } = this.inside;
    if (!strict && state.unmined.size > 0) await ready();
    return projectionOf(state).balances(this.#now(), lookup, strict);
  }

  /** The output of a key image, 64 hex digits; undefined when it is none of this wallet's. */
  outputOf(keyImage: string): OutputView | undefined {
    const entry = entryOfImage(this.#state, keyImage as KeyImage);
    return entry && outputView(this.#state, entry, this.#now());
  }

  /** Sets outputs aside, by their one-time public keys, or takes them back: one set aside is never spent. @throws `not-found`; nothing is changed then */
  async setFrozen(keys: readonly string[], frozen: boolean): Promise<void> {
    await this.#writer.append(freezing(this.#state, keys, frozen), 'strict');
  }

  /** The addresses of an account, with their balances. @throws WalletError `no-such-account` */
  async subaddresses(account: number): Promise<readonly SubaddressView[]> {
    return this.#views.subaddresses(account);
  }

  /** Makes an account with one address. */
  async addAccount(label: string): Promise<AccountView> {
    await this.#writer.append([{ type: 'AccountAdded', label }], 'strict');
    return this.#views.account(this.#state.accounts.length - 1);
  }

  /** The address book, in the order in which it was filled. */
  async contacts(): Promise<readonly Contact[]> {
    return contactsOf(this.#state);
  }

  /** Changes an entry of the address book, or adds one where none has this id. @throws the address decoder's typed error */
  async saveContact(contact: Omit<Contact, 'id'> & { readonly id?: string }): Promise<void> {
    await this.#writer.append([contactSaved(this.#state, this.#env.random, contact)], 'strict');
  }

  /** Nothing happens when there is no such entry. */
  async removeContact(id: string): Promise<void> {
    if (this.#state.contacts.has(id)) await this.#writer.append([{ type: 'ContactSet', id, contact: undefined }], 'strict');
  }

  /** Follows the chain by this daemon from now on, instead of the one before. @throws DaemonError `bad-url`, `mixed-content` */
  async setDaemon(settings: DaemonSettings): Promise<void> {
    this.#requireOpen();
    await this.#connection.use(settings);
  }

  /** No daemon from now on, until another is set. */
  async leaveDaemon(): Promise<void> {
    this.#requireOpen();
    await this.#connection.leave();
  }

  /** Whether a daemon answers and serves this wallet's network; nothing changes. @throws DaemonError; WalletError `wrong-network` */
  async tryDaemon(settings: DaemonSettings): Promise<void> {
    this.#requireOpen();
    await this.#connection.try(settings);
  }

  /** Names a second daemon to compare chains with, or none; resolves when that is done, whether or not it worked. @throws DaemonError `bad-url` */
  async setSecondDaemon(url: string | undefined): Promise<void> {
    this.#requireOpen();
    await this.#secondDaemon.choose(url);
  }

  /** Compares with the second daemon now; the view says what came of it. */
  async compareSecondDaemon(): Promise<void> {
    this.#requireOpen();
    await this.#secondDaemon.compare();
  }

  /** Asks the daemon nothing more until {@link resume}. */
  async pause(): Promise<void> {
    this.#requireOpen();
    await this.#connection.pause();
  }

  /** Goes on from where it was. */
  async resume(): Promise<void> {
    this.#requireOpen();
    await this.#connection.resume();
  }

  /** Looks at the daemon now instead of at the next turn; resolves when that is done, whether or not it worked. */
  refresh(): Promise<void> {
    return this.#connection.refresh();
  }

  /** Looks at the daemon's pool alone, also while the scan rests; resolves in three seconds at the most, whatever came of it. */
  lookAtPool(): Promise<void> {
    return this.#connection.lookAtPool();
  }

  /**
   * Resolves once the wallet is at its daemon's tip.
   * @throws WalletError `no-daemon` when none is set or the wallet is paused; `sync-stopped` with the cause's code as `data.code`
   */
  waitUntilSynced(): Promise<void> {
    return this.#connection.waitUntilSynced();
  }

  /** Scans again from a height; facts of the person stay. */
  async rescan(fromHeight: number): Promise<void> {
    this.#requireOpen();
    await this.#connection.rescan(fromHeight);
  }

  /**
   * The person's word that a refused transaction was not passed on, or is meant to be paid beside others: later payments need not share
   * an input with it. @throws WalletError `not-found`
   */
  async giveUpRefused(txHash: string): Promise<void> {
    this.#requireOpen();
    await this.#writer.append([refusalSettled(this.#state, txHash)], 'strict');
  }

  /**
   * The person's word that the decoys kept for these coins are given up, and new ones drawn for the next payment: whoever saw a payment with
   * the earlier ones can tell which coins are ours (T3). Only coins that a reorganisation has moved since.
   * @param keyImages as the error `kept-ring-unusable` names them in `data.keyImages`
   * @throws SpendError `kept-ring-usable`; nothing is given up then
   */
  async giveUpRings(keyImages: readonly string[]): Promise<void> {
    this.#requireOpen();
    await this.#writer.append([ringsGivenUp(this.#state, keyImages)], 'strict');
  }

  /** The person's word that the words are on paper. */
  async seedWritten(): Promise<void> {
    await this.#writer.append([{ type: 'AttributeSet', key: SEED_TO_WRITE, value: '' }], 'strict');
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
    return keysFileOf(this.#journal.secrets, this.#state, password, this.#env.random, kdfRounds);
  }

  /** Whether this is the wallet's password. @throws StorageError `wrong-password` */
  async checkPassword(password: string): Promise<void> {
    this.#requireOpen();
    await this.#journal.checkPassword(password);
  }

  /** Seals the wallet by another password. @throws StorageError `wrong-password` */
  async changePassword(oldPassword: string, newPassword: string): Promise<void> {
    this.#requireOpen();
    await this.#journal.changePassword(oldPassword, newPassword);
  }

  /** The wallet as one encrypted file, which its password opens: all that is in its journal. */
  async backup(): Promise<Uint8Array> {
    this.#requireOpen();
    await this.#writer.settled();
    return this.#journal.backup();
  }

  /** Ends all work, wipes the keys, and lets go of the journal. Once closed it stays so. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#connection.settled();
    await this.#secondDaemon.stop();
    await this.#connection.close();
    await this.#writer.end();
    this.#subscribers.end();
    this.payments.clear();
    await this.device.release();
    await this.#journal.close();
    this.#signer?.close();
    this.#keys.wipe();
    this.#sealing.wipe();
    wipeAccount(this.#state);
  }

  /** The change of transactions under way is recognised by address, which needs the address table before there is a daemon. */
  #prepareLookup(): void {
    const underWay = [...this.#state.unmined].some((txHash) => isUnderWay(this.#state, this.#state.sent.get(txHash)!));
    if (underWay) void this.#table.grow(this.#state, nextTurn).then(() => this.#subscribers.changed());
  }

  /** What follows from any change of the state. */
  readonly #changed = (): void => {
    followGroup({ state: this.#state, keys: this.#keys, table: this.#table, views: this.#views, signer: this.#signer });
    this.#subscribers.changed();
  };

  async #atTip(): Promise<void> {
    this.#secondDaemon.atTip();
    await this.#writer.append(scannedThrough(this.#state), 'strict');
    await this.#writer.compact();
  }

  readonly #still = async <T>(work: () => Promise<T>): Promise<T> => {
    this.#requireOpen();
    return this.#connection.still(work);
  };

  /** Resolves once every subaddress of the lookahead can be recognised. */
  async #ready(): Promise<void> {
    this.#requireOpen();
    await this.#table.grow(this.#state, nextTurn);
  }

  readonly #spendContext = (progress?: OnSpendProgress): SpendContext => {
    this.#requireOpen();
    return { ...spendContextOf(this.inside), progress };
  };

  #view(): WalletView {
    return this.#views.wallet(this.#connection.status, this.#secondDaemon.view, this.group.status);
  }

  readonly #now = (): number => secondsOf(this.#env.clock);

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new WalletError('closed', 'expected an open wallet');
  }
}
