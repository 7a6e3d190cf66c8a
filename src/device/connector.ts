import type { DeviceConnector } from '../wallet/device/port.ts';
import { LedgerDevice, type LedgerOptions } from './ledger.ts';
import type { HashedRounds } from './signing/ring-signature.ts';
import type { DeviceTransport } from './transport/port.ts';

/**
 * Connects as often as it is asked. Should an app not sign after the closing round of a ring alone, every round is hashed on the device from the next
 * connection on: ten times as many questions, and as the reference wallet has it.
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
