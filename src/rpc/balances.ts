import { emptyFunds, type Funds, funds, type SubaddressFunds, totalFunds } from '../wallet/funds.ts';
import type { SubaddressIndex } from '../wallet/model.ts';
import type { WalletState } from '../wallet/state.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { RpcError } from './errors.ts';

type Totals = ReturnType<typeof totalFunds>;

/** Funds of a wallet at one instant, asked for by account and subaddress. */
export interface FundsView {
  account(major: number): Totals;
  all(): Totals;
  /** Subaddresses of an account that are in its balance, ascending. */
  minors(major: number): number[];
  subaddress(index: SubaddressIndex): SubaddressFunds;
}

interface Kept {
  readonly version: number;
  readonly second: number;
  readonly view: FundsView;
}

/** Worked out once a change and second, for each of the two kinds. */
const kept = new WeakMap<WalletState, Map<boolean, Kept>>();

/** @param strict of what the blockchain holds alone */
export async function fundsOf(wallet: Wallet, strict: boolean): Promise<FundsView> {
  const { state, clock, lookup, ready } = wallet.room;
  if (!strict && state.sent.size > 0) await ready();
  const second = Math.floor(clock.now() / 1000);
  const byKind = kept.get(state) ?? new Map<boolean, Kept>();
  kept.set(state, byKind);
  const known = byKind.get(strict);
  if (known?.version === state.version && known.second === second) return known.view;
  const view = viewOf(funds(state, strict, second, lookup));
  byKind.set(strict, { version: state.version, second, view });
  return view;
}

function viewOf(all: Funds): FundsView {
  const totals = new Map([...all].map(([major, minors]) => [major, totalFunds(minors.values())]));
  const none = totalFunds([]);
  return {
    account: (major) => totals.get(major) ?? none,
    all: () => totalFunds(totals.values()),
    minors: (major) =>
      [...(all.get(major) ?? [])].flatMap(([minor, { balance }]) => (balance === undefined ? [] : [minor])).sort((a, b) => a - b),
    subaddress: ({ major, minor }) => all.get(major)?.get(minor) ?? emptyFunds(),
  };
}

/** @throws RpcError `accountOutOfBounds` */
export function requireAccount(state: WalletState, major: number): readonly string[] {
  const account = state.accounts[major];
  if (account === undefined) throw new RpcError('accountOutOfBounds', 'account index is out of bound');
  return account.labels;
}

/** @throws RpcError `accountOutOfBounds`, `addressOutOfBounds` */
export function requireSubaddress(state: WalletState, { major, minor }: SubaddressIndex): void {
  if (minor >= requireAccount(state, major).length) throw new RpcError('addressOutOfBounds', 'address index is out of bound');
}
