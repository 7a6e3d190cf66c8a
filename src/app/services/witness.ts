import type { HistoryEntry, WitnessView } from '../../wallet/api.ts';

export type WitnessWord = 'agree' | 'disagree' | 'not-compared' | 'none';

/** What a second daemon says of the block that holds a payment (T5). */
export function witnessOf(entry: Pick<HistoryEntry, 'height'>, witness: WitnessView | undefined): WitnessWord {
  if (witness === undefined) return 'none';
  const { height: compared, agreedTo } = witness;
  if (entry.height === undefined || compared === undefined || entry.height > compared) return 'not-compared';
  return agreedTo !== undefined && entry.height <= agreedTo ? 'agree' : 'disagree';
}
