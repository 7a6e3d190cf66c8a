import { SPENDABLE_AGE } from '../../../workers/chain-limits.ts';
import type { HistoryEntry, SecondDaemonView } from '../../wallet/index.ts';

/** `none`: no second daemon is asked. */
export type SecondDaemonWord = 'agree' | 'disagree' | 'not-compared' | 'none';

/**
 * A second daemon's word on the block that holds a payment (T5). That there is none is worth a word while the payment is young: undefined
 * once it is as deep as a coin must be to be spent.
 */
export function secondDaemonSays(
  entry: Pick<HistoryEntry, 'height' | 'confirmations'>,
  secondDaemon: SecondDaemonView | undefined,
): SecondDaemonWord | undefined {
  if (secondDaemon === undefined) return entry.confirmations < SPENDABLE_AGE ? 'none' : undefined;
  const { height: compared, agreedTo } = secondDaemon;
  if (entry.height === undefined || compared === undefined || entry.height > compared) return 'not-compared';
  return agreedTo !== undefined && entry.height <= agreedTo ? 'agree' : 'disagree';
}
