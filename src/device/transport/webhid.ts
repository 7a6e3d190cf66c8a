import { DeviceError } from '../errors.ts';
import { nameOfDevice } from '../models.ts';
import { type HidPipe, LEDGER_USAGE_PAGE, LEDGER_VENDOR } from './hid.ts';

/** The used part of the browser's `HIDDevice`. */
export interface WebHidDevice extends EventTarget {
  readonly opened: boolean;
  readonly productName: string;
  readonly productId?: number;
  readonly collections: readonly { readonly usagePage?: number | undefined }[];
  open(): Promise<void>;
  close(): Promise<void>;
  sendReport(reportId: number, data: BufferSource): Promise<void>;
}

/** The used part of the browser's `navigator.hid`. */
export interface WebHid extends EventTarget {
  getDevices(): Promise<WebHidDevice[]>;
  requestDevice(options: { filters: { vendorId: number; usagePage: number }[] }): Promise<WebHidDevice[]>;
}

/** The browser's interface to HID devices: Chromium, in a secure context. @throws DeviceError `no-transport` */
export function browserHid(): WebHid {
  const hid = (globalThis.navigator as { readonly hid?: WebHid } | undefined)?.hid;
  if (hid === undefined) throw new DeviceError('no-transport', 'expected a browser with WebHID', { missing: 'WebHID' });
  return hid;
}

/**
 * Makes sure that the person has allowed a Ledger, otherwise has the browser let them choose one: call it in a click handler. The device
 * has other product numbers on its dashboard than in an app, so both may need permission.
 * @throws DeviceError `not-permitted`, `several-devices`
 */
export async function permitWebHid(hid: WebHid): Promise<WebHidDevice> {
  return (await allowed(hid)) ?? (await chosen(hid));
}

/** Opens it. @throws DeviceError `in-use`, and as {@link permitWebHid} */
export async function openWebHid(hid: WebHid): Promise<HidPipe> {
  const device = await permitWebHid(hid);
  try {
    if (!device.opened) await device.open();
  } catch (cause) {
    throw new DeviceError('in-use', 'expected a device that no other page or program has open', {}, cause);
  }
  return pipeOf(hid, device);
}

const isLedger = ({ collections }: WebHidDevice) => collections.some(({ usagePage }) => usagePage === LEDGER_USAGE_PAGE);

async function allowed(hid: WebHid): Promise<WebHidDevice | undefined> {
  const devices = (await hid.getDevices()).filter(isLedger);
  if (devices.length > 1) throw new DeviceError('several-devices', 'expected one device', { found: devices.length });
  return devices[0];
}

async function chosen(hid: WebHid): Promise<WebHidDevice> {
  const filters = [{ vendorId: LEDGER_VENDOR, usagePage: LEDGER_USAGE_PAGE }];
  const devices = await hid.requestDevice({ filters }).catch((cause: unknown) => {
    throw new DeviceError('not-permitted', 'expected leave to use the device', {}, cause);
  });
  const device = devices.find(isLedger);
  if (device === undefined) throw new DeviceError('not-permitted', 'expected a device to be chosen');
  return device;
}

function pipeOf(hid: WebHid, device: WebHidDevice): HidPipe {
  let stop = () => {};
  return {
    label: nameOfDevice(device.productName, device.productId),
    send: (report) => device.sendReport(0, report as Uint8Array<ArrayBuffer>),
    listen(onReport, onGone) {
      const report = (event: Event) => {
        const { data } = event as Event & { readonly data: DataView };
        onReport(new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice());
      };
      const left = (event: Event) => {
        if ((event as Event & { readonly device: WebHidDevice }).device === device) onGone();
      };
      device.addEventListener('inputreport', report);
      hid.addEventListener('disconnect', left);
      stop = () => {
        device.removeEventListener('inputreport', report);
        hid.removeEventListener('disconnect', left);
      };
    },
    async close() {
      stop();
      await device.close();
    },
  };
}
