import { RpcError } from '../errors.ts';
import { bool, params, u64 } from '../fields.ts';
import { MethodGroup, RUNS } from '../method.ts';
import { requireTrustedDaemon } from '../trusted-daemon.ts';

export const miningMethods = new MethodGroup('Mining control');

/** Threads that are always allowed. */
const FEWEST_THREADS = 2;

miningMethods.define({
  name: 'start_mining',
  summary: 'The daemon mines, to the primary address.',
  params: params({ threads_count: u64(), do_background_mining: bool(), ignore_battery: bool() }),
  ...RUNS,
  errors: ['unknown'],
  async handler({ host, wallet }, { threads_count, do_background_mining, ignore_battery }) {
    requireTrustedDaemon(host, wallet);
    const most = Math.max(host.concurrency ?? FEWEST_THREADS, FEWEST_THREADS);
    if (threads_count < 1n || threads_count > BigInt(most))
      throw new RpcError('unknown', 'The specified number of threads is inappropriate.');
    await orElse("Couldn't start mining due to unknown error.", () =>
      wallet.daemon?.startMining({
        address: wallet.description.primaryAddress,
        threads: threads_count,
        background: do_background_mining,
        ignoreBattery: ignore_battery,
      }),
    );
  },
});

miningMethods.define({
  name: 'stop_mining',
  summary: 'The daemon mines no more.',
  ...RUNS,
  errors: ['unknown'],
  async handler({ wallet }) {
    await orElse("Couldn't stop mining due to unknown error.", () => wallet.daemon?.stopMining());
  },
});

/** One message to the client for every failure of the daemon, including a missing one. */
async function orElse(message: string, order: () => Promise<void> | undefined): Promise<void> {
  const pending = order();
  if (pending === undefined) throw new RpcError('unknown', message);
  await pending.catch(() => {
    throw new RpcError('unknown', message);
  });
}
