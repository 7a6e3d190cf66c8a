import { BlockList, isIP, isIPv4 } from 'node:net';

/** A host or a network that is banned. */
export interface Ban {
  readonly host: string;
  /** An IPv4 host as a number, as {@link ipOf} returns it; 0 for others. */
  readonly ip: number;
  /** Seconds left. */
  readonly seconds: number;
}

/** A host or an IPv4 network. */
interface Target {
  readonly name: string;
  readonly isHost: boolean;
  /** First address of a network, as {@link ipOf} returns it, and its prefix length in bits. */
  readonly place: readonly [first: number, bits: number];
  covers(host: string): boolean;
}

/** Hosts and IPv4 networks that are banned until a time. There is no P2P here: the list is only stored and queried. */
export class BanList {
  readonly #now: () => number;
  /** By name; `until` in unix seconds. */
  readonly #banned = new Map<string, { readonly target: Target; readonly until: number }>();

  /** @param now unix seconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns whether the text is a host or a network that can be banned */
  ban(text: string, seconds: number): boolean {
    const target = readTarget(text);
    if (target !== undefined) this.#banned.set(target.name, { target, until: this.#now() + seconds });
    return target !== undefined;
  }

  /** @returns whether the text is a host or a network */
  unban(text: string): boolean {
    const target = readTarget(text);
    if (target !== undefined) this.#banned.delete(target.name);
    return target !== undefined;
  }

  /** Seconds for which a host is banned, itself or with its network; 0 when it is not, undefined when it is not a host. */
  secondsOf(host: string): number | undefined {
    const name = readHost(host);
    if (name === undefined) return undefined;
    const left = this.#left;
    const found = left.find(({ target }) => target.name === name) ?? left.find(({ target }) => target.covers(name));
    return found?.seconds ?? 0;
  }

  /** Hosts sorted by text, then networks sorted by first address, whose last part is the most significant. */
  get all(): Ban[] {
    const left = this.#left;
    const hosts = left.filter(({ target }) => target.isHost).sort((a, b) => (a.target.name < b.target.name ? -1 : 1));
    const networks = left.filter(({ target }) => !target.isHost).sort((a, b) => byPlace(a.target, b.target));
    return [...hosts, ...networks].map(({ target: { name }, seconds }) => ({ host: name, ip: ipOf(name), seconds }));
  }

  /** Bans that have not ended. */
  get #left(): { readonly target: Target; readonly seconds: number }[] {
    const bans = Array.from(this.#banned.values(), ({ target, until }) => ({ target, seconds: until - this.#now() }));
    return bans.filter(({ seconds }) => seconds > 0);
  }
}

const byPlace = ({ place: a }: Target, { place: b }: Target): number => a[0] - b[0] || a[1] - b[1];

const MOST_PORT = 65_535;

/** A Tor host, with or without a port, or an I2P host, whose port is ignored (tor_address.cpp, i2p_address.cpp). */
function readHidden(text: string): string | undefined {
  const [, onion, port = ''] = /^([a-z2-7]{16}(?:[a-z2-7]{40})?\.onion)(?::(\d*))?$/i.exec(text) ?? [];
  const [, i2p] = /^([a-z2-7]{52}\.b32\.i2p)(?::[^:]*)?$/i.exec(text) ?? [];
  return ((Number(port) <= MOST_PORT ? onion : undefined) ?? i2p)?.toLowerCase();
}

/** The address of a host; a port up to 65,535 is allowed and ignored. */
function readHost(text: string): string | undefined {
  const hidden = readHidden(text);
  if (hidden !== undefined) return hidden;
  const [, six, four, port = ''] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d*))?$/i.exec(text) ?? [];
  const host = six ?? four ?? text;
  return isIP(host) !== 0 && Number(port) <= MOST_PORT ? host : undefined;
}

function readTarget(text: string): Target | undefined {
  const name = readHost(text);
  if (name !== undefined) return { name, isHost: true, place: [0, 0], covers: (host) => host === name };
  const [, address = '', digits] = /^([\d.]+)\/(\d{1,2})$/.exec(text) ?? [];
  const bits = Number(digits);
  if (!isIPv4(address) || bits > 32) return undefined;
  const list = new BlockList();
  list.addSubnet(address, bits);
  const mask = (place: number): number => 0xff00 >> Math.min(Math.max(bits - 8 * place, 0), 8);
  const first = address.split('.').map((part, place) => Number(part) & mask(place));
  const start = first.join('.');
  return {
    name: `${start}/${bits}`,
    isHost: false,
    place: [ipOf(start), bits],
    covers: (host) => isIPv4(host) && list.check(host),
  };
}

/** An IPv4 address as one number, its first part in the lowest byte. */
function ipOf(host: string): number {
  return isIPv4(host) ? host.split('.').reduceRight((sum, part) => sum * 256 + Number(part), 0) : 0;
}

/** Inverse of {@link ipOf}. */
export const hostOf = (ip: number): string => [0, 8, 16, 24].map((shift) => (ip >>> shift) & 0xff).join('.');
