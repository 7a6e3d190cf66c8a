import * as limits from '../limits.ts';
import type { RpcClient } from '../rpc-client.ts';
import type { CallOptions } from '../types.ts';

/** Parameters of `start_mining`. `threads` must be above 0. */
export interface MiningRequest extends CallOptions {
  /** Address that receives the rewards. */
  readonly address: string;
  readonly threads: bigint;
  /** Mine only while the machine is otherwise idle. */
  readonly background: boolean;
  /** Mine in the background also while the machine runs on battery. */
  readonly ignoreBattery: boolean;
}

/** @throws DaemonError `bad-status` when it mines already, or cannot */
export function startMining(client: RpcClient, request: MiningRequest): Promise<void> {
  const body = {
    miner_address: request.address,
    threads_count: request.threads,
    do_background_mining: request.background,
    ignore_battery: request.ignoreBattery,
  };
  return client.path('/start_mining', body, acting(request), () => undefined);
}

/** @throws DaemonError `bad-status` when it does not mine */
export function stopMining(client: RpcClient, options: CallOptions): Promise<void> {
  return client.path('/stop_mining', {}, acting(options), () => undefined);
}

const acting = (options: CallOptions) => ({ signal: options.signal, maxBytes: limits.SMALL, once: true });
