import { hexToBytes } from '../../base/index.ts';
import { systemRandom } from '../../crypto/index.ts';
import { randomPruningSeed } from '../pruning.ts';
import type { Range } from '../store/database.ts';
import { OK, type RpcContext } from './context.ts';
import { flag, i8, method, RpcError, text, u32 } from './params.ts';
import type { Reply } from './reply.ts';

/** Calls that act on the daemon itself, and those about payment for calls, which does not exist here. */

/** Answer of calls that have nothing to do here: data is on disk before a call is answered. */
export const done = (): Reply => ({ ...OK });

/** Answer of a call that the reference has removed (`start_save_graph`). */
export const removedCall = (): Reply => ({ status: 'OK' });

/** Stops the daemon after answering (`on_stop_daemon`). */
export function stopDaemon({ service }: RpcContext): Reply {
  service.stop();
  return { ...OK };
}

const MAX_LOG_LEVEL = 4;

/** Sets a level from 0 to 4 (`on_set_log_level`); another one gives an error status and changes nothing. */
export const setLogLevel = method({ level: i8 }, ({ service: { logs } }, { level }) => {
  if (level < 0 || level > MAX_LOG_LEVEL) return { ...OK, status: 'Error: log level not valid' };
  logs.change(String(level));
  return { ...OK };
});

/** Sets categories as for `--log-level`; answers with all that are active then (`on_set_log_categories`). */
export const setLogCategories = method({ categories: text }, ({ service: { logs } }, { categories }) => ({
  ...OK,
  categories: logs.change(categories),
}));

/** Deletes what a pruned node deletes, with a random stripe; a chain that is pruned already stays as it is. */
export function prune(node: RpcContext['node']): void {
  if (node.chain.pruningSeed === 0) node.prune(randomPruningSeed(systemRandom));
}

/** Prunes unless `check` is set, and reports which stripe is kept. */
export const pruneBlockchain = method({ check: flag }, ({ node }, { check }) => {
  if (!check) prune(node);
  const seed = node.chain.pruningSeed;
  return { ...OK, pruned: seed !== 0, pruning_seed: seed };
});

const UPDATES: ReadonlySet<string> = new Set(['check', 'download', 'update']);

/** Looks for no release: answers as if the update server were unreachable, or that the daemon is offline. */
export const update = method({ command: text, path: text }, ({ service }, { command }) => {
  const nothing = { auto_uri: '', hash: '', path: '', user_uri: '', version: '', update: false };
  if (service.offline) return { ...OK, ...nothing, status: 'Daemon is running offline' };
  const status = UPDATES.has(command) ? 'Error checking for updates' : `unknown command: '${command}'`;
  return { ...OK, ...nothing, status };
});

const MAX_BITS = 256;

/** Ids in the pool and the chain whose first bits match a template (core_rpc_server.cpp after 0.18). */
export const getTxidsLoose = method({ txid_template: text, num_matching_bits: u32 }, ({ node }, params) => {
  const template = params.txid_template.toLowerCase();
  const bits = params.num_matching_bits;
  if (!/^[0-9a-f]{64}$/.test(template)) throw new RpcError('wrongParam', 'Failed to parse txid template');
  if (bits > MAX_BITS) throw new RpcError('wrongParam', `Expected at most ${MAX_BITS} bits`);
  const range = rangeOf(template, bits);
  const mined = [...node.chain.transactionIds(range)];
  const waiting = node.pool.visible.map(({ id }) => id).filter((id) => agree(id, template, bits));
  return { ...OK, txids: [...mined.filter((id) => agree(id, template, bits)), ...waiting] };
});

/** The range of ids that match a template in its whole bytes. */
function rangeOf(template: string, bits: number): Range {
  const whole = template.slice(0, (bits >> 3) * 2);
  return { from: hexToBytes(whole.padEnd(64, '0')), to: Buffer.concat([hexToBytes(whole.padEnd(64, 'f')), Buffer.alloc(1)]) };
}

function agree(id: string, template: string, bits: number): boolean {
  const whole = bits >> 2;
  if (id.slice(0, whole) !== template.slice(0, whole)) return false;
  const rest = bits & 3;
  const of = (text: string): number => Number.parseInt(text[whole] ?? '0', 16) >> (4 - rest);
  return rest === 0 || of(id) === of(template);
}

/** A paying client has no credits, and no work to earn them (`on_rpc_access_info`). */
export function accessInfo(): Reply {
  const none = { cookie: 0, credits: 0, credits_per_hash_found: 0, diff: 0, height: 0, seed_height: 0 };
  return { ...OK, ...none, hashing_blob: '', next_seed_hash: '', seed_hash: '', top_hash: '' };
}

/** Submitted work and payments have no effect: no call costs anything. */
export const accessNotNecessary = (): Reply => ({ ...OK, credits: 0, top_hash: '', status: 'Payment not necessary' });

/** There are no accounts. @throws RpcError `paymentsNotEnabled`, like the reference without payments */
export function accessNotEnabled(): never {
  throw new RpcError('paymentsNotEnabled', 'Payments not enabled');
}

/** How often each call was answered. Nothing was paid. */
export const accessTracking = method({ clear: flag }, ({ service }, { clear }) => {
  if (clear) {
    service.forgetCalls();
    return { ...OK };
  }
  const data = service.calls.map(({ name, count, microseconds }) => ({ count, credits: 0, rpc: name, time: microseconds }));
  return { ...OK, data };
});
