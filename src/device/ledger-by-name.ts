import { systemClock } from '../base/index.ts';
import { systemRandom } from '../crypto/index.ts';
import type { DeviceConnector } from '../wallet/index.ts';

/**
 * Connects to a Ledger from Node, each time it is called. Device code is loaded the first time.
 * @param name `Ledger` for the one on USB, or `Ledger:tcp://HOST:PORT` for an emulator (with `/stax`, `/flex` or `/apex` appended for a
 *   touch screen)
 * @throws DeviceError when it connects: `bad-name`, `not-found`, `no-transport`, `several-devices`, `in-use`
 */
export function ledgerByName(name = 'Ledger'): DeviceConnector {
  let connector: DeviceConnector | undefined;
  return async () => {
    if (connector === undefined) {
      const { connectByName, ledgerConnector } = await import('./index.ts');
      connector = ledgerConnector(() => connectByName(name), { random: systemRandom, watch: systemClock });
    }
    return connector();
  };
}
