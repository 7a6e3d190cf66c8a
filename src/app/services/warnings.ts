import { m } from '../paraglide/messages.js';

const TEXTS: Readonly<Record<string, () => string>> = {
  'several-transactions': m.warn_several,
  'unlock-time-not-relayed': m.warn_unlock_time,
  'links-subaddresses': m.warn_links,
};

/** Said with the fee itself, where it is marked sooner than this. */
const SAID_ELSEWHERE = 'fee-above-amount';

/** The wallet names its warnings by code; one without words here is shown as it came. */
export const warningTexts = (warnings: readonly string[]): readonly string[] =>
  warnings.filter((warning) => warning !== SAID_ELSEWHERE).map((warning) => TEXTS[warning]?.() ?? warning);
