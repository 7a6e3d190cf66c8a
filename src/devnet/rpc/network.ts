import { hostOf } from './bans.ts';
import { OK, PAID_OK, type RpcContext } from './context.ts';
import { CallBroken, type Params, RpcError } from './params.ts';
import type { Reply } from './reply.ts';

/** Answers about peers, of which there are none, and what is set of them. */

/** Connections, peer lists and public nodes: nobody. */
export const nobody = (): Reply => ({ ...OK });

export function syncInfo({ node }: RpcContext): Reply {
  const next_needed_pruning_seed = node.chain.pruningSeed || 1;
  return { ...PAID_OK, height: node.chain.height, next_needed_pruning_seed, overview: '[]', target_height: 0 };
}

export function setBans({ service: { bans } }: RpcContext, params: Params): Reply {
  for (const entry of params.objects('bans')) {
    const host = entry.text('host') || hostByNumber(entry.number('ip'));
    const isTaken = entry.flag('ban') ? bans.ban(host, entry.number('seconds')) : bans.unban(host);
    if (!isTaken) throw new RpcError('wrongParam', 'Unsupported host/subnet type');
  }
  return { ...OK };
}

function hostByNumber(ip: number): string {
  if (ip === 0) throw new RpcError('wrongParam', 'No ip/host supplied');
  return hostOf(ip);
}

export function getBans({ service: { bans } }: RpcContext): Reply {
  return { ...OK, bans: bans.all.map(({ host, ip, seconds }) => ({ host, ip, seconds })) };
}

export function banned({ service: { bans } }: RpcContext, params: Params): Reply {
  const seconds = bans.secondsOf(params.text('address'));
  if (seconds === undefined) throw new RpcError('wrongParam', 'Unsupported host type');
  return { status: 'OK', banned: seconds > 0, seconds };
}

export function getLimit({ service: { limitDown, limitUp } }: RpcContext): Reply {
  return { ...OK, limit_down: limitDown, limit_up: limitUp };
}

export function setLimit(context: RpcContext, params: Params): Reply {
  const isTaken = context.service.setLimits(params.number('limit_down'), params.number('limit_up'));
  return isTaken ? getLimit(context) : { ...OK, limit_down: 0, limit_up: 0, status: 'Invalid parameter' };
}

export function outPeers({ service }: RpcContext, params: Params): Reply {
  if (params.flag('set', true)) service.outPeers = params.integer('out_peers');
  return { ...OK, out_peers: service.outPeers };
}

export function inPeers({ service }: RpcContext, params: Params): Reply {
  if (params.flag('set', true)) service.inPeers = params.integer('in_peers');
  return { ...OK, in_peers: service.inPeers };
}

/** What came and went through this service. */
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

/** The address is kept and told; nobody is asked there, for the devnet is always synchronised. */
export function setBootstrapDaemon({ service }: RpcContext, params: Params): Reply {
  service.bootstrapAddress = hostAndPort(params.text('address'));
  return { status: 'OK' };
}

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** What the reference tells of an address: host and port, 0 where neither names one. @throws CallBroken for a port that is none */
function hostAndPort(address: string): string {
  if (address === '' || address === 'auto') return '';
  const [, scheme = '', bracketed, plain = '', digits] = /^(?:(\w+):\/\/)?(?:\[([^\]]*)\]|([^:/?#]*))(?::(\d+))?/.exec(address)!;
  const port = digits === undefined ? (PORTS[scheme] ?? 0) : Number(digits);
  if (port > 0xffff) throw new CallBroken();
  return `${bracketed ?? plain}:${port}`;
}
