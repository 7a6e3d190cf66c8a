import { DeviceError } from '../errors.ts';
import type { DeviceTransport } from './port.ts';

/** Names of a Ledger in monero-wallet-rpc, and what may follow: an emulator's socket, and its model. */
const NAME = /^Ledger(?::tcp:\/\/(\[[^\]]+\]|[^:/]+):(\d{1,5})(?:\/(stax|flex|apex))?)?$/;

/**
 * Whether a name is one of a device that can be connected: `Ledger`, or `Ledger:tcp://HOST:PORT`, with `/stax`, `/flex` or `/apex` appended
 * for a touch screen, which a socket does not reveal.
 */
export const isDeviceName = (name: string): boolean => partsOf(name) !== undefined;

/**
 * Connects to the device of a name, on Node. Sockets and HID are loaded on demand.
 * @throws DeviceError `bad-name`, `not-found`, `no-transport`, `several-devices`, `in-use`
 */
export async function connectByName(name: string): Promise<DeviceTransport> {
  const parts = partsOf(name);
  if (parts === undefined) throw new DeviceError('bad-name', 'expected Ledger or Ledger:tcp://HOST:PORT', { name });
  const { host, port, model } = parts;
  if (host !== undefined) {
    const { connectTcp } = await import('./tcp.ts');
    return connectTcp(host, port, model);
  }
  const [{ openNodeHid }, { HidTransport }] = await Promise.all([import('./node-hid.ts'), import('./hid.ts')]);
  return new HidTransport(await openNodeHid());
}

/** What a name says of an emulator; undefined if it is no device's. */
function partsOf(
  name: string,
): { readonly host?: string | undefined; readonly port: number; readonly model?: string | undefined } | undefined {
  const match = NAME.exec(name);
  if (match === null) return undefined;
  const [, host, port = '0', model] = match;
  return Number(port) > 0xffff ? undefined : { host: host?.replace(/^\[(.*)\]$/, '$1'), port: Number(port), model };
}
