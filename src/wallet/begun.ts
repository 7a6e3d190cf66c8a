import { asArray, asBoolean, asCount, asObject, asText, type JsonValue, parseJson, stringifyJson } from '../base/index.ts';
import type { Priority } from './requests.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

const BEGUN = 'begun-payments';
const PRIORITIES: readonly Priority[] = [0, 1, 2, 3, 4];

/** A payment as far as a person has filled it in: texts as they were typed, which nobody has checked. */
export interface BegunPayment {
  /** `message` is what a payment request said. */
  readonly recipients: readonly { readonly address: string; readonly amount: string; readonly message: string }[];
  /** The person's own on it; empty for none. */
  readonly note: string;
  /** Account that pays. */
  readonly account: number;
  readonly priority: Priority;
  /** All that can be spent is sent. */
  readonly sweep: boolean;
  /** An old release is to sign it, where this wallet cannot. */
  readonly older: boolean;
}

/** The event that keeps payments that were begun and not sent, the latest at the end, sealed with everything else; an empty list forgets them. */
export const begunKept = (payments: readonly BegunPayment[]): WalletEvent => ({
  type: 'AttributeSet',
  key: BEGUN,
  value: payments.length === 0 ? '' : stringifyJson(payments.map(writable)),
});

/** Payments that were begun and not sent, as they were kept last; none where there are none, or another version wrote them in a way of its own. */
export function keptBegun({ attributes }: Pick<WalletState, 'attributes'>): readonly BegunPayment[] {
  const text = attributes.get(BEGUN) ?? '';
  if (text === '') return [];
  try {
    return asArray(parseJson(text)).map(readPayment);
  } catch {
    return [];
  }
}

const writable = ({ recipients, note, account, priority, sweep, older }: BegunPayment) => ({
  recipients: recipients.map(({ address, amount, message }) => ({ address, amount, message })),
  ...{ note, account, priority, sweep, older },
});

/** @throws FormatError `unexpected-type` */
function readPayment(value: JsonValue): BegunPayment {
  const { recipients, note, account, priority, sweep, older } = asObject(value);
  return {
    recipients: asArray(recipients).map((one) => {
      const { address, amount, message } = asObject(one);
      return { address: asText(address), amount: asText(amount), message: asText(message) };
    }),
    note: asText(note),
    account: asCount(account),
    priority: PRIORITIES[asCount(priority)] ?? 0,
    sweep: asBoolean(sweep),
    older: asBoolean(older),
  };
}
