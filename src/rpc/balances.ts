import type { SubaddressIndex } from '../wallet/model.ts';
import { type Balances, projectionOf } from '../wallet/projection/index.ts';
import type { WalletState } from '../wallet/state.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { RpcError } from './errors.ts';

/** @param strict of what the blockchain holds alone */
export async function balancesNow(wallet: Wallet, strict: boolean): Promise<Balances> {
  const { state, clock, lookup, ready } = wallet.room;
  if (!strict && state.unmined.size > 0) await ready();
  const now = Math.floor(clock.now() / 1000);
  const projection = projectionOf(state);
  return strict ? projection.strictBalances(now) : projection.balances(now, lookup);
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
