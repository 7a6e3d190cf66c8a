import type { DeviceConnector } from '../wallet/device/port.ts';
import { LedgerDevice, type LedgerOptions } from './ledger.ts';
import type { HashedRounds } from './signing/ring-signature.ts';
import type { DeviceTransport } from './transport/port.ts';

/**
 * Connects each time it is called. If an app does not sign after hashing only the closing round of a ring, every round is hashed on the
 * device from the next connection on: ten times as many requests, as in the reference wallet.
 */
export function ledgerConnector(
  open: () => Promise<DeviceTransport>,
  options: Omit<LedgerOptions, 'rounds' | 'onClosingRefused'>,
): DeviceConnector {
  let rounds: HashedRounds = 'closing';
  const onClosingRefused = () => {
    rounds = 'every';
  };
  return async () => LedgerDevice.connect(await open(), { ...options, rounds, onClosingRefused });
}
