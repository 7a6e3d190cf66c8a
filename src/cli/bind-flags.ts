import { isIP } from 'node:net';
import type { ConnectionLimits } from '../http/index.ts';
import { CliError } from './errors.ts';
import { type Flags, type FlagValues, numberFlag, textFlag } from './flags.ts';

/** Flags of all our services: where they listen, how many connections they take, and what is refused. */

/** An address that the service listens on. */
export interface BindAddress {
  readonly ip: string;
  /** Whether the service starts even if the address is unavailable. */
  readonly optional: boolean;
}

/** As the reference's flags (rpc_args.cpp): IPv4, and IPv6 on request. */
export function addressesOf(values: FlagValues, prefix: 'rpc' | 'rpc-restricted'): BindAddress[] {
  const useIpv6 = values['rpc-use-ipv6'] === true;
  const ip = checkedAddress(values, `${prefix}-bind-ip`, '127.0.0.1');
  const optional = useIpv6 && values['rpc-ignore-ipv4'] === true;
  return [
    { ip, optional },
    ...(useIpv6 ? [{ ip: checkedAddress(values, `${prefix}-bind-ipv6-address`, '::1'), optional: false }] : []),
  ];
}

function checkedAddress(values: FlagValues, flag: string, fallback: string): string {
  const ip = (textFlag(values, flag) ?? fallback).replace(/^\[(.*)\]$/, '$1');
  if (isIP(ip) === 0 && ip !== 'localhost') throw new CliError(`Invalid IP address given for --${flag}`);
  if (!isLoopback(ip) && values['confirm-external-bind'] !== true) {
    throw new CliError(
      `--${flag} permits inbound unencrypted external connections. Consider SSH tunnel or SSL proxy instead. Override with --confirm-external-bind`,
    );
  }
  return ip;
}

const MOST_CONNECTIONS = 100_000;

/** Connections from one address are unlimited by default: a shop's server and its proxy may share one. */
export function connectionLimitsOf(values: FlagValues): ConnectionLimits {
  const all = numberFlag(values, 'rpc-max-connections', 100, 1, MOST_CONNECTIONS);
  const each = (name: string): number | undefined => {
    if (values[name] === undefined) return undefined;
    const most = numberFlag(values, name, all, 1, MOST_CONNECTIONS);
    if (most > all) throw new CliError(`--${name} is bigger than --rpc-max-connections (${all})`);
    return most;
  };
  return { all, eachNear: each('rpc-max-connections-per-private-ip'), eachFar: each('rpc-max-connections-per-public-ip') };
}

/** @throws CliError for a flag whose text says that it is not supported */
export function refuseUnsupported(values: FlagValues, flags: Flags): void {
  for (const name of Object.keys(values)) {
    const text = flags[name]?.text ?? '';
    if (values[name] !== undefined && text.startsWith('not supported')) throw new CliError(`--${name} is ${text}`);
  }
}

/** Whether only this machine can reach it: `localhost`, `::1`, `127.0.0.0/8`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
