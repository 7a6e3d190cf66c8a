import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, isIPv6, type Server as NetServer } from 'node:net';
import type { BindAddress } from './bind-flags.ts';
import { CliError } from './errors.ts';
import { portErrorText } from './signals.ts';

/** A listening server: its port, and each address that it is bound to. */
export interface Listening {
  readonly port: number;
  readonly bound: readonly { readonly ip: string; readonly family: 'IPv4' | 'IPv6' }[];
  /** Closes what listens besides the server itself. */
  close(): void;
}

/**
 * Makes one server reachable at each address, on one port: its limits apply to all of them together.
 * @throws CliError when an address is unavailable, unless it is optional
 */
export async function listenOn(
  server: Server,
  { addresses, port: wanted }: { readonly addresses: readonly BindAddress[]; readonly port: number },
  portFlag = 'rpc-bind-port',
): Promise<Listening> {
  const doors: NetServer[] = [];
  const bound: BindAddress[] = [];
  let port = wanted;
  const close = () => {
    for (const door of doors) door.close();
  };
  for (const address of addresses) {
    // The given server listens on the first address; for each other one, a further server passes its connections on.
    const isFirst = bound.length === 0;
    const door = isFirst ? server : createServer({ allowHalfOpen: true }, (socket) => server.emit('connection', socket));
    try {
      // `::` alone would include the IPv4 addresses, which have a server of their own.
      await once(door.listen({ port, host: address.ip, ipv6Only: isIPv6(address.ip) }), 'listening');
    } catch (error) {
      if (address.optional) continue;
      close();
      server.close();
      throw new CliError(portErrorText(error, port, portFlag) ?? String(error));
    }
    if (!isFirst) doors.push(door);
    bound.push(address);
    ({ port } = door.address() as AddressInfo);
  }
  return { port, bound: bound.map(({ ip }) => ({ ip, family: isIPv6(ip) ? 'IPv6' : 'IPv4' })), close };
}
