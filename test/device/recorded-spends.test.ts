import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { DeviceSession } from '../../src/device/session.ts';
import { makeOnDevice } from '../../src/device/signing/transaction.ts';
import { closingRounds, type RecordedSpend, RecordedTransport, recordedSpend } from '../support/ledger/recorded-spend.ts';
import { appKeys, TEST_MNEMONIC } from '../support/ledger/seed.ts';
import { traces } from '../support/ledger/traces.ts';

const spends = traces().filter(({ after }) => after.txs?.[0]?.accepted === true);
beforeAll(loadCrypto);

async function signAgain({ unsigned, choices }: RecordedSpend, transport: RecordedTransport, rounds: 'closing' | 'every') {
  const session = new DeviceSession(transport);
  const { viewKey } = appKeys(TEST_MNEMONIC);
  return makeOnDevice({ session, viewKey, randomness: choices, rounds, step: () => {} }, unsigned);
}

describe('what the native wallet asked of the real app, asked by us, byte for byte', () => {
  test('seventeen spends that monerod took', () => {
    expect(spends).toHaveLength(17);
  });

  test.each(spends.map((trace) => [trace.name, trace] as const))('%s', async (name, trace) => {
    const recorded = recordedSpend(trace);
    const short = name.startsWith('14');
    const whole = new RecordedTransport(recorded.exchanges);
    const { signed } = await signAgain(recorded, whole, short ? 'closing' : 'every');
    expect(whole.asked).toBe(recorded.exchanges.length);
    expect(bytesToHex(signed.bytes)).toBe(recorded.txHex);

    const closing = new RecordedTransport(closingRounds(recorded.exchanges));
    const again = await signAgain(recorded, closing, 'closing');
    expect(bytesToHex(again.signed.bytes)).toBe(recorded.txHex);
  });

  test('the short form of two inputs and two outputs: 111 questions', () => {
    const trace = spends.find(({ name }) => name === '14-last-clsag-round-only-2.2.0')!;
    expect(recordedSpend(trace).exchanges).toHaveLength(111);
  });
});
