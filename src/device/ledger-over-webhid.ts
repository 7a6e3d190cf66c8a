import { systemClock } from '../base/index.ts';
import { systemRandom } from '../crypto/index.ts';
import type { DeviceConnector } from '../wallet/index.ts';
import { ledgerConnector } from './connector.ts';
import { HidTransport } from './transport/hid.ts';
import { browserHid, openWebHid } from './transport/webhid.ts';

/**
 * Connects to a Ledger from a page in a Chromium browser, each time it is called: the first time in a click handler, because the browser
 * asks the person.
 * @throws DeviceError when it connects: `no-transport`, `not-permitted`, `several-devices`, `in-use`
 */
export const ledgerOverWebHid = (): DeviceConnector =>
  ledgerConnector(async () => new HidTransport(await openWebHid(browserHid())), { random: systemRandom, watch: systemClock });
