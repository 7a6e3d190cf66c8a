import { asBoolean, asObject, asText, type JsonValue, parseJson, stringifyJson } from '../src/base/index.ts';
import type { Network } from '../src/protocol/index.ts';
import type { SiteConfig } from './host.ts';
import { HostError } from './host-error.ts';

/** Additional services of the page's server. */

const NETWORKS: readonly string[] = ['mainnet', 'stagenet', 'testnet', 'regtest'] satisfies readonly Network[];

/** Reads `/nightjar.json`. Undefined when there is none, or no connection. */
export async function fetchSite(): Promise<SiteConfig | undefined> {
  try {
    const response = await fetch(new URL('/nightjar.json', self.location.href), { cache: 'no-store' });
    return response.ok ? readSite(parseJson(await response.text())) : undefined;
  } catch {
    return undefined;
  }
}

function readSite(value: JsonValue): SiteConfig {
  const site = asObject(value);
  const network = asText(site.network, 'network');
  if (!NETWORKS.includes(network)) throw new TypeError('expected the name of a network');
  const daemon = site.daemon === undefined || site.daemon === null ? undefined : asObject(site.daemon, 'daemon');
  return {
    network: network as Network,
    regtest: site.regtest === true,
    daemon: daemon && { url: asText(daemon.url, 'daemon.url'), kind: daemon.kind === 'devnet' ? 'devnet' : 'monerod' },
    faucet: asBoolean(site.faucet, 'faucet'),
  };
}

/** Asks the devnet's faucet to send coins to an address. */
export async function askFaucet(address: string): Promise<void> {
  let response: Response;
  try {
    response = await fetch(new URL('/faucet', self.location.href), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stringifyJson({ address }),
    });
  } catch {
    throw new HostError('faucet-unreachable', 'expected the server of this page to answer');
  }
  if (!response.ok) throw new HostError('faucet-refused', `expected the faucet to pay, got status ${response.status}`);
}
