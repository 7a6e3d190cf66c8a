import { parseJson } from '../base/index.ts';
import { loadCrypto } from '../crypto/index.ts';
import { isOnThisMachine } from '../daemon/index.ts';
import { DEFAULT_HISTORY, type Devnet, openDevnet } from '../devnet/index.ts';
import type { Network } from '../protocol/index.ts';
import { toCliError } from './devnet/command.ts';
import { CliError } from './errors.ts';
import { type Flags, type FlagValues, loginFlag, numberFlag, textFlag } from './flags.ts';
import { GatewayError } from './http/answer.ts';
import type { Site } from './http/server.ts';
import { daemonUrl, devnetUpstream, MonerodUpstream, type Upstream } from './http/upstream.ts';

const NETWORKS: readonly Network[] = ['mainnet', 'stagenet', 'testnet', 'regtest'];

/** Flags that choose the daemon behind the page. */
export const siteFlags: Flags = {
  daemon: { value: 'url', text: 'use this monerod instead of the built-in test chain, as http://127.0.0.1:18081' },
  'daemon-login': { value: 'name:password', text: "the daemon's --rpc-login" },
  network: { value: 'name', text: 'mainnet, stagenet, testnet or regtest (default: as the daemon says)' },
  'block-time': { value: 'seconds', text: 'time between blocks of the test chain (default 4)' },
  'data-dir': { value: 'folder', text: 'keep the test chain there (default: in memory)' },
};

/** The daemon behind the page: the embedded one or the person's own. */
export interface Backend {
  readonly site: Omit<Site, 'files'>;
  /** Lines to print at the start. */
  readonly about: readonly string[];
  close(): void;
}

function networkFlag(values: FlagValues): Network | undefined {
  const text = textFlag(values, 'network');
  if (text === undefined || (NETWORKS as readonly string[]).includes(text)) return text as Network | undefined;
  throw new CliError(`--network wants one of ${NETWORKS.join(', ')}, not "${text}"`);
}

function refuseFlags(values: FlagValues, names: readonly string[], reason: string): void {
  const value = names.find((name) => values[name] !== undefined);
  if (value !== undefined) throw new CliError(`--${value} ${reason}`);
}

async function devnetBackend(values: FlagValues): Promise<Backend> {
  refuseFlags(values, ['daemon-login'], 'goes with --daemon');
  if ((networkFlag(values) ?? 'regtest') !== 'regtest')
    throw new CliError('--network goes with --daemon: the test chain is its own');
  const blockTime = numberFlag(values, 'block-time', 4, 0.1, 86_400, false);
  const dataDir = textFlag(values, 'data-dir');
  let devnet: Devnet;
  try {
    devnet = await openDevnet({ blockTime, history: DEFAULT_HISTORY, ...(dataDir === undefined ? {} : { dataDir }) });
  } catch (error) {
    throw toCliError(error);
  }
  return {
    site: { network: 'regtest', regtest: true, upstream: devnetUpstream(devnet.rpc), faucet: devnet.faucet },
    about: [
      `Network  a test chain of ${devnet.node.chain.height} blocks, one more every ${blockTime} s, kept ${dataDir === undefined ? 'in memory' : `in ${dataDir}`}`,
      'Try      make a wallet and press “Get test coins”: you can spend them in about a minute',
    ],
    close: () => devnet.close(),
  };
}

/** The daemon's network. @throws GatewayError when its answer does not name one */
async function askNetwork(upstream: Upstream): Promise<Network> {
  const request = Buffer.from('{"jsonrpc":"2.0","id":"0","method":"get_info"}');
  const { body } = await upstream.call('/json_rpc', 'application/json', request);
  const chunks: Uint8Array[] = [];
  if (body instanceof Uint8Array) chunks.push(body);
  else for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    const reply = parseJson(Buffer.concat(chunks).toString('utf8')) as { readonly result?: { readonly nettype?: string } };
    const nettype = reply.result?.nettype === 'fakechain' ? 'regtest' : reply.result?.nettype;
    const network = NETWORKS.find((name) => name === nettype);
    if (network !== undefined) return network;
  } catch {
    // Not JSON, so not a daemon: reported below.
  }
  throw new GatewayError('daemon-unreachable', 'what answers there is not a monerod');
}

async function monerodBackend(values: FlagValues, text: string): Promise<Backend> {
  refuseFlags(values, ['block-time', 'data-dir'], 'goes with the test chain, not with --daemon');
  const url = daemonUrl(text);
  const login = loginFlag(values, 'daemon-login');
  const wanted = networkFlag(values);
  await loadCrypto();
  const upstream = new MonerodUpstream({ url, login });
  const about = [`Daemon   ${url.origin}`];
  let network = wanted ?? 'mainnet';
  try {
    const found = await askNetwork(upstream);
    if (wanted !== undefined && found !== wanted) {
      upstream.close();
      throw new CliError(
        `the daemon at ${url.host} is on ${found}, not on ${wanted}: leave --network out, or choose another daemon`,
      );
    }
    if (found === 'regtest' && wanted === undefined && !isOnThisMachine(url.href)) {
      upstream.close();
      throw new CliError(`the daemon at ${url.host} serves a regtest chain: give --network regtest if that is meant`);
    }
    network = found;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    about.push(`Warning  ${error.message}; the page will try again`);
  }
  const regtest = wanted === 'regtest' || isOnThisMachine(url.href);
  return { site: { network, regtest, upstream }, about: [`Network  ${network}`, ...about], close: () => upstream.close() };
}

/**
 * Opens the daemon that the flags name.
 * @throws CliError for contradictory flags, and for a daemon of another network than the named one
 */
export function openBackend(values: FlagValues): Promise<Backend> {
  const daemon = textFlag(values, 'daemon');
  return daemon === undefined ? devnetBackend(values) : monerodBackend(values, daemon);
}
