import type { DeviceHost, DeviceHostWallets } from './device-host.ts';
import type { DeviceCalls } from './host.ts';

/** Device calls, loaded at the first use: most wallets have no device. */
export function lazyDeviceHost(wallets: DeviceHostWallets): DeviceCalls {
  let loaded: Promise<DeviceHost> | undefined;
  const open = (): Promise<DeviceHost> => {
    loaded ??= import('./device-host.ts').then(({ DeviceHost }) => new DeviceHost(wallets));
    // A failed load is tried again.
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
  return {
    link: async (...way) => (await open()).link(...way),
    meet: async (network) => (await open()).meet(network),
    showPrimary: async () => (await open()).showPrimary(),
    create: async (wallet, from) => (await open()).create(wallet, from),
    fingerprint: async () => (await open()).fingerprint(),
    connect: async () => (await open()).connect(),
    release: async () => (await loaded)?.release(),
    showAddress: async (index) => (await open()).showAddress(index),
    asShown: async (addresses) => (await open()).asShown(addresses),
    keyImages: async (onProgress) => (await open()).keyImages(onProgress),
    stopKeyImages: async () => (await loaded)?.stopKeyImages(),
  };
}
