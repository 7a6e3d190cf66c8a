import { systemClock } from '../base/index.ts';
import { systemRandom } from '../crypto/index.ts';
import type { DeviceConnector } from '../wallet/index.ts';

/** Reaches the device of a name, as often as it is asked. What speaks to devices is loaded the first time. */
export function deviceConnector(name: string): DeviceConnector {
  let connector: DeviceConnector | undefined;
  return async () => {
    if (connector === undefined) {
      const { connectByName, ledgerConnector } = await import('../device/index.ts');
      connector = ledgerConnector(() => connectByName(name), { random: systemRandom, watch: systemClock });
    }
    return connector();
  };
}
