import type { PaymentWarning } from '../../wallet/index.ts';
import { m } from '../language/messages.ts';

const TEXTS: Readonly<Record<PaymentWarning, (() => string) | undefined>> = {
  'several-transactions': m.warn_several,
  'device-shows-few': m.warn_device_few,
  'all-in-the-open': m.warn_open,
  'unlock-time-not-relayed': m.warn_unlock_time,
  'links-subaddresses': m.warn_links,
  // Said with the fee itself, where it is marked sooner than this.
  'fee-above-amount': undefined,
};

/** The words for what the wallet warns of. */
export const warningTexts = (warnings: readonly PaymentWarning[]): readonly string[] =>
  warnings.flatMap((warning) => TEXTS[warning]?.() ?? []);
