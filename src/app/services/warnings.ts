import { m } from '../paraglide/messages.js';

const TEXTS: Readonly<Record<string, () => string>> = {
  'several-transactions': m.warn_several,
  'unlock-time-not-relayed': m.warn_unlock_time,
  'links-subaddresses': m.warn_links,
  'fee-above-amount': m.warn_fee_above,
};

/** The wallet names its warnings by code; one without words here is shown as it came. */
export const warningText = (warning: string): string => TEXTS[warning]?.() ?? warning;
