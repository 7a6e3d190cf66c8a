import { expect, it } from 'vitest';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import { applyEvent } from '../../../src/wallet/state/fold.ts';
import type { SyncContext, SyncDaemon } from '../../../src/wallet/sync/context.ts';
import { SentWatch } from '../../../src/wallet/sync/sent-watch.ts';
import { foldEvents } from '../../support/fold.ts';
import { created, hash, output, sentTx, spend, synced } from '../support.ts';

const never = new AbortController().signal;
const nobody = {} as SyncDaemon;

/** A transaction that a daemon said it refused. */
function refused() {
  const coin = output({ seed: 1, amount: 100n });
  const tx = sentTx('ours', [coin.keyImage!]);
  const state = foldEvents([
    created(),
    synced(100, 110, [coin], []),
    { type: 'TransactionBuilt', tx },
    { type: 'TransactionFailed', txHash: tx.txHash, reason: 'double-spend', at: 5 },
  ]);
  const append = async (events: readonly WalletEvent[]) => {
    for (const event of events) applyEvent(state, event);
  };
  const watch = new SentWatch({ state, append, clock: { now: () => 9_000 } } as unknown as SyncContext);
  const look = (inPool: boolean) => watch.check(nobody, () => inPool, never);
  return { state, coin, tx, look, phase: () => state.sent.get(tx.txHash)!.phase };
}

it('T3 a payment called refused that waits in the pool all the same is under way again, and holds its inputs', async () => {
  const { state, coin, tx, look, phase } = refused();
  await look(false);
  expect([phase(), state.committed.size]).toEqual(['failed', 0]);
  await look(true);
  expect([phase(), state.committed.get(coin.keyImage!)]).toEqual(['accepted', tx.txHash]);
});

it('T3 it stays failed where the chain, or another payment of ours, has its inputs, whatever the pool is said to hold', async () => {
  const spent = refused();
  applyEvent(spent.state, synced(111, 111, [], [spend(spent.coin.keyImage!, 'other', 111)]));
  await spent.look(true);
  expect(spent.phase()).toBe('failed');
  const again = refused();
  applyEvent(again.state, { type: 'TransactionBuilt', tx: sentTx('again', [again.coin.keyImage!]) });
  await again.look(true);
  expect([again.phase(), again.state.committed.get(again.coin.keyImage!)]).toEqual(['failed', hash('again')]);
});
