/** One thing that the app shows its owner, with the app's own text. */
export interface Shown {
  readonly title: 'Export' | 'Address' | 'Timelock' | 'Fee' | 'Amount' | 'Change';
  /** An amount, an address. */
  readonly text: string;
  /** Beside an amount: its recipient. */
  readonly destination?: string;
}

/** The owner's answer to a screen. */
export type Owner = (shown: Shown) => boolean | Promise<boolean>;

/** Characters for which the app has room. */
const MOST_CHARACTERS = 14;

/** `1. XMR`, `0.5 XMR`: amounts as the app writes them, without digits that do not fit. */
export function shownAmount(atomic: bigint): string {
  const digits = atomic.toString().padStart(13, '0');
  const text = `${digits.slice(0, -12)}.${digits.slice(-12).replace(/0+$/, '')}`;
  return `${text.slice(0, MOST_CHARACTERS)} XMR`;
}
