import { DEFAULT_HISTORY, DevnetError, type ServedDevnet, serveDevnet } from '../devnet/index.ts';
import type { Command } from './command.ts';
import { CliError } from './errors.ts';
import { type Flags, type FlagValues, numberFlag, textFlag } from './flags.ts';
import { portProblem, runUntilStopped } from './signals.ts';

const flags: Flags = {
  port: { value: 'number', text: 'where the daemon listens on 127.0.0.1 (default 18081; 0 takes a free one)' },
  'block-time': { value: 'seconds', text: 'time between blocks (default 4; 0 makes blocks on demand only)' },
  'data-dir': { value: 'folder', text: 'keep the chain there (default: in memory)' },
  empty: { text: 'begin with the genesis block alone, without a history' },
  'rpc-restricted-bind-port': { value: 'number', text: 'a second port, restricted as a public node is (0 takes a free one)' },
  'rpc-login': { value: 'name:password', text: 'what callers log in with' },
  'fixed-difficulty': { value: 'number', text: 'difficulty of every block (default 1, whose blocks monerod takes too)' },
  'hash-rate': { value: 'number', text: 'start_mining hashes so often a second and thread (default: blocks by the clock)' },
  'max-txpool-weight': { value: 'bytes', text: 'weight of all that may wait (default 648000000)' },
  'allow-origin': { value: 'origin', text: 'let pages of that origin call, as https://wallet.example' },
};

async function run(values: FlagValues): Promise<void> {
  const port = numberFlag(values, 'port', 18_081, 0, 65_535);
  const blockTime = numberFlag(values, 'block-time', 4, 0, 86_400, false);
  const dataDir = textFlag(values, 'data-dir');
  const origin = textFlag(values, 'allow-origin');
  const restrictedPort = optionalNumber(values, 'rpc-restricted-bind-port', 0, 65_535);
  const hashRate = optionalNumber(values, 'hash-rate', 1, 1_000_000);
  const maxPoolWeight = optionalNumber(values, 'max-txpool-weight', 1, Number.MAX_SAFE_INTEGER);
  const login = loginOf(textFlag(values, 'rpc-login'));
  let devnet: ServedDevnet;
  try {
    devnet = await serveDevnet({
      port,
      blockTime,
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(values.empty === true ? {} : { history: DEFAULT_HISTORY }),
      ...(origin === undefined ? {} : { origins: [origin] }),
      ...(restrictedPort === undefined ? {} : { restrictedPort }),
      ...(hashRate === undefined ? {} : { hashRate }),
      ...(maxPoolWeight === undefined ? {} : { maxPoolWeight }),
      ...(login === undefined ? {} : { login }),
      difficulty: BigInt(numberFlag(values, 'fixed-difficulty', 1, 1, Number.MAX_SAFE_INTEGER)),
      // A caller that asks it to stop is as good as a signal; its answer goes out first.
      onStop: () => void setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100),
    });
  } catch (error) {
    throw explained(error, port);
  }
  console.log(`A test chain of ${devnet.node.chain.height} blocks: ${devnet.url}`);
  if (devnet.restrictedUrl !== undefined) console.log(`Restricted: ${devnet.restrictedUrl}`);
  console.log(blockTime > 0 ? `A block every ${blockTime} s.` : 'Blocks on demand: generateblocks, start_mining.');
  console.log(dataDir === undefined ? 'Kept in memory.' : `Kept in ${dataDir}.`);
  console.log('Test coins: POST /faucet {"address": "4…"}');
  console.log(
    `Reference wallet: monero-wallet-cli --daemon-address ${devnet.url} --trusted-daemon --allow-mismatched-daemon-version`,
  );
  await runUntilStopped(() => devnet.stop());
}

function optionalNumber(values: FlagValues, name: string, least: number, most: number): number | undefined {
  return textFlag(values, name) === undefined ? undefined : numberFlag(values, name, 0, least, most);
}

/** @throws CliError unless there is a password behind the name */
function loginOf(text: string | undefined): { readonly name: string; readonly password: string } | undefined {
  if (text === undefined) return undefined;
  const at = text.indexOf(':');
  if (at < 1 || at === text.length - 1) throw new CliError('--rpc-login wants a name and a password: name:password');
  return { name: text.slice(0, at), password: text.slice(at + 1) };
}

/** Errors of opening and serving a devnet in the person's words. */
export function explained(error: unknown, port: number): unknown {
  if (error instanceof DevnetError) return new CliError(error.message);
  const problem = portProblem(error, port);
  return problem === undefined ? error : new CliError(problem);
}

export const devnetCommand: Command = { summary: 'runs a test chain with a daemon for wallets on this machine', flags, run };
