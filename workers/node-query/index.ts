import { DaemonService } from '../../src/daemon/service/index.ts';
import type { DaemonSettings } from '../../src/wallet/index.ts';
import { formatAnswer, type NodeAnswer } from './answer.ts';
import { type ParameterTexts, parseParameters, READ_ONLY_CALLS, type ReadOnlyCall } from './calls.ts';

/** Queries to a node by hand. Loaded at the first use. */

export const readOnlyCalls = (): readonly ReadOnlyCall[] => READ_ONLY_CALLS;

/**
 * Sends a read-only call to a node, once, without retries.
 * @throws NodeQueryError; DaemonError
 */
export async function askNode(
  { url, username, password }: DaemonSettings,
  call: string,
  written: ParameterTexts,
): Promise<NodeAnswer> {
  const params = parseParameters(call, written);
  const login = username === undefined ? {} : { username, password: password ?? '' };
  const service = DaemonService.connect({ url, ...login, retry: { attempts: 1 } });
  return formatAnswer(call, (await service.readByName(call, params)).acceptUnverified('asked-by-hand'));
}
