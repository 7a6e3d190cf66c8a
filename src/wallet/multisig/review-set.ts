import { totalOf } from '../../protocol/index.ts';
import type { Network } from '../../protocol/model.ts';
import type { MultisigTxSet } from '../../wallet2/index.ts';
import type { SetReview } from '../offline-api.ts';
import { describeSet, recipientsOf } from '../offline-signing/describe.ts';
import { warningsOf } from '../spend/index.ts';
import { indexKey } from '../state/state.ts';
import type { JudgedProposal } from './judge.ts';

/** A set in a person's words, once every word of it was judged. @throws OfflineSigningError as `describeSet` */
export function reviewOf({ transactions }: MultisigTxSet, judged: readonly JudgedProposal[], network: Network): SetReview {
  const constructions = transactions.map(({ construction }) => construction);
  const described = describeSet(constructions, network);
  const recipients = recipientsOf(described);
  const { fee, changeAmount } = described.summary;
  const warnings = warningsOf({
    transactions: transactions.length,
    isLocked: constructions.some(({ unlockTime }) => unlockTime !== 0n),
    linksSubaddresses: judged.some(
      ({ unsigned }) => new Set(unsigned.inputs.map(({ output }) => indexKey(output.subaddress))).size > 1,
    ),
    fee,
    amount: totalOf(recipients),
  });
  return { recipients, fee, change: changeAmount, transactions: transactions.length, warnings };
}
