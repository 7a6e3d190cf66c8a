import type { HistoryEntry, SecondDaemonView } from '../../wallet/index.ts';

/** `none`: no second daemon is asked. */
export type SecondDaemonWord = 'agree' | 'disagree' | 'not-compared' | 'none';

/** A second daemon's word on the block that holds a payment (T5). */
export function secondDaemonSays(
  entry: Pick<HistoryEntry, 'height'>,
  secondDaemon: SecondDaemonView | undefined,
): SecondDaemonWord {
  if (secondDaemon === undefined) return 'none';
  const { height: compared, agreedTo } = secondDaemon;
  if (entry.height === undefined || compared === undefined || entry.height > compared) return 'not-compared';
  return agreedTo !== undefined && entry.height <= agreedTo ? 'agree' : 'disagree';
}
