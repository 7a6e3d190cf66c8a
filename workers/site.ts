import { asObject, asText, type JsonValue, parseJson, stringifyJson } from '../src/base/index.ts';
import type { Network } from '../src/protocol/index.ts';
import type { SiteConfig } from './host.ts';
import { HostError } from './host-error.ts';

/** Additional services of the page's server. */

/** Beside the page's document, one folder above the worker's script, so that a page may be served from any folder. */
const CONFIG = '../nightjar.json';
/** Statuses with which servers of files say that there is no such file; stores of objects answer 403. */
const ABSENT: readonly number[] = [403, 404, 410];
/** A server that has only the page's files. */
const ALONE: SiteConfig = { network: undefined, regtest: false, daemon: undefined, faucet: false };

const NETWORKS: readonly string[] = ['mainnet', 'stagenet', 'testnet', 'regtest'] satisfies readonly Network[];

/**
 * Reads `nightjar.json`. Undefined when the server cannot be asked; {@link ALONE} when it has no such file, or answers with something else, as
 * servers do that send the page for every path.
 */
export async function fetchSite(): Promise<SiteConfig | undefined> {
  const answer = await fetch(new URL(CONFIG, self.location.href), { cache: 'no-store' })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined);
  if (answer === undefined || !(answer.status === 200 || ABSENT.includes(answer.status))) return undefined;
  try {
    return answer.status === 200 ? readSite(parseJson(answer.text)) : ALONE;
  } catch {
    return ALONE;
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
    faucet: site.faucet === true,
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
