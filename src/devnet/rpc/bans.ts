import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** A host or a network that is banned. */
export interface Ban {
  readonly host: string;
  /** Of an IPv4 host, its bytes from the lowest up; 0 of others. */
  readonly ip: number;
  /** That are left. */
  readonly seconds: number;
}

interface Network {
  /** First address, highest byte first. */
  readonly from: number;
  readonly bits: number;
}

/** Hosts and IPv4 networks that are banned until a time. Nobody calls by P2P here: the list is kept, and asked. */
export class BanList {
  readonly #now: () => number;
  /** Until when, unix seconds. */
  readonly #hosts = new Map<string, number>();
  readonly #networks = new Map<string, { readonly network: Network; readonly until: number }>();

  /** @param now unix seconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns whether the text is a host or a network that can be banned */
  ban(host: string, seconds: number): boolean {
    const network = readNetwork(host);
    if (network !== undefined) this.#networks.set(nameOf(network), { network, until: this.#now() + seconds });
    else if (isHost(host)) {
      this.#hosts.set(host, this.#now() + seconds);
      this.#pass(host);
    } else return false;
    return true;
  }

  /** @returns whether the text is a host or a network */
  unban(host: string): boolean {
    const network = readNetwork(host);
    if (network !== undefined) this.#networks.delete(nameOf(network));
    else if (isHost(host)) this.#hosts.delete(host);
    else return false;
    return true;
  }

  /** A ban of no seconds is over at once. */
  #pass(host: string): void {
    if (this.#hosts.get(host)! <= this.#now()) this.#hosts.delete(host);
  }

  /** Seconds for which a host is banned; 0 when it is not, undefined when it is no host. */
  secondsOf(host: string): number | undefined {
    if (!isHost(host)) return undefined;
    const until = this.#hosts.get(host);
    if (until !== undefined && until > this.#now()) return until - this.#now();
    if (!isIPv4(host)) return 0;
    for (const { network, until: end } of this.#networks.values()) {
      const list = new BlockList();
      list.addSubnet(dotted(network.from), network.bits);
      if (end > this.#now() && list.check(host)) return end - this.#now();
    }
    return 0;
  }

  /** Hosts by their text, then networks by their first address. */
  get all(): Ban[] {
    const left = (until: number): number => until - this.#now();
    const hosts = [...this.#hosts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([host, until]) => ({ host, ip: ipOf(host), seconds: left(until) }));
    const networks = [...this.#networks].map(([host, { until }]) => ({ host, ip: 0, seconds: left(until) }));
    return [...hosts, ...networks].filter(({ seconds }) => seconds > 0);
  }
}

const isHost = (text: string): boolean => isIPv4(text) || isIPv6(text);

function readNetwork(text: string): Network | undefined {
  const match = /^([\d.]+)\/(\d{1,2})$/.exec(text);
  if (match === null || !isIPv4(match[1]!)) return undefined;
  const bits = Number(match[2]);
  if (bits > 32) return undefined;
  const mask = bits === 0 ? 0 : (0xffff_ffff << (32 - bits)) >>> 0;
  return { from: (number(match[1]!) & mask) >>> 0, bits };
}

const number = (host: string): number => host.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
const nameOf = ({ from, bits }: Network): string => `${dotted(from)}/${bits}`;

/** An IPv4 address as one number, its first part in the lowest byte. */
function ipOf(host: string): number {
  return isIPv4(host) ? host.split('.').reduceRight((sum, part) => sum * 256 + Number(part), 0) : 0;
}

/** The opposite of {@link ipOf}. */
export const hostOf = (ip: number): string => [0, 8, 16, 24].map((shift) => (ip >>> shift) & 0xff).join('.');
