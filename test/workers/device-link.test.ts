import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebDeviceLink } from '../../workers/device-link.ts';

// The page's end of the way to a device, over a browser of a few functions.

class Device extends EventTarget {
  readonly productName = 'Nano X';
  readonly collections = [{ usagePage: 0xffa0 }];
  opened = false;
  async open(): Promise<void> {
    this.opened = true;
  }
  async close(): Promise<void> {
    this.opened = false;
  }
  async sendReport(): Promise<void> {
    throw new Error('unplugged');
  }
}

let device: Device;
let hid: EventTarget;
let asked: string[];
let ended: number;
const held = new Set<string>();
const idle = { step: undefined, question: undefined };

beforeEach(() => {
  device = new Device();
  asked = [];
  ended = 0;
  held.clear();
  hid = Object.assign(new EventTarget(), {
    getDevices: async () => (asked.length > 0 ? [device] : []),
    requestDevice: async () => {
      asked.push('requestDevice');
      return [device];
    },
  });
  const request = async (name: string, _: object, work: (lock: object | null) => Promise<void> | undefined) => {
    if (held.has(name)) return work(null);
    held.add(name);
    await work({ name });
    held.delete(name);
  };
  vi.stubGlobal('navigator', { hid, locks: { request } });
});
afterEach(() => vi.unstubAllGlobals());

const link = (): WebDeviceLink =>
  new WebDeviceLink({
    asked: () => undefined,
    answered: () => undefined,
    ended: () => {
      ended += 1;
    },
  });

describe('the page’s end of the way to a device', () => {
  it('has the browser ask once, and opens what was allowed', async () => {
    const one = link();
    await one.allow();
    await one.allow();
    expect(asked).toEqual(['requestDevice']);
    expect(await one.open()).toBe('Nano X');
  });

  it('a second tab is refused until the first one lets go', async () => {
    const [one, other] = [link(), link()];
    await one.open();
    await expect(other.open()).rejects.toMatchObject({ room: 'DeviceError', code: 'in-use', data: { tab: true } });
    await one.close();
    expect(await other.open()).toBe('Nano X');
  });

  it('one that is pulled out is let go: another tab may have it when it is back', async () => {
    const [one, other] = [link(), link()];
    await one.open();
    hid.dispatchEvent(Object.assign(new Event('disconnect'), { device }));
    await expect(one.exchange(new Uint8Array(5), idle)).rejects.toMatchObject({ room: 'DeviceError', code: 'disconnected' });
    await vi.waitFor(() => expect(ended).toBe(1));
    expect(await other.open()).toBe('Nano X');
  });

  it('one that was let go while its owner has yet to answer is not asked again before they have', async () => {
    const [one, other] = [link(), link()];
    device.sendReport = async () => undefined;
    await one.open();
    const asked = one.exchange(Uint8Array.of(4, 0x20, 2, 0, 1, 0), idle);
    await one.close();
    await expect(asked, 'whoever waited is told').rejects.toMatchObject({ code: 'disconnected' });
    await expect(one.open()).rejects.toMatchObject({ code: 'in-use', data: { waiting: true } });
    await expect(other.open(), 'nor by another tab').rejects.toMatchObject({ code: 'in-use', data: { tab: true } });
    const no = new Uint8Array(64);
    no.set([1, 1, 5, 0, 0, 0, 2, 0x69, 0x82]);
    device.dispatchEvent(Object.assign(new Event('inputreport'), { data: new DataView(no.buffer) }));
    await vi.waitFor(async () => expect(await one.open()).toBe('Nano X'));
  });

  it('a report that does not go out ends it, and a browser without WebHID is told by name', async () => {
    const one = link();
    await one.open();
    await expect(one.exchange(Uint8Array.of(4, 2, 0, 0, 1, 0), idle)).rejects.toMatchObject({ code: 'disconnected' });
    vi.stubGlobal('navigator', {});
    await expect(link().allow()).rejects.toMatchObject({ room: 'DeviceError', code: 'no-transport' });
  });
});
