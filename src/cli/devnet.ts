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
  'allow-origin': { value: 'origin', text: 'let pages of that origin call, as https://wallet.example' },
};

async function run(values: FlagValues): Promise<void> {
  const port = numberFlag(values, 'port', 18_081, 0, 65_535);
  const blockTime = numberFlag(values, 'block-time', 4, 0, 86_400, false);
  const dataDir = textFlag(values, 'data-dir');
  const origin = textFlag(values, 'allow-origin');
  let devnet: ServedDevnet;
  try {
    devnet = await serveDevnet({
      port,
      blockTime,
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(values.empty === true ? {} : { history: DEFAULT_HISTORY }),
      ...(origin === undefined ? {} : { origins: [origin] }),
    });
  } catch (error) {
    throw explained(error, port);
  }
  console.log(`A test chain of ${devnet.node.chain.height} blocks: ${devnet.url}`);
  console.log(blockTime > 0 ? `A block every ${blockTime} s.` : 'Blocks on demand: generateblocks, start_mining.');
  console.log(dataDir === undefined ? 'Kept in memory.' : `Kept in ${dataDir}.`);
  console.log('Test coins: POST /faucet {"address": "4…"}');
  console.log(
    `Reference wallet: monero-wallet-cli --daemon-address ${devnet.url} --trusted-daemon --allow-mismatched-daemon-version`,
  );
  await runUntilStopped(() => devnet.stop());
}

/** Errors of opening and serving a devnet in the person's words. */
export function explained(error: unknown, port: number): unknown {
  if (error instanceof DevnetError) return new CliError(error.message);
  const problem = portProblem(error, port);
  return problem === undefined ? error : new CliError(problem);
}

export const devnetCommand: Command = { summary: 'runs a test chain with a daemon for wallets on this machine', flags, run };
