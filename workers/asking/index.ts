import { DaemonService } from '../../src/daemon/service/index.ts';
import type { DaemonSettings } from '../../src/wallet/index.ts';
import { READING_CALLS, type ReadingCall, readWritten, type Written } from './calls.ts';
import { type SpeltAnswer, spellAnswer } from './spelt.ts';

/** A node asked by hand: loaded when somebody wants to, never before. */

export const readingCalls = (): readonly ReadingCall[] => READING_CALLS;

/**
 * Asks a node a call that only reads.
 * @throws AskingError; DaemonError
 */
export async function askNode({ url, username, password }: DaemonSettings, call: string, written: Written): Promise<SpeltAnswer> {
  const given = readWritten(call, written);
  const login = username === undefined ? {} : { username, password: password ?? '' };
  const service = DaemonService.connect({ url, ...login, retry: { attempts: 1 } });
  return spellAnswer(call, (await service.readByName(call, given)).acceptUnverified('asked-by-hand'));
}
