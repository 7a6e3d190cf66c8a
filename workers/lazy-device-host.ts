import type { DeviceHostWallets } from './device-host.ts';
import type { DeviceCalls } from './host.ts';
import { lazily } from './lazily.ts';

/** Device calls, loaded at the first use: most wallets have no device. */
export function lazyDeviceHost(wallets: DeviceHostWallets): DeviceCalls {
  const device = lazily(async () => new (await import('./device-host.ts')).DeviceHost(wallets));
  return {
    link: async (...way) => (await device.get()).link(...way),
    meet: async (network) => (await device.get()).meet(network),
    showPrimary: async () => (await device.get()).showPrimary(),
    create: async (wallet, from) => (await device.get()).create(wallet, from),
    fingerprint: async () => (await device.get()).fingerprint(),
    connect: async () => (await device.get()).connect(),
    release: async () => (await device.loaded)?.release(),
    showAddress: async (index) => (await device.get()).showAddress(index),
    asShown: async (addresses) => (await device.get()).asShown(addresses),
    keyImages: async (onProgress) => (await device.get()).keyImages(onProgress),
    stopKeyImages: async () => (await device.loaded)?.stopKeyImages(),
  };
}
