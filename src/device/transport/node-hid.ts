import { DeviceError } from '../errors.ts';
import { nameOfDevice } from '../models.ts';
import { type HidPipe, LEDGER_USAGE_PAGE, LEDGER_VENDOR } from './hid.ts';

/** The used part of the package `node-hid` (3.x). It is not a dependency: owners of a device install it. */
interface NodeHid {
  devicesAsync(): Promise<readonly NodeHidInfo[]>;
  readonly HIDAsync: { open(path: string): Promise<NodeHidDevice> };
}

interface NodeHidInfo {
  readonly vendorId: number;
  readonly usagePage?: number;
  readonly interface?: number;
  readonly path?: string;
  readonly product?: string;
  readonly productId?: number;
}

interface NodeHidDevice {
  write(report: readonly number[]): Promise<number>;
  on(event: 'data', listener: (bytes: Uint8Array) => void): void;
  on(event: 'error', listener: (error: unknown) => void): void;
  close(): Promise<void>;
}

/** In a variable so that no bundler follows it: the package may be missing. */
const PACKAGE = 'node-hid';

/**
 * Opens the one Ledger that is plugged in.
 * @throws DeviceError `no-transport` without the package, `not-found`, `several-devices`, `in-use`
 */
export async function openNodeHid(load: () => Promise<unknown> = () => import(/* @vite-ignore */ PACKAGE)): Promise<HidPipe> {
  const { devicesAsync, HIDAsync } = await loaded(load);
  const found = (await devicesAsync()).filter(isLedger);
  const [info] = found;
  if (info?.path === undefined) throw new DeviceError('not-found', 'expected a Ledger to be plugged in');
  if (found.length > 1) throw new DeviceError('several-devices', 'expected one device', { found: found.length });
  const device = await HIDAsync.open(info.path).catch((cause: unknown) => {
    throw new DeviceError('in-use', 'expected a device that this user may open and no other program has open', {}, cause);
  });
  return {
    label: nameOfDevice(info.product, info.productId),
    // The first byte is the number of the report; Ledger's reports have none.
    send: async (report) => void (await device.write([0, ...report])),
    listen(onReport, onGone) {
      device.on('data', (bytes) => onReport(Uint8Array.from(bytes)));
      device.on('error', onGone);
    },
    close: () => device.close(),
  };
}

/** Some systems do not report the usage page; there it is the first interface. */
function isLedger({ vendorId, usagePage, interface: number }: NodeHidInfo): boolean {
  return vendorId === LEDGER_VENDOR && (usagePage === LEDGER_USAGE_PAGE || (usagePage === undefined && number === 0));
}

async function loaded(load: () => Promise<unknown>): Promise<NodeHid> {
  try {
    const module = (await load()) as { readonly default?: NodeHid } & NodeHid;
    return module.default ?? module;
  } catch (cause) {
    throw new DeviceError(
      'no-transport',
      'expected the package node-hid: install it beside Nightjar (npm install node-hid), or use Ledger:tcp://',
      { missing: PACKAGE },
      cause,
    );
  }
}
