import { expect, it } from 'vitest';
import { nameEvent } from '../../src/wallet/freeze.ts';
import { DEFAULT_LOOKAHEAD, MAX_WATCHED_ADDRESSES, setLookahead, widened } from '../../src/wallet/lookahead.ts';
import type { Lookahead } from '../../src/wallet/model.ts';
import { foldEvents } from '../support/fold.ts';
import { created, hash } from './support.ts';

/** What is written when a wallet that watches so far is to look that far ahead. */
async function written(now: Lookahead, wanted: Lookahead): Promise<unknown[]> {
  const events: unknown[] = [];
  const append = async (more: readonly unknown[]): Promise<void> => void events.push(...more);
  const state = { accounts: [{ labels: [''] }], lookahead: now };
  await setLookahead({ state, append, ready: async () => undefined }, wanted);
  return events;
}

it('T6 a lookahead of nothing, or of more than a wallet can watch together with what it watches, is refused and not written', async () => {
  const refused = { code: 'lookahead-out-of-range', data: { most: MAX_WATCHED_ADDRESSES } };
  for (const wanted of [
    { major: 0, minor: 200 },
    { major: 50, minor: 0 },
    { major: 1, minor: MAX_WATCHED_ADDRESSES },
    { major: 2 ** 31, minor: 2 ** 31 },
  ])
    await expect(written(DEFAULT_LOOKAHEAD, wanted), `${wanted.major} ${wanted.minor}`).rejects.toMatchObject(refused);
  await expect(written({ major: 50, minor: 30_000 }, { major: 100, minor: 1 })).rejects.toMatchObject(refused);
  const bearable = { major: 100, minor: 10_000 };
  expect(await written(DEFAULT_LOOKAHEAD, bearable)).toEqual([{ type: 'LookaheadSet', lookahead: bearable }]);
});

it('a lookahead is never narrowed: addresses that were watched stay so', () => {
  expect(widened({ major: 50, minor: 400 }, { major: 60, minor: 1 })).toEqual({ major: 60, minor: 400 });
  const state = foldEvents([created(), { type: 'LookaheadSet', lookahead: { major: 1, minor: 1 } }]);
  expect(state.lookahead).toEqual(DEFAULT_LOOKAHEAD);
});

it('an output of somebody else is given no name', () => {
  const state = foldEvents([created()]);
  expect(() => nameEvent(state, hash('theirs'), 'rent')).toThrow(expect.objectContaining({ code: 'not-found' }));
});
