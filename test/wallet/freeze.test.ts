import { expect, it } from 'vitest';
import { nameEvent } from '../../src/wallet/freeze.ts';
import { outputViews } from '../../src/wallet/projection/coins.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { foldEvents } from '../support/fold.ts';
import { created, moneyOf, output, sentTx, spend, synced } from './support.ts';

const coins = [1, 2, 3].map((seed) => output({ seed, height: 100, amount: 10n ** BigInt(seed) }));
const [one, two, three] = coins as [(typeof coins)[0], (typeof coins)[0], (typeof coins)[0]];
const life: WalletEvent[] = [created(), synced(100, 150, coins, [])];

const after = (...events: WalletEvent[]) => {
  const state = foldEvents([...life, ...events]);
  const { total, aside } = moneyOf(state, 0);
  return [total, aside];
};

it('the sum of frozen outputs is reported until they are spent or pending', () => {
  const frozen = coins.map(({ key }): WalletEvent => ({ type: 'Frozen', key }));
  const tx = sentTx('t', [two.keyImage!]);
  expect(after()).toEqual([1110n, 0n]);
  expect(after(...frozen)).toEqual([0n, 1110n]);
  expect(after(...frozen, { type: 'Thawed', key: three.key })).toEqual([1000n, 110n]);
  expect(after(...frozen, synced(151, 152, [], [spend(one.keyImage!, 's', 151)]))).toEqual([0n, 1100n]);
  const [, aside] = after(...frozen, { type: 'TransactionBuilt', tx }, { type: 'TransactionSending', txHash: tx.txHash, at: 0 });
  expect(aside).toBe(1010n);
});

it('an output has the name that it was given last, and none once that is taken away; only the wallet’s own are named', () => {
  const state = foldEvents(life);
  const namesAfter = (...events: readonly WalletEvent[]) => {
    const named = foldEvents([...life, ...events]);
    return outputViews(named, [...named.outputs.values()], 0).map(({ name }) => name);
  };
  const first = nameEvent(state, two.key, 'rent');
  expect(namesAfter(first)).toEqual(['', 'rent', '']);
  expect(namesAfter(first, nameEvent(state, two.key, 'rent of May'))).toEqual(['', 'rent of May', '']);
  expect(namesAfter(first, nameEvent(state, two.key, ''))).toEqual(['', '', '']);
  expect(() => nameEvent(state, output({ seed: 9 }).key, 'another')).toThrow(expect.objectContaining({ code: 'not-found' }));
});
