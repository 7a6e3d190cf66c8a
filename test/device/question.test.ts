import { beforeAll, describe, expect, test } from 'vitest';
import { hexToBytes } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { type DeviceQuestion, workOf } from '../../src/device/question.ts';
import { traces } from '../support/ledger/traces.ts';

beforeAll(loadCrypto);

const recorded = traces();
const exchanges = (name: string) => recorded.find((trace) => trace.name === name)!.exchanges;
const questions = (name: string): DeviceQuestion[] =>
  exchanges(name).flatMap(([request]) => workOf(hexToBytes(request), 'mainnet').question ?? []);

describe('what a request has the device ask its owner, by the recordings', () => {
  test('the view key, and addresses', () => {
    expect(questions('02-open-wallet')).toEqual([{ kind: 'view-key' }]);
    expect(questions('09j-display-addresses').filter(({ kind }) => kind === 'address')).toHaveLength(5);
  });

  test('a payment: its fee, then each output with the address that was on the screen', () => {
    const screen = '444XrdUEUuXhyspKYnqyfsMQNWdgdBL26fe32iGfgKiFfwxZn9f8QyFAGvYNs85kTQ9zaR6vVLH2h49xstdqLtqhDWoTdBV';
    const asked = questions('06a-send-1in-primary');
    // Two passes of the reference's before it, which show nothing, and the one that is signed.
    const signed = asked.slice(-3);
    expect(signed[0]).toEqual({ kind: 'fee' });
    expect(signed).toContainEqual({ kind: 'recipient', address: screen });
    expect(signed).toContainEqual({ kind: 'change' });
  });

  test('a subaddress and the plain address of an integrated one, as they were shown', () => {
    const addresses = (name: string) =>
      questions(name).flatMap((question) => (question.kind === 'recipient' ? [question.address] : []));
    expect(addresses('06f-send-3dest-additional')).toContain(
      '87d6WoZnscv7TxXtD3MT25Eti6FZmG2E6U3vLrG4KJpcKvWhTLkLgtkHPsU2Lj7gSSR5TYomfHT3bjPegRCFVeLL7CWDuVn',
    );
    expect(new Set(addresses('06d-send-integrated'))).toEqual(
      new Set(['444XrdUEUuXhyspKYnqyfsMQNWdgdBL26fe32iGfgKiFfwxZn9f8QyFAGvYNs85kTQ9zaR6vVLH2h49xstdqLtqhDWoTdBV']),
    );
  });

  test('the steps of signing come in their order', () => {
    const steps = exchanges('14-last-clsag-round-only-2.2.0').flatMap(
      ([request]) => workOf(hexToBytes(request), 'mainnet').step ?? [],
    );
    expect(steps.filter((step, i) => step !== steps[i - 1]).slice(-3)).toEqual(['begin', 'asking', 'signing']);
  });
});
