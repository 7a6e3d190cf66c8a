import { secondsOf } from '../../base/index.ts';
import type { Random } from '../../crypto/index.ts';
import { addressesKnownAgain } from '../addresses-unknown.ts';
import type { OnSpendProgress, WalletView } from '../api.ts';
import type { WalletContext } from '../context.ts';
import { WalletDevice } from '../device/wallet-device.ts';
import type { WalletEnvironment } from '../environment.ts';
import { WalletError } from '../errors.ts';
import type { WalletKeys } from '../keys.ts';
import type { SubaddressIndex } from '../model.ts';
import { GroupSealing } from '../multisig/sealing.ts';
import type { Durability, Journal } from '../ports.ts';
import { isPending } from '../projection/index.ts';
import { KeySigner, type SpendContext, spendContextOf } from '../spend/index.ts';
import type { WalletEvent } from '../state/events.ts';
import type { WalletState } from '../state/state.ts';
import { SubaddressTable } from '../subaddresses.ts';
import { SecondDaemon } from '../sync/second-daemon.ts';
import { Views } from '../views.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { Connection } from './connection.ts';
import { adoptGroupKeys, wipeAccount } from './group-keys.ts';
import { liveContext } from './live-context.ts';
import { Subscribers } from './subscribers.ts';
import { StateWriter } from './writer.ts';

/** Input for opening a wallet: its environment, name and the contents of its journal. */
export interface Opened {
  readonly name: string;
  readonly env: WalletEnvironment;
  readonly journal: Journal;
  readonly keys: WalletKeys;
  readonly state: WalletState;
  /** Number of records in the journal. */
  readonly records: number;
}

/** The wallet that owns a runtime. */
export interface RuntimeOwner {
  /** The view that subscribers receive. */
  view(): WalletView;
  /** Drops payments that are prepared or being sent, when the wallet closes. */
  dropPayments(): void;
  /** Brings what is a copy of the wallet up to date with its last state. */
  updateCopy(): Promise<void>;
}

/** The core of an open wallet: state and writer, keys and what depends on them, the connection to its daemon. Closes all of it. */
export class WalletRuntime {
  readonly env: WalletEnvironment;
  readonly journal: Journal;
  readonly keys: WalletKeys;
  readonly state: WalletState;
  readonly random: Random;
  readonly table: SubaddressTable;
  readonly views: Views;
  readonly signer: KeySigner | undefined;
  readonly subscribers: Subscribers;
  readonly writer: StateWriter;
  readonly secondDaemon: SecondDaemon;
  readonly connection: Connection;
  readonly device: WalletDevice;
  readonly sealing = new GroupSealing();
  /** The context from which the wallet's parts are made. */
  readonly context: WalletContext;
  readonly #owner: RuntimeOwner;
  #closing: Promise<void> | undefined;

  constructor({ name, env, journal, keys, state, records }: Opened, owner: RuntimeOwner) {
    this.env = env;
    this.journal = journal;
    this.keys = keys;
    this.state = state;
    this.random = env.random;
    this.#owner = owner;
    this.table = new SubaddressTable(keys);
    this.views = new Views(name, state, keys, this.table, this.now);
    const { spendKey, viewKey } = keys;
    this.signer = spendKey === undefined ? undefined : new KeySigner({ spendKey, viewKey }, env.random);
    this.subscribers = new Subscribers(() => owner.view());
    this.writer = new StateWriter(journal, state, records, this.changed);
    const { connect, clock } = env;
    this.secondDaemon = new SecondDaemon({ state, clock, connect, append: this.append, changed: this.changed });
    this.connection = new Connection(this);
    this.device = new WalletDevice(this);
    this.context = liveContext(this);
  }

  /** Unix seconds. */
  readonly now = (): number => secondsOf(this.env.clock);

  /** Whether the daemon may learn what is ours (T24). */
  get trusted(): boolean {
    return this.connection.trusted;
  }

  readonly append = (events: readonly WalletEvent[], durability: Durability): Promise<void> =>
    this.writer.append(events, durability);

  readonly addressOf = (index: SubaddressIndex): string => this.views.address(index);

  /** Updates everything that depends on the state. */
  readonly changed = (): void => {
    adoptGroupKeys(this);
    this.subscribers.changed();
  };

  /** Housekeeping, when the daemon has nothing new. */
  readonly atTip = async (): Promise<void> => {
    this.secondDaemon.atTip();
    await this.append(addressesKnownAgain(this.state), 'strict');
    await this.writer.compact();
  };

  /** Runs `work` while no scan is running; the scan continues afterwards. @throws WalletError `closed` */
  readonly still = async <T>(work: () => Promise<T>): Promise<T> => {
    this.requireOpen();
    return this.connection.still(work);
  };

  /** Resolves once every subaddress of the lookahead can be recognised. @throws WalletError `closed` */
  readonly ready = async (): Promise<void> => {
    this.requireOpen();
    await this.table.grow(this.state, yieldToEventLoop);
  };

  /** The context of a payment. @throws WalletError `closed`, `no-daemon` */
  readonly spend = (progress?: OnSpendProgress): SpendContext => {
    this.requireOpen();
    return { ...spendContextOf(this.context), progress };
  };

  /** Resolves at the daemon's tip. @throws WalletError `no-daemon`, `sync-stopped` */
  waitUntilSynced(): Promise<void> {
    return this.connection.waitUntilSynced();
  }

  /** The change of pending transactions is recognised by address, which needs the address table before there is a daemon. */
  prepareLookup(): void {
    const underWay = [...this.state.unmined].some((txHash) => isPending(this.state, this.state.sent.get(txHash)!));
    if (underWay) void this.table.grow(this.state, yieldToEventLoop).then(() => this.subscribers.changed());
  }

  /** @throws WalletError `closed` as soon as {@link close} is called */
  requireOpen(): void {
    if (this.#closing !== undefined) throw new WalletError('closed', 'expected an open wallet');
  }

  /** Stops all work, wipes the keys, and releases the journal. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.connection.settled();
    await this.secondDaemon.stop();
    await this.connection.close();
    await this.writer.end();
    this.subscribers.end();
    this.#owner.dropPayments();
    // A copy that cannot be written is an older one, no loss: it reads the chain again.
    await this.#owner.updateCopy().catch(() => undefined);
    await this.device.release();
    await this.journal.close();
    this.signer?.close();
    this.keys.wipe();
    this.sealing.wipe();
    wipeAccount(this.state);
  }
}
