import type { SpendProgress } from '../../wallet/api.ts';
import { m } from '../paraglide/messages.js';

/** What is said while transactions leave: which one of how many, where there are several. */
export const sendingText = (progress: SpendProgress | undefined): string =>
  progress?.stage === 'sending' && progress.of > 1
    ? m.review_sending_of({ number: progress.number, of: progress.of })
    : m.review_sending();
