import { beforeAll, describe, expect, test } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { replay } from '../support/ledger/replay.ts';
import { traces } from '../support/ledger/traces.ts';

const recorded = traces();
beforeAll(loadCrypto);

describe('the double of the app answers as the real one did', () => {
  test('there are 92 recorded scenarios', () => {
    expect(recorded).toHaveLength(92);
  });

  test.each(recorded.map((trace) => [trace.name, trace] as const))('%s', async (_, trace) => {
    const { predicted, refusals, gone } = await replay(trace);
    expect(predicted + refusals + gone).toBe(trace.exchanges.length);
  });
});
