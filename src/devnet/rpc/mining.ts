import { cpus } from 'node:os';
import { type AddressKeys, encodeAddress } from '../../protocol/index.ts';
import { DevnetError } from '../errors.ts';
import { minerAddress, selectBlockContents } from '../miner.ts';
import { TEST_HASH_NAME } from '../proof-of-work.ts';
import { type ChainNetwork, TARGET_SECONDS } from '../rules.ts';
import { OK, type RpcContext } from './context.ts';
import { wideFields } from './headers.ts';
import { count, flag, method, text } from './params.ts';
import type { Reply } from './reply.ts';

/** Answers about the miner. */

/** Maximum threads per processor. */
const THREADS_A_PROCESSOR = 4;

const failed = (status: string): Reply => ({ ...OK, status });

/** The address, or the error as a status. */
function readAddress(text: string, network: ChainNetwork): AddressKeys | string {
  try {
    return minerAddress(text, network);
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    return error.code === 'subaddress' ? "Mining to subaddress isn't supported yet" : 'Failed, wrong address';
  }
}

const START = { miner_address: text, threads_count: count, do_background_mining: flag, ignore_battery: flag } as const;

/** Mines to a standard address until stopped (`on_start_mining`); 0 threads count as one. Errors are reported as a status. */
export const startMining = method(START, ({ timer, node }, params) => {
  const { miner_address, threads_count: threads, do_background_mining: inBackground, ignore_battery: ignoresBattery } = params;
  const address = readAddress(miner_address, node.network);
  if (typeof address === 'string') return failed(address);
  if (threads > cpus().length * THREADS_A_PROCESSOR) return failed('Failed, too many threads relative to CPU cores.');
  if (timer.running) return failed('Already mining');
  timer.start(address, { threads: Math.max(1, threads), inBackground, ignoresBattery });
  return { ...OK };
});

/** Stops mining (`on_stop_mining`); an error status if it was not running. */
export function stopMining({ timer }: RpcContext): Reply {
  if (!timer.running) return failed('Mining never started');
  timer.stop();
  return { ...OK };
}

/** Background mining: it waits for nothing here, and its settings are the reference's initial ones. */
const BACKGROUND = { bg_idle_threshold: 90, bg_min_idle_seconds: 10, bg_target: 40 };
const NO_BACKGROUND = { bg_idle_threshold: 0, bg_min_idle_seconds: 0, bg_target: 0 };

/** In its standard form, whatever form it was given in. */
const textOf = ({ spendKey, viewKey }: AddressKeys, network: ChainNetwork): string =>
  encodeAddress({ network, kind: 'standard', spendKey, viewKey });

/** Whether, for whom and how fast it mines (`on_mining_status`); rewards in atomic units, speed in hashes per second. */
export function miningStatus({ node, timer: { running } }: RpcContext): Reply {
  return {
    ...OK,
    ...wideFields('difficulty', node.difficulty),
    ...(running?.inBackground ? BACKGROUND : NO_BACKGROUND),
    active: running !== undefined,
    address: running === undefined ? '' : textOf(running.address, node.network),
    bg_ignore_battery: running?.inBackground === true && running.ignoresBattery,
    block_reward: running === undefined ? 0 : selectBlockContents(node.chain, node.pool).reward,
    block_target: TARGET_SECONDS,
    is_background_mining_enabled: running?.inBackground ?? false,
    pow_algorithm: TEST_HASH_NAME,
    speed: running?.speed() ?? 0,
    threads_count: running?.threads ?? 0,
  };
}

/** Accepted while it mines, without effect: the log has no hash rate (`on_set_log_hash_rate`). */
export const setLogHashRate = method({ visible: flag }, ({ timer }) => (timer.running ? { ...OK } : failed('NOT MINING')));
