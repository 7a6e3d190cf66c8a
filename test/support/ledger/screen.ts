/** One thing that the app shows its owner, in its own words. */
export interface Shown {
  readonly title: 'Export' | 'Address' | 'Timelock' | 'Fee' | 'Amount' | 'Change';
  /** An amount, an address. */
  readonly text: string;
  /** Beside an amount: whom it goes to. */
  readonly destination?: string;
}

/** The owner's answer to what is shown. */
export type Owner = (shown: Shown) => boolean | Promise<boolean>;

/** What the app has room for. */
const MOST_CHARACTERS = 14;

/** `1. XMR`, `0.5 XMR`: as the app writes amounts, without the digits that it has no room for. */
export function shownAmount(atomic: bigint): string {
  const digits = atomic.toString().padStart(13, '0');
  const text = `${digits.slice(0, -12)}.${digits.slice(-12).replace(/0+$/, '')}`;
  return `${text.slice(0, MOST_CHARACTERS)} XMR`;
}
