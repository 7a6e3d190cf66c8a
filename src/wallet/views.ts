import type { AccountView, RestorePointView, SubaddressView, SyncStatus, UnseenSpends, WalletView, WitnessView } from './api.ts';
import { type Balances, balances, setAside } from './balance.ts';
import { WalletError } from './errors.ts';
import type { WalletKeys } from './keys.ts';
import { RESTORE_DATE, RESTORED_FROM } from './make.ts';
import type { SubaddressIndex } from './model.ts';
import { type AccountEntry, indexKey, type WalletState } from './state.ts';
import type { SubaddressTable } from './subaddresses.ts';
import { unseenSpends } from './unseen.ts';

/** Makes what a door sees out of the state. Balances and addresses are worked out once. */
export class Views {
  readonly #name: string;
  readonly #state: WalletState;
  readonly #keys: WalletKeys;
  readonly #table: SubaddressTable;
  readonly #now: () => number;
  readonly #addresses = new Map<string, string>();
  #unseen: { readonly version: number; readonly value: UnseenSpends | undefined } | undefined;
  #balances: { readonly version: number; readonly second: number; readonly value: Balances } | undefined;

  /** @param now unix seconds */
  constructor(name: string, state: WalletState, keys: WalletKeys, table: SubaddressTable, now: () => number) {
    this.#name = name;
    this.#state = state;
    this.#keys = keys;
    this.#table = table;
    this.#now = now;
  }

  wallet(sync: SyncStatus, witness: WitnessView | undefined): WalletView {
    const { description, accounts, version } = this.#state;
    return {
      name: this.#name,
      kind: description.kind,
      network: description.network,
      primaryAddress: description.primaryAddress,
      balance: this.#balancesNow().all,
      setAside: setAside(this.#state),
      unseen: this.#unseenNow(),
      accounts: accounts.map((_, major) => this.account(major)),
      restore: restorePoint(this.#state),
      sync,
      witness,
      version,
    };
  }

  /** @throws WalletError `no-such-account` */
  account(major: number): AccountView {
    const label = this.entry(major).labels[0] ?? '';
    return { account: major, label, address: this.address({ major, minor: 0 }), balance: this.#balancesNow().account(major) };
  }

  /** @throws WalletError `no-such-account` */
  subaddress(index: SubaddressIndex): SubaddressView {
    return {
      index,
      address: this.address(index),
      label: this.entry(index.major).labels[index.minor] ?? '',
      used: this.#state.used.has(indexKey(index)),
      balance: this.#balancesNow().subaddress(index),
    };
  }

  /** @throws WalletError `no-such-account` */
  entry(major: number): AccountEntry {
    const account = this.#state.accounts[major];
    if (account === undefined) throw new WalletError('no-such-account', 'expected an account that was made', { account: major });
    return account;
  }

  address(index: SubaddressIndex): string {
    const key = indexKey(index);
    let address = this.#addresses.get(key);
    if (address === undefined) {
      address = this.#keys.address(index);
      this.#addresses.set(key, address);
    }
    return address;
  }

  /** For the next asker, what comes back to us is looked at anew: more of our addresses are known. */
  forget(): void {
    this.#balances = undefined;
  }

  #unseenNow(): UnseenSpends | undefined {
    const { version } = this.#state;
    if (this.#unseen?.version !== version) this.#unseen = { version, value: unseenSpends(this.#state) };
    return this.#unseen.value;
  }

  #balancesNow(): Balances {
    const second = this.#now();
    const { version } = this.#state;
    if (this.#balances?.version !== version || this.#balances.second !== second) {
      const value = balances(this.#state, second, (address) => this.#table.lookup(address));
      this.#balances = { version, second, value };
    }
    return this.#balances.value;
  }
}

function restorePoint({ attributes, description }: WalletState): RestorePointView {
  const wanted = attributes.get(RESTORE_DATE) ?? '';
  if (wanted !== '') return { height: undefined, date: Number(wanted) };
  const [height, date] = (attributes.get(RESTORED_FROM) ?? '').split(' ');
  const { restoreHeight } = description;
  return { height: restoreHeight, date: Number(height) === restoreHeight && date !== undefined ? Number(date) : undefined };
}
