import { systemClock } from '../base/index.ts';
import { systemRandom } from '../crypto/index.ts';
import type { DeviceConnector } from '../wallet/index.ts';
import { ledgerConnector } from './connector.ts';
import { HidTransport } from './transport/hid.ts';
import { browserHid, openWebHid } from './transport/webhid.ts';

/**
 * Reaches a Ledger from a page of a Chromium browser, as often as it is asked: the first time from a click, for the browser asks the person.
 * @throws DeviceError when it connects: `no-transport`, `not-permitted`, `several-devices`, `in-use`
 */
export const ledgerOverWebHid = (): DeviceConnector =>
  ledgerConnector(async () => new HidTransport(await openWebHid(browserHid())), { random: systemRandom, watch: systemClock });
