import { secondsOf } from '../../base/index.ts';
import { isOneDigit, type KeyImage } from '../../protocol/index.ts';
import type { OwnedOutput } from '../model.ts';
import { balanceOf, byChainOrder, holdOf, projectionOf, spendableOutputs } from '../projection/index.ts';
import { entryOfImage } from '../state/state.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { ChosenRate } from './fee-rate.ts';
import { fractionalThreshold } from './fees.ts';
import type { SpendableOutput } from './inputs.ts';
import { placeholderKeyImage } from './kept-rings.ts';
import type { SweepOrder, TransferOrder } from './request.ts';

/** Which coins a payment may spend. Unmixable coins are in `unmixable-coins.ts`. */

/** Coins that a payment may spend now, in chain order. */
export function spendableCoins(ctx: SpendContext, { account, subaddresses }: TransferOrder | SweepOrder): SpendableOutput[] {
  const outputs = spendableOutputs(ctx.state, account, secondsOf(ctx.clock), subaddresses);
  return outputs.filter(isMixable).map(spendableOf);
}

/** Clear amounts of more than one digit have too few equal ones to hide among. */
function isMixable({ rct, amount }: { readonly rct: boolean; readonly amount: bigint }): boolean {
  return rct || isOneDigit(amount);
}

/** An output as input of the planner. Its one-time key replaces a key image that the cold half has not exported yet. */
export function spendableOf(output: OwnedOutput): SpendableOutput {
  return { ...output, keyImage: output.keyImage ?? placeholderKeyImage(output.key) };
}

/** Number of coins of an account that are neither being spent nor frozen, locked ones included. */
export function unspentCoins({ state, clock }: Pick<SpendContext, 'state' | 'clock'>, account: number): number {
  const now = secondsOf(clock);
  return [...state.unspent].filter((key) => {
    const entry = state.outputs.get(key)!;
    const hold = holdOf(state, entry, now);
    return entry.output.subaddress.major === account && (hold === undefined || hold === 'locked');
  }).length;
}

/** Balance to compare with a payment, as in the reference: locked or not, pending change included (`create_transactions_2`). */
export function balanceToPayFrom(ctx: SpendContext, { account, subaddresses }: TransferOrder): bigint {
  const balances = projectionOf(ctx.state).balances(secondsOf(ctx.clock), ctx.lookup);
  if (subaddresses.length === 0) return balanceOf(balances.account(account));
  const parts = [...new Set(subaddresses)].map((minor) => balanceOf(balances.subaddress({ major: account, minor })));
  return parts.reduce((sum, part) => sum + part, 0n);
}

/** Coins that a sweep spends. @throws SpendError `output-not-spendable`, `no-unlocked-outputs`, `nothing-below-threshold` */
export function sweptCoins(ctx: SpendContext, order: SweepOrder): SpendableOutput[] {
  const { coins, account } = order;
  if ('keyImage' in coins) return [coinNamed(ctx, coins.keyImage as KeyImage)];
  if ('keyImages' in coins) return chosenCoins(ctx, account, coins.keyImages);
  const spendable = spendableCoins(ctx, order);
  if (spendable.length === 0) {
    const unlocked = projectionOf(ctx.state).balances(secondsOf(ctx.clock), ctx.lookup).account(account).unlocked;
    throw new SpendError('no-unlocked-outputs', 'expected at least one unlocked output', { unlocked });
  }
  const below = coins.belowAmount;
  const swept = below === 0n ? spendable : spendable.filter(({ amount }) => amount < below);
  if (swept.length === 0) throw new SpendError('nothing-below-threshold', 'expected an output below the amount', { below });
  return swept;
}

/**
 * The coins of a sweep that are worth more than it costs to spend them; explicitly chosen coins are all spent.
 * @throws SpendError `cannot-pay-for-itself` when none is left
 */
export function worthSweeping(
  coins: readonly SpendableOutput[],
  order: SweepOrder,
  { era, rate }: Pick<ChosenRate, 'era' | 'rate'>,
): readonly SpendableOutput[] {
  if (!('belowAmount' in order.coins)) return coins;
  const threshold = fractionalThreshold(era, rate);
  const found = coins.filter(({ amount }) => amount >= threshold);
  if (found.length > 0) return found;
  throw new SpendError('cannot-pay-for-itself', 'expected an output worth more than it costs to spend', { threshold });
}

/** Coins that the person chose. They must belong to one account: a spend does not merge accounts (T11). @throws SpendError */
function chosenCoins(ctx: SpendContext, account: number, keyImages: readonly string[]): SpendableOutput[] {
  const chosen = [...new Set(keyImages)].map((image) => coinNamed(ctx, image as KeyImage));
  if (chosen.length === 0) throw new SpendError('no-unlocked-outputs', 'expected at least one output');
  if (chosen.some(({ subaddress }) => subaddress.major !== account))
    throw new SpendError('output-not-spendable', 'expected outputs of one account', { hold: 'other-account' });
  return chosen.sort(byChainOrder);
}

function coinNamed(ctx: SpendContext, keyImage: KeyImage): SpendableOutput {
  const hold = holdOfImage(ctx, keyImage);
  if (hold !== undefined) {
    throw new SpendError('output-not-spendable', 'expected an unspent, unlocked, unfrozen output of this wallet', { hold });
  }
  return { ...entryOfImage(ctx.state, keyImage)!.output, keyImage };
}

/** Why a key image cannot be spent now: `unknown` if no coin has it; undefined if it can. */
export function holdOfImage(ctx: SpendContext, keyImage: KeyImage): ReturnType<typeof holdOf> | 'unknown' {
  const entry = entryOfImage(ctx.state, keyImage);
  return entry === undefined ? 'unknown' : holdOf(ctx.state, entry, secondsOf(ctx.clock));
}
