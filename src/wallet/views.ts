import { valueAt } from '../base/index.ts';
import { isUnlockHeight, SPENDABLE_AGE } from '../protocol/index.ts';
import { addressDisplayOf } from './address-display.ts';
import type {
  AccountView,
  Balance,
  RestorePointView,
  SecondDaemonView,
  SubaddressView,
  SyncStatus,
  Unlock,
  WalletView,
} from './api.ts';
import { RESTORE_DATE, RESTORED_FROM, SEED_TO_WRITE } from './create-wallet.ts';
import { WalletError } from './errors.ts';
import type { GroupStatus } from './group-api.ts';
import type { WalletKeys } from './keys.ts';
import type { SubaddressIndex } from './model.ts';
import { type Balances, type Funds, projectionOf } from './projection/index.ts';
import { type AccountEntry, indexKey, type WalletState } from './state/state.ts';
import type { SubaddressTable } from './subaddresses.ts';

/** Makes the views of the state that the page and the library see. Addresses are computed once. */
export class Views {
  /** Name under which it is stored. */
  readonly name: string;
  readonly #state: WalletState;
  readonly #keys: WalletKeys;
  readonly #table: SubaddressTable;
  readonly #now: () => number;
  readonly #addresses = new Map<string, string>();

  /** @param now unix seconds */
  constructor(name: string, state: WalletState, keys: WalletKeys, table: SubaddressTable, now: () => number) {
    this.name = name;
    this.#state = state;
    this.#keys = keys;
    this.#table = table;
    this.#now = now;
  }

  /** Forgets computed addresses because the wallet's keys have changed. */
  clear(): void {
    this.#addresses.clear();
  }

  /** The whole view at this instant. */
  wallet(sync: SyncStatus, secondDaemon: SecondDaemonView | undefined, group: GroupStatus | undefined): WalletView {
    const { description, accounts, lookahead, version } = this.#state;
    const balances = this.#balances();
    const all = balances.all();
    return {
      name: this.name,
      kind: description.kind,
      network: description.network,
      primaryAddress: description.primaryAddress,
      balance: viewOf(all, this.#state.height),
      frozenAmount: all.aside,
      unseen: projectionOf(this.#state).unseenSpends(),
      accounts: accounts.map((_, major) => this.account(major, balances)),
      restore: restorePoint(this.#state),
      lookahead,
      seedToWrite: (this.#state.attributes.get(SEED_TO_WRITE) ?? '') !== '',
      sync,
      secondDaemon,
      group,
      version,
    };
  }

  /** @throws WalletError `no-such-account` */
  account(major: number, balances = this.#balances()): AccountView {
    const label = this.entry(major).labels[0] ?? '';
    return {
      account: major,
      label,
      address: this.address({ major, minor: 0 }),
      balance: viewOf(balances.account(major), this.#state.height),
    };
  }

  /** All addresses that were made or used. @throws WalletError `no-such-account` */
  subaddresses(major: number): SubaddressView[] {
    const balances = this.#balances();
    return this.entry(major).labels.map((_, minor) => this.subaddress({ major, minor }, balances));
  }

  /** @throws WalletError `no-such-account` */
  subaddress(index: SubaddressIndex, balances = this.#balances()): SubaddressView {
    return {
      index,
      address: this.address(index),
      label: this.entry(index.major).labels[index.minor] ?? '',
      used: this.#state.used.has(indexKey(index)),
      display: addressDisplayOf(this.#state, index),
      balance: viewOf(balances.subaddress(index), this.#state.height),
    };
  }

  /** @throws WalletError `no-such-account` */
  entry(major: number): AccountEntry {
    const account = this.#state.accounts[major];
    if (account === undefined) throw new WalletError('no-such-account', 'expected an account that was made', { account: major });
    return account;
  }

  /** The address at an index: 95 characters. Each is computed once. */
  address(index: SubaddressIndex): string {
    return valueAt(this.#addresses, indexKey(index), () => this.#keys.address(index));
  }

  #balances(): Balances {
    return projectionOf(this.#state).balances(this.#now(), (address) => this.#table.lookup(address));
  }
}

/** Change is locked from the block that brings it. @param height next block to scan */
function viewOf(funds: Funds, height: number): Balance {
  const { mined, returning, unlocked, incoming, blocksToUnlock } = funds;
  const blocks = returning > 0n ? Math.max(blocksToUnlock, SPENDABLE_AGE) : blocksToUnlock;
  return { total: mined + returning, unlocked, blocksToUnlock: blocks, unlocks: unlocksOf(funds, height), incoming };
}

function unlocksOf({ unlocks, returning }: Funds, height: number): Unlock[] {
  const byBlocks = new Map<number, bigint>(returning > 0n ? [[SPENDABLE_AGE, returning]] : []);
  const byTime: Unlock[] = [];
  for (const [when, amount] of unlocks ?? []) {
    const blocks = Number(when) - height;
    if (isUnlockHeight(when)) byBlocks.set(blocks, (byBlocks.get(blocks) ?? 0n) + amount);
    else byTime.push({ amount, blocks: 0, time: Number(when) });
  }
  const waiting = [...byBlocks].map(([blocks, amount]): Unlock => ({ amount, blocks, time: undefined }));
  return [...waiting.sort((a, b) => a.blocks - b.blocks), ...byTime.sort((a, b) => (a.time ?? 0) - (b.time ?? 0))];
}

function restorePoint({ attributes, description }: WalletState): RestorePointView {
  const wanted = attributes.get(RESTORE_DATE) ?? '';
  if (wanted !== '') return { height: undefined, date: Number(wanted) };
  const [height, date] = (attributes.get(RESTORED_FROM) ?? '').split(' ');
  const { restoreHeight } = description;
  return { height: restoreHeight, date: Number(height) === restoreHeight && date !== undefined ? Number(date) : undefined };
}
