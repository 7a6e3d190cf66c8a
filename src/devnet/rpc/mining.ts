import { cpus } from 'node:os';
import { DevnetError } from '../errors.ts';
import { type MinerAddress, minerAddress } from '../miner.ts';
import { TEST_HASH_NAME } from '../proof.ts';
import { type ChainNetwork, TARGET_SECONDS } from '../rules.ts';
import { OK, type RpcContext } from './context.ts';
import { wideFields } from './headers.ts';
import type { Params } from './params.ts';
import type { Reply } from './reply.ts';

/** Answers about the miner. */

/** Threads that a processor is believed to bear. */
const THREADS_A_PROCESSOR = 4;

const failed = (status: string): Reply => ({ ...OK, status });

/** The address, or what is wrong with it. */
function readAddress(text: string, network: ChainNetwork): MinerAddress | string {
  try {
    return minerAddress(text, network);
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    return error.code === 'subaddress' ? "Mining to subaddress isn't supported yet" : 'Failed, wrong address';
  }
}

export function startMining({ timer, node }: RpcContext, params: Params): Reply {
  const text = params.text('miner_address');
  const address = readAddress(text, node.network);
  if (typeof address === 'string') return failed(address);
  const threads = params.number('threads_count');
  if (threads > cpus().length * THREADS_A_PROCESSOR) return failed('Failed, too many threads relative to CPU cores.');
  if (timer.active) return failed('Already mining');
  timer.start(text, address, Math.max(1, threads), params.flag('do_background_mining'));
  return { ...OK };
}

export function stopMining({ timer }: RpcContext): Reply {
  if (!timer.active) return failed('Mining never started');
  timer.stop();
  return { ...OK };
}

/** Background mining: it waits for nothing here, and its settings are those that the reference begins with. */
const BACKGROUND = { bg_idle_threshold: 90, bg_ignore_battery: false, bg_min_idle_seconds: 10, bg_target: 40 };
const NO_BACKGROUND = { bg_idle_threshold: 0, bg_ignore_battery: false, bg_min_idle_seconds: 0, bg_target: 0 };

export function miningStatus({ node, timer }: RpcContext): Reply {
  return {
    ...OK,
    ...wideFields('difficulty', node.difficulty),
    ...(timer.inBackground ? BACKGROUND : NO_BACKGROUND),
    active: timer.active,
    address: timer.address,
    block_reward: timer.active ? node.chain.baseReward : 0,
    block_target: TARGET_SECONDS,
    is_background_mining_enabled: timer.inBackground,
    pow_algorithm: TEST_HASH_NAME,
    speed: timer.hashesPerSecond,
    threads_count: timer.threads,
  };
}

export function setLogHashRate({ timer, service }: RpcContext, params: Params): Reply {
  if (!timer.active) return failed('NOT MINING');
  service.showsHashRate = params.flag('visible');
  return { ...OK };
}
