import { totalOf } from '../../protocol/index.ts';
import type { PaymentReview, PaymentWarning } from '../payment-requests.ts';
import type { PaymentPlan, PlannedTransaction } from './plan.ts';

/** Reviews a plan before a person confirms it: the third of a payment's five steps. */
export function reviewPayment({ transactions, recipientsAtOnce }: PaymentPlan): PaymentReview {
  const lines = transactions.map(({ unsigned, destinations, change, weight }) => {
    const { inputs, outputs, fee } = unsigned;
    return { fee, weight, amount: totalOf(destinations), change, destinations, inputs: inputs.length, outputs: outputs.length };
  });
  const totalFee = lines.reduce((sum, { fee }) => sum + fee, 0n);
  const totalAmount = totalOf(lines);
  const warnings = warningsOf({
    transactions: lines.length,
    deviceShowsFew: recipientsAtOnce !== undefined,
    isInTheOpen: transactions.some(({ unsigned }) => unsigned.version === 1),
    isLocked: transactions.some(({ unsigned }) => unsigned.unlockTime !== 0n),
    linksSubaddresses: transactions.some((transaction) => subaddressesOf(transaction).length > 1),
    fee: totalFee,
    amount: totalAmount,
  });
  return { transactions: lines, totalFee, totalAmount, warnings };
}

/** Minor indices of the subaddresses whose coins are spent, ascending. */
export function subaddressesOf({ unsigned }: Pick<PlannedTransaction, 'unsigned'>): readonly number[] {
  return [...new Set(unsigned.inputs.map(({ output }) => output.subaddress.minor))].sort((a, b) => a - b);
}

/** Warnings about a payment, by whomever planned. Amounts in atomic units. */
export function warningsOf(facts: {
  readonly transactions: number;
  /** A device shows fewer recipients at once than there are. */
  readonly deviceShowsFew?: boolean;
  /** A transaction of version 1, which spends unmixable outputs, hides neither coins nor amounts. */
  readonly isInTheOpen: boolean;
  /** Whether its outputs are locked for a time. */
  readonly isLocked: boolean;
  /** One transaction spends coins of several subaddresses (T11). */
  readonly linksSubaddresses: boolean;
  readonly fee: bigint;
  readonly amount: bigint;
}): PaymentWarning[] {
  const warnings: PaymentWarning[] = [];
  if (facts.transactions > 1) warnings.push(facts.deviceShowsFew === true ? 'device-shows-few' : 'several-transactions');
  if (facts.isInTheOpen) warnings.push('all-in-the-open');
  if (facts.isLocked) warnings.push('unlock-time-not-relayed');
  if (facts.linksSubaddresses) warnings.push('links-subaddresses');
  if (facts.fee > facts.amount) warnings.push('fee-above-amount');
  return warnings;
}
