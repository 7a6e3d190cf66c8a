import { encodeAddress, type Network } from '../protocol/index.ts';

/** Question of the device to its owner during one request. */
export type DeviceQuestion =
  /** Whether the view key may be exported. */
  | { readonly kind: 'view-key' }
  /** An address to compare. */
  | { readonly kind: 'address' }
  | { readonly kind: 'fee' }
  /** An output that returns to the wallet. */
  | { readonly kind: 'change' }
  /** An output for somebody else: the address as the device writes it. */
  | { readonly kind: 'recipient'; readonly address: string };

/** What the device is doing during a request, for an observer. */
export interface DeviceWork {
  /** Step of signing a transaction; undefined otherwise. */
  readonly step: 'begin' | 'asking' | 'signing' | undefined;
  /** Question that its owner must answer first; undefined if the device answers by itself. */
  readonly question: DeviceQuestion | undefined;
}

const VIEW_KEY = 0x20_02;
const FEE = 0x7c_01;
const OUTPUT = 0x7c_02;
const ADDRESS = 0x21;
const SET_MODE = 0x72;
const VALIDATE = 0x7c;
const CLSAG = 0x7f;
/** Bytes before the data: the head of five, and the option. */
const HEAD = 6;

/**
 * What a request of ours has the device do. The result has no secret.
 * @param apdu whole
 * @param network that addresses are written for
 */
export function workOf(apdu: Uint8Array, network: Network): DeviceWork {
  const [, command = 0, p1 = 0] = apdu;
  return { step: stepOf(command), question: questionOf(apdu, command, p1, network) };
}

function stepOf(command: number): DeviceWork['step'] {
  if (command === SET_MODE) return 'begin';
  if (command === VALIDATE) return 'asking';
  return command === CLSAG ? 'signing' : undefined;
}

function questionOf(apdu: Uint8Array, command: number, p1: number, network: Network): DeviceQuestion | undefined {
  if (command === ADDRESS) return { kind: 'address' };
  switch ((command << 8) | p1) {
    case VIEW_KEY:
      return { kind: 'view-key' };
    case FEE:
      return { kind: 'fee' };
    case OUTPUT:
      return outputOf(apdu.subarray(HEAD), network);
    default:
      return undefined;
  }
}

/** @param data flags for a subaddress and for change, then view key and spend key, 32 bytes each; the rest is not read */
function outputOf(data: Uint8Array, network: Network): DeviceQuestion {
  const [isSubaddress, isChange] = data;
  if (isChange === 1) return { kind: 'change' };
  const [viewKey, spendKey] = [data.slice(2, 34), data.slice(34, 66)];
  const kind = isSubaddress === 1 ? 'subaddress' : 'standard';
  return { kind: 'recipient', address: encodeAddress({ network, kind, viewKey, spendKey, paymentId: undefined }) };
}
