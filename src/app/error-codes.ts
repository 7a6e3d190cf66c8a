import { RemoteError } from '../../workers/client.ts';
import { PinError } from './services/pin-error.ts';

/** What the page asks of an error besides its words, which are fetched apart (`services/load-error-text.ts`). */

/** The code of what a worker, or the store of PINs, threw; `internal` for anything else. It holds no words and no secret. */
export const errorCode = (error: unknown): string =>
  error instanceof RemoteError || error instanceof PinError ? error.code : 'internal';

/** Whether a failed sending may have paid something all the same: then the form is not to be sent again. */
export const mayHavePaid = (error: unknown): boolean =>
  errorCode(error) === 'perhaps-sent' || (error instanceof RemoteError && isRecord(error.data) && sentIn(error.data) > 0);

/** The work was stopped, by the person's wish or because the wallet was locked. */
export const wasStopped = (error: unknown): boolean => errorCode(error) === 'aborted';

/** Coins that a reorganisation has moved since their decoys were chosen: the person may have new ones drawn. */
export function movedCoins(error: unknown): readonly string[] {
  if (!(error instanceof RemoteError) || error.code !== 'kept-ring-unusable' || !isRecord(error.data)) return [];
  const { reason, keyImages } = error.data;
  return reason === 'moved' && Array.isArray(keyImages) ? keyImages : [];
}

/** How many transactions of a payment went out before the one that failed. */
export const sentIn = ({ sent }: Readonly<Record<string, unknown>>): number => (Array.isArray(sent) ? sent.length : 0);

/** Whether an error's data have fields. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
