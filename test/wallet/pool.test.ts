import { describe, expect, it } from 'vitest';
import { type KeyImage, type TxHash, toAtomicAmount } from '../../src/protocol/model.ts';
import { spendableOutputs, unconfirmedTransfers } from '../../src/wallet/projection/index.ts';
import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { applyEvent, setPool } from '../../src/wallet/state/fold.ts';
import { snapshot } from '../../src/wallet/state/snapshot.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';
import { poolView, type SeenTransaction } from '../../src/wallet/sync/pool-view.ts';
import { foldEvents } from '../support/fold.ts';
import { created, hash, historyOf, moneyOf, output, sentTx, spend, synced } from './support.ts';

const NOW = 1_000;
const COIN = output({ seed: 1, amount: 100n });
const OTHER = output({ seed: 2, amount: 7n });
const IMAGE = COIN.keyImage!;
const FOREIGN = hash('foreign') as TxHash;

const wallet = (...more: readonly WalletEvent[]): WalletState =>
  foldEvents([created(), synced(100, 120, [COIN, OTHER], []), ...more]);

/** A transaction of the pool that takes these and brings 30 back to the account, 5 to another one; its fee is 1. */
const seen = (...images: readonly KeyImage[]): SeenTransaction => ({
  images,
  outputs: [
    { subaddress: { major: 0, minor: 3 }, amount: toAtomicAmount(30n) },
    { subaddress: { major: 1, minor: 0 }, amount: toAtomicAmount(5n) },
  ],
  fee: toAtomicAmount(1n),
  timestamp: 500,
  unlockTime: 0n,
  paymentId: undefined,
  doubleSpendSeen: false,
});

function look(state: WalletState, ...pool: readonly (readonly [TxHash, SeenTransaction])[]): void {
  setPool(state, poolView(state, pool));
}

/** Total, unlocked and on its way to another account. */
function money(state: WalletState) {
  const { total, unlocked, incoming } = moneyOf(state, NOW);
  return { total, unlocked, incoming };
}

/** Under way, or failed after they had left. */
const leftOf = (state: WalletState) => unconfirmedTransfers(state).filter(({ left }) => left);

describe('a transaction in the pool that spends outputs of ours', () => {
  it('of another wallet with the seed counts at once, and no longer when it has left', () => {
    const state = wallet();
    const before = money(state);
    look(state, [FOREIGN, seen(IMAGE)]);
    expect(money(state)).toEqual({ total: 37n, unlocked: 7n, incoming: 5n });
    expect(spendableOutputs(state, 0, NOW)).toEqual([OTHER]);
    expect(leftOf(state)).toMatchObject([{ txHash: FOREIGN, state: 'pool', amount: 69n, fee: 1n, minors: [0] }]);
    expect(historyOf(state, NOW).filter(({ height }) => height === undefined)).toMatchObject([
      { txHash: FOREIGN, direction: 'out', state: 'pool', amount: 69n, account: 0 },
      { txHash: FOREIGN, direction: 'in', state: 'received', amount: 5n, account: 1 },
    ]);
    look(state);
    expect(money(state)).toEqual(before);
    expect(leftOf(state)).toEqual([]);
  });

  it('that another program of the same keys told of is shown with whom it pays', () => {
    const destinations = [{ address: 'somebody', amount: toAtomicAmount(60n) }];
    const told = { txHash: FOREIGN, txKeys: [], destinations, change: toAtomicAmount(39n), paymentId: 'ab'.repeat(8) };
    const state = wallet({ type: 'TransactionsTold', transactions: [told] });
    look(state, [FOREIGN, seen(IMAGE)]);
    expect(leftOf(state)).toMatchObject([{ txHash: FOREIGN, amount: 60n, destinations, paymentId: told.paymentId }]);
  });

  it('that we made, and that was called failed, is shown once, as under way', () => {
    const tx = sentTx('foreign', [IMAGE]);
    const state = wallet(
      { type: 'TransactionBuilt', tx },
      { type: 'TransactionFailed', txHash: tx.txHash, reason: 'refused', at: 9 },
    );
    expect(historyOf(state, NOW).filter(({ txHash }) => txHash === FOREIGN)).toMatchObject([{ state: 'failed' }]);
    look(state, [FOREIGN, seen(IMAGE)]);
    expect(historyOf(state, NOW).filter(({ txHash, direction }) => txHash === FOREIGN && direction === 'out')).toMatchObject([
      { state: 'pool' },
    ]);
    expect(money(state).total).toBe(37n);
  });

  it('before one of ours with the same input: what that one would bring back is not counted on', () => {
    const tx = { ...sentTx('ours', [IMAGE]), change: toAtomicAmount(39n) };
    const state = wallet({ type: 'TransactionBuilt', tx }, { type: 'TransactionAccepted', txHash: tx.txHash, at: 9 });
    expect(money(state).total).toBe(46n);
    look(state, [FOREIGN, seen(IMAGE)]);
    expect(money(state).total).toBe(37n);
  });

  it('and is one of our payments adds only its change while its inputs are unknown, as during a rescan', () => {
    const tx = { ...sentTx('ours', [IMAGE]), change: toAtomicAmount(30n) };
    const state = wallet({ type: 'TransactionBuilt', tx }, { type: 'TransactionAccepted', txHash: tx.txHash, at: 9 });
    applyEvent(state, { type: 'Rewound', height: 100, parent: hash('parent') });
    look(state, [tx.txHash, seen(IMAGE)]);
    expect(money(state)).toMatchObject({ total: 30n, incoming: 5n });
    const unmined = historyOf(state, NOW).filter(({ height }) => height === undefined);
    expect(unmined).toMatchObject([
      { direction: 'in', account: 1 },
      { direction: 'out', account: 0 },
    ]);
  });

  it('T5 whose input the chain spent elsewhere is ignored, whatever a daemon shows', () => {
    const state = wallet(synced(121, 121, [], [spend(IMAGE, 'mined', 121)]));
    const before = money(state);
    look(state, [FOREIGN, seen(IMAGE)], [hash('mined') as TxHash, seen(IMAGE)]);
    expect([money(state), leftOf(state)]).toEqual([before, []]);
  });
});

describe('a send of ours that failed', () => {
  const tx = sentTx('ours', [IMAGE]);
  const { txHash } = tx;
  const built: WalletEvent = { type: 'TransactionBuilt', tx };
  const sending: WalletEvent = { type: 'TransactionSending', txHash, at: 5 };
  const accepted: WalletEvent = { type: 'TransactionAccepted', txHash, at: 6 };
  const failed: WalletEvent = { type: 'TransactionFailed', txHash, reason: 'gone', at: 7 };

  it.each([
    ['is not among failed transfers when a daemon refused it', [built, sending, failed], []],
    ['is when a daemon had taken it', [built, sending, accepted, failed], [true]],
    ['is when it was sent again in between', [built, sending, accepted, sending, failed], [true]],
  ])('%s, after a snapshot too', (_, events, expected) => {
    const state = wallet(...events);
    const failures = (one: WalletState) => leftOf(one).map((transfer) => transfer.state === 'failed');
    expect(failures(state)).toEqual(expected);
    expect(failures(foldEvents(snapshot(state)))).toEqual(expected);
    applyEvent(state, accepted);
    expect(failures(state)).toEqual([false]);
  });
});
