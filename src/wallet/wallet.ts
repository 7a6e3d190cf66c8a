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
  FeeLevels,
  HistoryEntry,
  OnSpendProgress,
  OutputView,
  PreparedTransfer,
  PricedRequest,
  SubaddressView,
  SweepRequest,
  SyncStatus,
  TransferRequest,
  UnmixableRequest,
  WalletApi,
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
import { type NewWallet, SEED_TO_WRITE, type SeedForm } from './make.ts';
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
import { PlannedPayments } from './planned-payments.ts';
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

/**
 * An open wallet: its state, its synchronisation and its spending behind {@link WalletApi}. It lives where its keys may
 * live, a worker or a process of its own; `close` wipes them.
 */
export class Wallet implements WalletApi {
  readonly #env: WalletEnvironment;
  readonly #journal: Journal;
  readonly #keys: WalletKeys;
  readonly #state: WalletState;
  readonly #table: SubaddressTable;
  readonly #signer: KeySigner | undefined;
  readonly #views: Views;
  readonly #secondDaemon: SecondDaemon;
  readonly #payments = new PlannedPayments((progress) => this.#spendContext(progress));
  readonly #writer: StateWriter;
  readonly #connection: Connection;
  readonly #subscribers: Subscribers;
  /** Shared context of the parts; private to this room. */
  private readonly inside: WalletContext;
  /** Proofs, transaction keys and signed messages. */
  readonly proofs: Proofs;
  /** Paying in one go. */
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

  private constructor(
    name: string,
    env: WalletEnvironment,
    journal: Journal,
    keys: WalletKeys,
    state: WalletState,
    records: number,
  ) {
    this.#env = env;
    this.#journal = journal;
    this.#keys = keys;
    this.#state = state;
    this.#table = new SubaddressTable(keys);
    this.#views = new Views(name, state, keys, this.#table, () => this.#now());
    const { spendKey, viewKey } = keys;
    this.#signer = spendKey === undefined ? undefined : new KeySigner({ spendKey, viewKey }, env.random);
    this.#subscribers = new Subscribers(() => this.#view());
    const ofKeys = { state, keys, table: this.#table, views: this.#views, signer: this.#signer };
    const changed = () => {
      followGroup(ofKeys);
      this.#subscribers.changed();
    };
    this.#writer = new StateWriter(journal, state, records, changed);
    const append: StateWriter['append'] = (events, durability) => this.#writer.append(events, durability);
    this.#secondDaemon = new SecondDaemon({ state, clock: env.clock, connect: env.connect, append, changed });
    this.#connection = new Connection({
      ...{ env, state, keys, table: this.#table, writer: this.#writer, changed },
      atTip: async () => {
        this.#secondDaemon.atTip();
        await this.#writer.append(scannedThrough(state), 'strict');
        await this.#writer.compact();
      },
    });
    const still = <T>(work: () => Promise<T>): Promise<T> => this.#still(work);
    const addressOf = (index: SubaddressIndex) => this.#views.address(index);
    this.device = new WalletDevice({ state, keys, append, addressOf, still, wallet: this });
    this.inside = liveContext({
      ...{ env, state, keys, journal, table: this.#table, views: this.#views, writer: this.#writer, device: this.device },
      ...{ connection: this.#connection, signer: this.#signer, sealing: this.#sealing, ready: () => this.#ready(), still },
    });
    this.proofs = new Proofs(this.inside);
    this.transfers = new Transfers(this.inside, () => this.lookAtPool());
    this.payments = new Payments(this.inside);
    this.addresses = new Addresses(this.inside);
    this.chain = new Chain(this.inside, { rescan: (at) => this.rescan(at), subscribe: (seen) => this.#subscribers.add(seen) });
    this.accountTags = new TaggedAccounts(this.inside);
    this.notes = new Notes(this.inside);
    this.attributes = new Attributes(this.inside);
    this.secrets = new Secrets(this.inside);
    this.backgroundSync = new BackgroundSync({ state, keys, journal, signer: this.#signer, append, still });
    this.multisig = new Multisig(this.inside);
    const spend = (progress?: OnSpendProgress) => this.#spendContext(progress);
    this.cosigning = new Cosigning({ ctx: this.inside, sealing: this.#sealing, spend });
    this.group = new GroupDesk({
      ...{ ctx: this.inside, multisig: this.multisig, cosigning: this.cosigning, changed },
      passedOn: (id, progress) => this.#payments.passedOn(id, progress),
      checkPassword: (password) => this.checkPassword(password),
    });
    this.offline = new OfflineSigning(this.inside, {
      spend,
      signed: (id) => this.#payments.signed(id),
      stoppable: (work) => this.#payments.stoppable(work),
    });
  }

  /** Puts a new wallet on the backend and opens it. @internal @throws StorageError `exists` and others of the store */
  static async create(env: WalletEnvironment, name: string, password: string, made: NewWallet): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.create(name, password, made.secrets, made.first);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** Opens what is there. @internal @throws StorageError `wrong-password`, `locked`, `damaged`, `not-found`; WalletError `bad-event` */
  static async open(env: WalletEnvironment, name: string, password: string): Promise<Wallet> {
    // Compiled meanwhile. What fails there is told where it is waited for.
    loadCrypto().catch(() => undefined);
    const journal = await env.store.open(name, password);
    return Wallet.#fromJournal(env, name, journal);
  }

  /** Brings a backup file in under a name, and opens it. @internal @throws StorageError `wrong-password`, `damaged`, `exists` */
  static async restoreBackup(env: WalletEnvironment, name: string, password: string, backup: Uint8Array): Promise<Wallet> {
    await loadCrypto();
    const journal = await env.store.restore(name, password, backup);
    return Wallet.#fromJournal(env, name, journal);
  }

  static async #fromJournal(env: WalletEnvironment, name: string, journal: Journal): Promise<Wallet> {
    try {
      await loadCrypto();
      const { state, records } = await readJournal(journal);
      const wallet = new Wallet(name, env, journal, keysOf(journal.secrets, state), state, records);
      await wallet.#writer.append(unsentGivenUp(state, wallet.#now()), 'strict');
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

  async view(): Promise<WalletView> {
    return this.#view();
  }

  async subscribe(listener: (view: WalletView) => void): Promise<() => void> {
    return this.#subscribers.add(listener);
  }

  async history(page?: HistoryPage): Promise<readonly HistoryEntry[]> {
    return projectionOf(this.#state).history(this.#now(), page);
  }

  async balanceDays(): Promise<readonly BalanceDay[]> {
    return projectionOf(this.#state).payments.days.balances();
  }

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

  async setFrozen(keys: readonly string[], frozen: boolean): Promise<void> {
    await this.#writer.append(freezing(this.#state, keys, frozen), 'strict');
  }

  async subaddresses(account: number): Promise<readonly SubaddressView[]> {
    return this.#views.subaddresses(account);
  }

  async addAccount(label: string): Promise<AccountView> {
    await this.#writer.append([{ type: 'AccountAdded', label }], 'strict');
    return this.#views.account(this.#state.accounts.length - 1);
  }

  async addSubaddress(account: number, label: string): Promise<SubaddressView> {
    const minor = await this.addresses.make(account, 1, label);
    return this.#views.subaddress({ major: account, minor });
  }

  async label(index: SubaddressIndex, label: string): Promise<void> {
    await this.addresses.label(index, label);
  }

  async note(txHash: string, note: string): Promise<void> {
    await this.notes.write([{ txHash, note }]);
  }

  async contacts(): Promise<readonly Contact[]> {
    return contactsOf(this.#state);
  }

  async saveContact(contact: Parameters<WalletApi['saveContact']>[0]): Promise<void> {
    await this.#writer.append([contactSaved(this.#state, this.#env.random, contact)], 'strict');
  }

  async removeContact(id: string): Promise<void> {
    if (this.#state.contacts.has(id)) await this.#writer.append([{ type: 'ContactSet', id, contact: undefined }], 'strict');
  }

  async setDaemon(settings: DaemonSettings): Promise<void> {
    this.#requireOpen();
    await this.#connection.use(settings);
  }

  /** No daemon from now on, until another is set. */
  async leaveDaemon(): Promise<void> {
    this.#requireOpen();
    await this.#connection.leave();
  }

  async tryDaemon(settings: DaemonSettings): Promise<void> {
    this.#requireOpen();
    await this.#connection.try(settings);
  }

  async setSecondDaemon(url: string | undefined): Promise<void> {
    this.#requireOpen();
    await this.#secondDaemon.choose(url);
  }

  async compareSecondDaemon(): Promise<void> {
    this.#requireOpen();
    await this.#secondDaemon.compare();
  }

  async pause(): Promise<void> {
    this.#requireOpen();
    await this.#connection.pause();
  }

  async resume(): Promise<void> {
    this.#requireOpen();
    await this.#connection.resume();
  }

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

  async rescan(fromHeight: number): Promise<void> {
    this.#requireOpen();
    await this.#connection.rescan(fromHeight);
  }

  async giveUpRefused(txHash: string): Promise<void> {
    this.#requireOpen();
    await this.#writer.append([refusalSettled(this.#state, txHash)], 'strict');
  }

  async giveUpRings(keyImages: readonly string[]): Promise<void> {
    this.#requireOpen();
    await this.#writer.append([ringsGivenUp(this.#state, keyImages)], 'strict');
  }

  async feeLevels(request: PricedRequest): Promise<FeeLevels> {
    return this.payments.feeLevels(request);
  }

  async prepareTransfer(request: TransferRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#payments.prepare({ ...request, kind: 'transfer' }, onProgress);
  }

  async prepareSweep(request: SweepRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#payments.prepare({ ...request, kind: 'sweep' }, onProgress);
  }

  /**
   * Makes ready to send back what nothing can hide: coins from before RingCT that have fewer others of their amount than a ring needs.
   * Everybody will see which coins are spent and what they are worth. Undefined when there is nothing of the kind, by the daemon's count.
   * @throws SpendError; DaemonError
   */
  async prepareUnmixable(request: UnmixableRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer | undefined> {
    const prepared = await this.#payments.prepare({ ...request, kind: 'unmixable' }, onProgress);
    return prepared.transactions.length > 0 ? prepared : undefined;
  }

  async cancelPreparing(): Promise<void> {
    this.#payments.cancel();
  }

  async send(preparedId: string, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    return this.#payments.send(preparedId, onProgress);
  }

  async discard(preparedId: string): Promise<void> {
    this.#payments.discard(preparedId);
  }

  async revealSeed(password: string, form?: SeedForm): Promise<string> {
    await this.checkPassword(password);
    return this.secrets.words(form);
  }

  async seedWritten(): Promise<void> {
    await this.#writer.append([{ type: 'AttributeSet', key: SEED_TO_WRITE, value: '' }], 'strict');
  }

  async exportKeysFile(password: string, kdfRounds = 1): Promise<Uint8Array> {
    await this.checkPassword(password);
    return keysFileOf(this.#journal.secrets, this.#state, password, this.#env.random, kdfRounds);
  }

  async checkPassword(password: string): Promise<void> {
    this.#requireOpen();
    await this.#journal.checkPassword(password);
  }

  async changePassword(oldPassword: string, newPassword: string): Promise<void> {
    this.#requireOpen();
    await this.#journal.changePassword(oldPassword, newPassword);
  }

  async backup(): Promise<Uint8Array> {
    this.#requireOpen();
    await this.#writer.settled();
    return this.#journal.backup();
  }

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
    this.#payments.clear();
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

  async #still<T>(work: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    return this.#connection.still(work);
  }

  /** Resolves once every subaddress of the lookahead can be recognised. */
  async #ready(): Promise<void> {
    this.#requireOpen();
    await this.#table.grow(this.#state, nextTurn);
  }

  #spendContext(progress?: OnSpendProgress): SpendContext {
    this.#requireOpen();
    return { ...spendContextOf(this.inside), progress };
  }

  #view(): WalletView {
    return this.#views.wallet(this.#connection.status, this.#secondDaemon.view, this.group.status);
  }

  #now(): number {
    return secondsOf(this.#env.clock);
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new WalletError('closed', 'expected an open wallet');
  }
}
