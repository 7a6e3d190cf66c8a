import type { SpendProgress } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';

/** Text while transactions are signed, checked and sent: which one of how many, where there are several. */
export function sendingText(progress: SpendProgress | undefined): string {
  if (progress?.stage === 'signing') return m.review_signing();
  if (progress?.stage === 'checking') return m.review_checking();
  return progress?.stage === 'sending' && progress.of > 1
    ? m.review_sending_of({ number: progress.number, of: progress.of })
    : m.review_sending();
}
