import type { DeviceDoor, DeviceDoorHost } from './device-door.ts';
import type { DeviceCalls } from './host.ts';

/** Device calls, loaded at the first use: most wallets have no device. */
export function deviceOnDemand(host: DeviceDoorHost): DeviceCalls {
  let door: Promise<DeviceDoor> | undefined;
  const open = (): Promise<DeviceDoor> => {
    door ??= import('./device-door.ts').then(({ DeviceDoor }) => new DeviceDoor(host));
    // A failed load is tried again.
    door.catch(() => {
      door = undefined;
    });
    return door;
  };
  return {
    link: async (...way) => (await open()).link(...way),
    meet: async (network) => (await open()).meet(network),
    showPrimary: async () => (await open()).showPrimary(),
    create: async (wallet, from) => (await open()).create(wallet, from),
    fingerprint: async () => (await open()).fingerprint(),
    connect: async () => (await open()).connect(),
    release: async () => (await door)?.release(),
    showAddress: async (index) => (await open()).showAddress(index),
    asShown: async (addresses) => (await open()).asShown(addresses),
    keyImages: async (onProgress) => (await open()).keyImages(onProgress),
    stopKeyImages: async () => (await door)?.stopKeyImages(),
  };
}
