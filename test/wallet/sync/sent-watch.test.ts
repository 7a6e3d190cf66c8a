import { expect, it } from 'vitest';
import { Untrusted } from '../../../src/daemon/index.ts';
import { toAtomicAmount } from '../../../src/protocol/index.ts';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import { applyEvent } from '../../../src/wallet/state/fold.ts';
import type { SyncContext, SyncDaemon } from '../../../src/wallet/sync/context.ts';
import { SentWatch } from '../../../src/wallet/sync/sent-watch.ts';
import { foldEvents } from '../../support/fold.ts';
import { created, hash, moneyOf, output, sentTx, spend, synced } from '../support.ts';

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

/** A mined payment whose block, and that of the coin it spends, a reorganisation takes back for good: nodes refuse it from then on. */
function takenBack() {
  const coin = output({ seed: 1, amount: 100n, height: 105 });
  const tx = { ...sentTx('ours', [coin.keyImage!]), change: toAtomicAmount(39n) };
  const state = foldEvents([
    created(),
    synced(100, 110, [coin], []),
    { type: 'TransactionBuilt', tx },
    { type: 'TransactionSending', txHash: tx.txHash, at: 5 },
    { type: 'TransactionAccepted', txHash: tx.txHash, at: 5 },
    synced(111, 120, [], [spend(coin.keyImage!, 'ours', 111)]),
  ]);
  let now = 9_000;
  const append = async (events: readonly WalletEvent[]) => {
    for (const event of events) applyEvent(state, event);
  };
  const watch = new SentWatch({ state, append, clock: { now: () => now * 1000 } } as unknown as SyncContext);
  const sendRawTransaction = async () => new Untrusted({ accepted: false, reasons: ['invalid-input'], reason: '' });
  const refusing = { sendRawTransaction } as unknown as SyncDaemon;
  return {
    state,
    entry: () => state.sent.get(tx.txHash)!,
    passes: async (seconds: number) => {
      now += seconds;
      await watch.check(refusing, () => false, never);
    },
  };
}

it('T3 a payment whose inputs a reorganisation took away is under way until nodes have refused it for 500 seconds, and failed then', async () => {
  const { state, entry, passes } = takenBack();
  await passes(0);
  applyEvent(state, { type: 'Rewound', height: 105, parent: hash('block 104') });
  for (const seconds of [60, 379, 60]) {
    await passes(seconds);
    expect(entry().phase).toBe('accepted');
  }
  await passes(60);
  expect(entry()).toMatchObject({ phase: 'failed', reason: 'invalid-input' });
  expect([state.committed.size, moneyOf(state, 9_600).balance]).toEqual([0, 0n]);
});
