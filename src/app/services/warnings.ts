import { m } from '../paraglide/messages.js';

const TEXTS: Readonly<Record<string, () => string>> = {
  'several-transactions': m.warn_several,
  'unlock-time': m.warn_unlock_time,
  'high-fee': m.warn_high_fee,
  'own-address': m.warn_own_address,
  dust: m.warn_dust,
};

/** The wallet names its warnings by code; one without words here is shown as it came. */
export const warningText = (warning: string): string => TEXTS[warning]?.() ?? warning;
