import { beforeAll, describe, expect, test } from 'vitest';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { LedgerDevice } from '../../src/device/index.ts';
import { HidTransport } from '../../src/device/transport/hid.ts';
import { openNodeHid } from '../../src/device/transport/node-hid.ts';
import { browserHid, openWebHid, type WebHid, type WebHidDevice } from '../../src/device/transport/webhid.ts';
import type { MoneroApp } from '../support/ledger/app.ts';
import { liveApp } from '../support/ledger/device.ts';
import { hidPipeTo } from '../support/ledger/hid.ts';

beforeAll(loadCrypto);

/** A browser's HID device with the app behind it. */
class FakeDevice extends EventTarget implements WebHidDevice {
  opened = false;
  readonly productName = 'Nano S Plus';
  readonly collections: readonly { readonly usagePage: number }[];
  readonly #pipe;

  constructor(app: MoneroApp, usagePage = 0xffa0) {
    super();
    this.collections = [{ usagePage }];
    this.#pipe = hidPipeTo(app);
    this.#pipe.listen(
      (report) => this.dispatchEvent(Object.assign(new Event('inputreport'), { data: new DataView(report.buffer) })),
      () => {},
    );
  }

  async open(): Promise<void> {
    this.opened = true;
  }

  async close(): Promise<void> {
    this.opened = false;
  }

  async sendReport(_: number, data: BufferSource): Promise<void> {
    await this.#pipe.send(data as Uint8Array);
  }
}

class FakeHid extends EventTarget implements WebHid {
  readonly allowed: readonly FakeDevice[];
  readonly chosen: readonly FakeDevice[];

  constructor(allowed: readonly FakeDevice[], chosen: readonly FakeDevice[] = []) {
    super();
    this.allowed = allowed;
    this.chosen = chosen;
  }

  async getDevices(): Promise<WebHidDevice[]> {
    return [...this.allowed];
  }

  async requestDevice(): Promise<WebHidDevice[]> {
    return [...this.chosen];
  }
}

describe('the browser’s way to a device', () => {
  test('one that was allowed before, or one that is chosen now, is met', async () => {
    for (const hid of [
      new FakeHid([new FakeDevice(liveApp(), 0xf1d0), new FakeDevice(liveApp())]),
      new FakeHid([], [new FakeDevice(liveApp())]),
    ]) {
      const device = await LedgerDevice.connect(new HidTransport(await openWebHid(hid)), { random: systemRandom });
      expect(device).toMatchObject({ label: 'Nano S Plus', appVersion: '2.2.0', network: 'mainnet' });
      await device.close();
    }
  });

  test('unplugged: the event ends it', async () => {
    const plugged = new FakeDevice(liveApp());
    const hid = new FakeHid([plugged]);
    const device = await LedgerDevice.connect(new HidTransport(await openWebHid(hid)), { random: systemRandom });
    hid.dispatchEvent(Object.assign(new Event('disconnect'), { device: plugged }));
    await expect(device.viewKey()).rejects.toMatchObject({ code: 'disconnected' });
  });

  test('none chosen, two of them, one that another page has, a browser without: each has its name', async () => {
    await expect(openWebHid(new FakeHid([]))).rejects.toMatchObject({ code: 'not-permitted' });
    const two = [new FakeDevice(liveApp()), new FakeDevice(liveApp())];
    await expect(openWebHid(new FakeHid(two))).rejects.toMatchObject({ code: 'several-devices' });
    const taken = new FakeDevice(liveApp());
    taken.open = () => Promise.reject(new DOMException('Failed to open the device.'));
    await expect(openWebHid(new FakeHid([taken]))).rejects.toMatchObject({ code: 'in-use' });
    expect(() => browserHid()).toThrow(expect.objectContaining({ code: 'no-transport' }));
  });
});

describe('node-hid', () => {
  test('is said by name where it is not installed', async () => {
    const missing = () => Promise.reject(new Error("Cannot find package 'node-hid'"));
    await expect(openNodeHid(missing)).rejects.toMatchObject({
      code: 'no-transport',
      message: expect.stringContaining('npm install node-hid'),
    });
  });

  test('opens the one Ledger that is plugged in, and none of two', async () => {
    const info = { vendorId: 0x2c97, usagePage: 0xffa0, path: 'usb', product: 'Nano X' };
    const pipe = hidPipeTo(liveApp());
    const device = {
      write: async (report: readonly number[]) => {
        await pipe.send(Uint8Array.from(report.slice(1)));
        return report.length;
      },
      on: (event: string, listener: (value: never) => void) => {
        if (event === 'data') pipe.listen(listener as never, () => {});
      },
      close: async () => {},
    };
    const module = (found: readonly unknown[]) => async () => ({
      devicesAsync: async () => found,
      HIDAsync: { open: async () => device },
    });
    const ledger = await LedgerDevice.connect(new HidTransport(await openNodeHid(module([info]))), { random: systemRandom });
    expect(ledger.label).toBe('Nano X');
    await expect(openNodeHid(module([]))).rejects.toMatchObject({ code: 'not-found' });
    await expect(openNodeHid(module([info, info]))).rejects.toMatchObject({ code: 'several-devices' });
  });
});
