import { minerAddress } from '../miner.ts';
import { OK, type RpcContext } from './context.ts';
import { difficultyFields } from './headers.ts';
import type { Params } from './params.ts';
import type { Reply } from './reply.ts';

/** Answers about the miner, which makes a block every few seconds instead of hashing. */

export function startMining({ timer }: RpcContext, params: Params): Reply {
  const text = params.string('miner_address');
  let address: ReturnType<typeof minerAddress>;
  try {
    address = minerAddress(text);
  } catch {
    return { ...OK, status: 'Failed, wrong address' };
  }
  if (timer.active) return { ...OK, status: 'Already mining' };
  timer.start(text, address);
  return { ...OK };
}

export function stopMining({ timer }: RpcContext): Reply {
  if (!timer.active) return { ...OK, status: 'Mining never started' };
  timer.stop();
  return { ...OK };
}

export function miningStatus({ node, timer }: RpcContext): Reply {
  return {
    ...OK,
    ...difficultyFields('difficulty', 1),
    active: timer.active,
    address: timer.address,
    bg_idle_threshold: 0,
    bg_ignore_battery: false,
    bg_min_idle_seconds: 0,
    bg_target: 0,
    block_reward: timer.active ? node.chain.baseReward : 0,
    block_target: 120,
    is_background_mining_enabled: false,
    pow_algorithm: 'RandomX',
    speed: 0,
    threads_count: timer.active ? 1 : 0,
  };
}
