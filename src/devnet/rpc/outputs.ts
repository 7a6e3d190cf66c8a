import { SPENDABLE_AGE } from '../../protocol/index.ts';
import { PAID_OK, type RpcContext } from './context.ts';
import { outputDistribution } from './distribution.ts';
import { type Params, RPC_INTERNAL_ERROR, RpcError } from './params.ts';
import type { Reply, ReplyValue } from './reply.ts';

/** Answers about how many outputs there are, and when they came. */

export function getOutputHistogram({ node: { chain } }: RpcContext, params: Params): Reply {
  const wanted = params.amounts('amounts');
  const amounts = wanted.length > 0 ? wanted : chain.amounts;
  const recentFrom = params.number('recent_cutoff');
  const least = params.number('min_count');
  const most = params.number('max_count');
  const withUnlocked = params.boolean('unlocked');
  const histogram: Reply[] = [];
  for (const amount of amounts) {
    const outputs = chain.outputsOf(amount);
    if (outputs.length < least || (most > 0 && outputs.length > most)) continue;
    const isUnlocked = (height: number) => height + SPENDABLE_AGE <= chain.height;
    const unlocked = withUnlocked || recentFrom > 0 ? outputs.filter((output) => isUnlocked(output.height)) : [];
    const recent =
      recentFrom > 0 ? unlocked.filter((output) => Number(chain.blockAt(output.height)!.block.timestamp) >= recentFrom) : [];
    histogram.push({
      amount,
      total_instances: outputs.length,
      unlocked_instances: unlocked.length,
      recent_instances: recent.length,
    });
  }
  return { ...PAID_OK, histogram };
}

function packed(values: readonly bigint[]): Uint8Array {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => {
    bytes.writeBigUInt64LE(value, 8 * i);
  });
  return bytes;
}

function varints(values: readonly bigint[]): Uint8Array {
  const bytes: number[] = [];
  for (let value of values) {
    while (value >= 0x80n) {
      bytes.push(Number(value & 0x7fn) | 0x80);
      value >>= 7n;
    }
    bytes.push(Number(value));
  }
  return Uint8Array.from(bytes);
}

export function getOutputDistribution({ node: { chain } }: RpcContext, params: Params): Reply {
  const binary = params.boolean('binary', true);
  const compress = params.boolean('compress');
  const query = { from: params.number('from_height'), to: params.number('to_height'), cumulative: params.boolean('cumulative') };
  const distributions = params.amounts('amounts').map((amount) => {
    const found = outputDistribution(chain, amount, query);
    if (found === undefined) throw new RpcError(RPC_INTERNAL_ERROR, 'Failed to get output distribution');
    let data: { readonly [name: string]: ReplyValue } = { distribution: found.distribution };
    if (binary) data = compress ? { compressed_data: varints(found.distribution) } : { distribution: packed(found.distribution) };
    return { amount, start_height: found.startHeight, base: found.base, binary, compress, ...data };
  });
  return { ...PAID_OK, distributions };
}
