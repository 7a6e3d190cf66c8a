import { RandomSampler, secondsOf } from '../../base/index.ts';
import type { WalletContext } from '../context.ts';
import { WalletError } from '../errors.ts';
import { spendableOutputs } from '../projection/index.ts';
import type { SpendContext } from './context.ts';

/** The spend context of an open wallet. @throws WalletError `no-daemon`; `wrong-network` if its daemon serves another one */
export function spendContextOf(wallet: WalletContext): SpendContext {
  const { state, keys, signer, device, daemon, trusted, boundsFees, random, clock, addressOf, lookup, append } = wallet;
  const { leaving, choosing, sync } = wallet;
  if (daemon === undefined) throw new WalletError('no-daemon', 'expected a daemon to be set');
  if (sync.error?.code === 'wrong-network') throw new WalletError('wrong-network', sync.error.message);
  const parts = { state, keys, signer, device, daemon, trusted, boundsFees, random, clock, addressOf, lookup, append };
  return { ...parts, leaving, choosing };
}

/**
 * The subaddress that a sweep without a choice empties: a random one of those with spendable coins, the account's first only if there is no
 * other (`create_transactions_all`, wallet2.cpp). Undefined when there is nothing to spend.
 */
export function subaddressToSweep(
  ctx: Pick<SpendContext, 'state' | 'clock' | 'random'>,
  account: number,
  belowAmount = 0n,
): number | undefined {
  const spendable = spendableOutputs(ctx.state, account, secondsOf(ctx.clock));
  const fits = spendable.filter(({ amount }) => belowAmount === 0n || amount < belowAmount);
  const minors = [...new Set(fits.map(({ subaddress }) => subaddress.minor))].sort((a, b) => a - b);
  const choice = minors.length > 1 ? minors.filter((minor) => minor !== 0) : minors;
  return choice.length === 0 ? undefined : choice[new RandomSampler(ctx.random).below(choice.length)];
}
