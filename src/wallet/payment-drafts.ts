import { asArray, asBoolean, asCount, asObject, asText, asU64, type JsonValue, parseJson, stringifyJson } from '../base/index.ts';
import type { Priority } from './payment-requests.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

const BEGUN = 'begun-payments';
const PRIORITIES: readonly Priority[] = [0, 1, 2, 3, 4];

/** Coins that a person has chosen to send whole. */
export interface DraftCoins {
  readonly keyImages: readonly string[];
  /** Sum of their amounts. Atomic units. */
  readonly amount: bigint;
  /** Number of our addresses that spending these coins together links. */
  readonly addresses: number;
  /** Set when the coins are split into this many coins at an address of the account instead of being sent away. */
  readonly split?: { readonly coins: number; readonly address: string };
}

/** A payment as a person has filled it in so far: texts as typed, unchecked. */
export interface PaymentDraft {
  /** `message` is the text of a payment request. */
  readonly recipients: readonly { readonly address: string; readonly amount: string; readonly message: string }[];
  /** The person's note for the history; empty for none. */
  readonly note: string;
  /** Account that pays. */
  readonly account: number;
  readonly priority: Priority;
  /** Sends everything that can be spent. */
  readonly sweep: boolean;
  /** For a view-only wallet: the file is signed by an old release of the reference. */
  readonly older: boolean;
  /** The fee is subtracted from the recipients' amounts. */
  readonly feeFromAmount?: boolean;
  /** Coins to send whole; undefined when the wallet chooses. */
  readonly coins?: DraftCoins;
}

/** The event that stores payment drafts, the latest last. An empty list removes them. */
export const paymentDraftsSaved = (payments: readonly PaymentDraft[]): WalletEvent => ({
  type: 'AttributeSet',
  key: BEGUN,
  value: payments.length === 0 ? '' : stringifyJson(payments.map(writable)),
});

/** The stored payment drafts. Drafts in another version's format are left out. */
export function paymentDraftsOf({ attributes }: Pick<WalletState, 'attributes'>): readonly PaymentDraft[] {
  const text = attributes.get(BEGUN) ?? '';
  if (text === '') return [];
  try {
    return asArray(parseJson(text)).flatMap(readablePayment);
  } catch {
    return [];
  }
}

function readablePayment(value: JsonValue): readonly PaymentDraft[] {
  try {
    const payment = readPayment(value);
    return payment.recipients.length === 0 ? [] : [payment];
  } catch {
    return [];
  }
}

const writable = ({ recipients, note, account, priority, sweep, older, feeFromAmount, coins }: PaymentDraft) => ({
  recipients: recipients.map(({ address, amount, message }) => ({ address, amount, message })),
  // An older version, which does not know chosen coins, would otherwise send everything.
  ...{ note, account, priority, sweep: sweep && coins === undefined, older },
  ...(feeFromAmount ? { feeFromAmount } : {}),
  ...(coins ? { coins: writableCoins(coins) } : {}),
});

const writableCoins = ({ keyImages, amount, addresses, split }: DraftCoins) => ({
  ...{ keyImages: [...keyImages], amount, addresses },
  ...(split ? { split: { ...split } } : {}),
});

/** @throws FormatError `unexpected-type` */
function readPayment(value: JsonValue): PaymentDraft {
  const { recipients, note, account, priority, sweep, older, feeFromAmount = false, coins } = asObject(value);
  return {
    recipients: asArray(recipients).map((one) => {
      const { address, amount, message } = asObject(one);
      return { address: asText(address), amount: asText(amount), message: asText(message) };
    }),
    note: asText(note),
    account: asCount(account),
    priority: PRIORITIES[asCount(priority)] ?? 0,
    sweep: asBoolean(sweep) || coins !== undefined,
    older: asBoolean(older),
    ...(asBoolean(feeFromAmount) ? { feeFromAmount: true } : {}),
    ...(coins === undefined ? {} : { coins: readCoins(coins) }),
  };
}

/** @throws FormatError `unexpected-type` */
function readCoins(value: JsonValue): DraftCoins {
  const { keyImages, amount, addresses, split } = asObject(value);
  const whole = {
    keyImages: asArray(keyImages).map((image) => asText(image)),
    amount: asU64(amount),
    addresses: asCount(addresses),
  };
  if (split === undefined) return whole;
  const { coins, address } = asObject(split);
  return { ...whole, split: { coins: asCount(coins), address: asText(address) } };
}
