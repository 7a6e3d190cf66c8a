import { hostOf } from './bans.ts';
import { OK, PAID_OK, type RpcContext } from './context.ts';
import { AbortedCall, flag, flagTrueByDefault, i64, method, objects, RpcError, text, u32 } from './params.ts';
import type { Reply } from './reply.ts';

/** Calls about peers, of which there are none, and their settings. */

/** Empty answer of calls about connections, peer lists and public nodes. */
export const noPeers = (): Reply => ({ ...OK });

/** Only the height: there are neither peers nor spans of blocks being downloaded (`on_sync_info`). */
export function syncInfo({ node }: RpcContext): Reply {
  const next_needed_pruning_seed = node.chain.pruningSeed || 1;
  return { ...PAID_OK, height: node.chain.height, next_needed_pruning_seed, overview: '[]', target_height: 0 };
}

const BAN = { host: text, ip: u32, ban: flag, seconds: u32 } as const;

/**
 * Bans hosts and networks for a number of seconds, or ends their bans, by name or by IPv4 number (`on_set_bans`).
 * @throws RpcError `wrongParam`
 */
export const setBans = method({ bans: objects(BAN) }, ({ service }, { bans }) => {
  for (const { host, ip, ban, seconds } of bans) {
    const name = host || hostByNumber(ip);
    const isTaken = ban ? service.bans.ban(name, seconds) : service.bans.unban(name);
    if (!isTaken) throw new RpcError('wrongParam', 'Unsupported host/subnet type');
  }
  return { ...OK };
});

function hostByNumber(ip: number): string {
  if (ip === 0) throw new RpcError('wrongParam', 'No ip/host supplied');
  return hostOf(ip);
}

/** Active bans, with the seconds left for each (`on_get_bans`). */
export function getBans({ service: { bans } }: RpcContext): Reply {
  return { ...OK, bans: bans.all.map(({ host, ip, seconds }) => ({ host, ip, seconds })) };
}

/** Whether a host is banned, and for how many seconds more (`on_banned`). @throws RpcError `wrongParam` for an invalid host */
export const getBanned = method({ address: text }, ({ service: { bans } }, { address }) => {
  const seconds = bans.secondsOf(address);
  if (seconds === undefined) throw new RpcError('wrongParam', 'Unsupported host type');
  return { status: 'OK', banned: seconds > 0, seconds };
});

/** Limits of traffic, kB per second (`on_get_limit`). */
export function getLimit({ service: { limitDown, limitUp } }: RpcContext): Reply {
  return { ...OK, limit_down: limitDown, limit_up: limitUp };
}

/** Sets limits in kB per second; 0 keeps the current one, -1 restores the default. */
export const setLimit = method({ limit_down: i64, limit_up: i64 }, (context, { limit_down, limit_up }) =>
  context.service.setLimits(limit_down, limit_up)
    ? getLimit(context)
    : { ...OK, limit_down: 0, limit_up: 0, status: 'Invalid parameter' },
);

/** Maximum peers to connect to, set first unless `set` is false (`on_out_peers`). */
export const outPeers = method({ set: flagTrueByDefault, out_peers: u32 }, ({ service }, { set, out_peers }) => {
  if (set) service.outPeers = out_peers;
  return { ...OK, out_peers: service.outPeers };
});

/** Maximum peers that may connect, like {@link outPeers} (`on_in_peers`). */
export const inPeers = method({ set: flagTrueByDefault, in_peers: u32 }, ({ service }, { set, in_peers }) => {
  if (set) service.inPeers = in_peers;
  return { ...OK, in_peers: service.inPeers };
});

/** Traffic of this service. */
export function getNetStats({ service: { traffic }, startedAt }: RpcContext): Reply {
  return {
    ...OK,
    start_time: startedAt,
    total_packets_in: traffic.packetsIn,
    total_bytes_in: traffic.bytesIn,
    total_packets_out: traffic.packetsOut,
    total_bytes_out: traffic.bytesOut,
  };
}

/** The address is stored and reported, but not contacted: the devnet is always synchronised. */
export const setBootstrapDaemon = method(
  { address: text, username: text, password: text, proxy: text },
  ({ service }, { address }) => {
    service.bootstrapAddress = hostAndPort(address);
    return { status: 'OK' };
  },
);

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Host and port of an address as the reference reports them, port 0 if none is given. @throws AbortedCall for an invalid port */
function hostAndPort(address: string): string {
  if (address === '' || address === 'auto') return '';
  const [, scheme = '', bracketed, plain = '', digits] = /^(?:(\w+):\/\/)?(?:\[([^\]]*)\]|([^:/?#]*))(?::(\d+))?/.exec(address)!;
  const port = digits === undefined ? (PORTS[scheme] ?? 0) : Number(digits);
  if (port > 0xffff) throw new AbortedCall();
  return `${bracketed ?? plain}:${port}`;
}
