import { describe, expect, it } from 'vitest';
import { SerialQueue } from '../../../src/base/index.ts';
import { DaemonError, type SendAnswer, Untrusted } from '../../../src/daemon/index.ts';
import { type BlockHash, type TxHash, toAtomicAmount } from '../../../src/protocol/model.ts';
import { StorageError } from '../../../src/storage/index.ts';
import type { SentTransaction } from '../../../src/wallet/model.ts';
import type { MultisigAccount } from '../../../src/wallet/multisig/account.ts';
import { resendPending } from '../../../src/wallet/offline-signing/submit.ts';
import type { Durability } from '../../../src/wallet/ports.ts';
import { holdOf } from '../../../src/wallet/projection/index.ts';
import { type SpendContext, sendChecked } from '../../../src/wallet/spend/index.ts';
import type { WalletEvent } from '../../../src/wallet/state/events.ts';
import { applyEvent, initialState } from '../../../src/wallet/state/fold.ts';
import { paperOutput, seededRandom } from './fixtures.ts';

const accepted: SendAnswer = { accepted: true, reasons: [], reason: '' };

/** A wallet with two outputs and a transaction for each; a line of `log` for all that is written and sent. */
function world(answer: (blob: string) => Promise<SendAnswer> | SendAnswer) {
  const outputs = [5n, 6n].map((amount) => paperOutput({ amount, height: 0 }));
  const state = initialState({ kind: 'full', network: 'regtest', primaryAddress: '', restoreHeight: 0, createdAt: 0 });
  applyEvent(state, { type: 'Synced', from: 0, to: 99, blocks: [stub], outputs, spends: [], used: [] });
  const log: string[] = [];
  const ctx = {
    state,
    daemon: {
      sendRawTransaction: async (blob: string) => {
        log.push(`send ${blob}`);
        return new Untrusted(await answer(blob));
      },
    },
    append: async (events: readonly WalletEvent[], durability: Durability) => {
      log.push(`${durability} ${events.map(({ type }) => type).join(' ')}`);
      for (const event of events) applyEvent(state, event);
    },
    viewKey: new Uint8Array(32),
    addressOf: () => '',
    random: seededRandom('submit'),
    leaving: new SerialQueue(),
    choosing: new SerialQueue(),
    clock: { now: () => 1_000_000 },
  } as unknown as SpendContext;
  const transactions = outputs.map(({ keyImage }, i): SentTransaction => transactionOf(`blob ${i}`, keyImage));
  const free = () => outputs.map(({ key }) => holdOf(state, state.outputs.get(key)!, 1_000) === undefined);
  const phases = () => transactions.map(({ txHash }) => state.sent.get(txHash)?.phase);
  return { ctx, state, log, transactions, free, phases };
}

const stub = { height: 99, id: '00'.repeat(32) as BlockHash, timestamp: 0 };

function transactionOf(blob: string, keyImage: SentTransaction['inputs'][0]): SentTransaction {
  return {
    txHash: `${blob} hash` as TxHash,
    blob,
    txKeys: [`${blob} key`],
    destinations: [],
    change: toAtomicAmount(0n),
    changeAddress: { major: 0, minor: 0 },
    fee: toAtomicAmount(1n),
    weight: 1,
    inputs: [keyImage],
    account: 0,
    subaddresses: [0],
    paymentId: undefined,
    unlockTime: 0n,
    builtAt: 0,
  };
}

describe('sending what was checked', () => {
  it('T3 T16 bytes, keys and intent are on the disk before a byte leaves, the answer before the next', async () => {
    const { ctx, log, transactions, phases } = world(() => accepted);
    expect(await sendChecked(ctx, transactions)).toEqual(['blob 0 hash', 'blob 1 hash']);
    const each = (i: number) => ['strict TransactionBuilt TransactionSending', `send blob ${i}`, 'strict TransactionAccepted'];
    expect(log).toEqual([...each(0), ...each(1)]);
    expect(phases()).toEqual(['accepted', 'accepted']);
  });

  it('a refusal frees the inputs, names the reasons, and the rest is not sent', async () => {
    const { ctx, transactions, free, phases } = world(() => ({ accepted: false, reasons: ['double-spend'], reason: 'words' }));
    await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({
      code: 'rejected',
      data: { reasons: ['double-spend'], txHash: 'blob 0 hash', sent: [] },
    });
    expect(phases()).toEqual(['failed', undefined]);
    expect(free()).toEqual([true, true]);
  });

  it('no answer is "perhaps sent": the inputs stay held until the chain tells', async () => {
    const { ctx, transactions, free, phases } = world((blob) => {
      if (blob === 'blob 1') throw new Error('the connection broke');
      return accepted;
    });
    await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({ code: 'perhaps-sent', data: { sent: ['blob 0 hash'] } });
    expect(phases()).toEqual(['accepted', 'sending']);
    expect(free()).toEqual([false, false]);
    await expect(sendChecked(ctx, [transactions[1]!])).rejects.toMatchObject({
      code: 'output-not-spendable',
    });
  });

  describe('what is turned away unread', () => {
    const turnedAway = [
      new DaemonError('unreachable', '', { refused: true }),
      new DaemonError('busy', ''),
      new DaemonError('login-needed', ''),
      new DaemonError('login-refused', ''),
      new DaemonError('not-offered', ''),
      new DaemonError('http-status', '', { status: 403 }),
    ];
    it.each(turnedAway)('has not left: its inputs are free ($code)', async (error) => {
      const { ctx, transactions, free, phases, state } = world(() => Promise.reject(error));
      const data = { ...error.data, txHash: 'blob 0 hash' };
      await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({ code: error.code, data });
      expect(phases()).toEqual(['failed', undefined]);
      expect(free()).toEqual([true, true]);
      expect([...state.refused], 'what the daemon says of it is doubted').toHaveLength(error.code === 'unreachable' ? 0 : 1);
    });

    const unclear = [
      new DaemonError('unreachable', ''),
      new DaemonError('timeout', ''),
      ...[408, 429, 500, 503].map((status) => new DaemonError('http-status', '', { status })),
    ];
    it.each(unclear)('is not what may have been read ($code, $data.status)', async (error) => {
      const { ctx, transactions, free } = world(() => Promise.reject(error));
      await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({ code: 'perhaps-sent' });
      expect(free()).toEqual([false, true]);
    });

    it('follows what has left of the same payment, and holds its inputs when it left earlier', async () => {
      let answer = (blob: string) => (blob === 'blob 1' ? Promise.reject(turnedAway[0]!) : accepted);
      const { ctx, transactions, free } = world((blob) => answer(blob));
      await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({ code: 'perhaps-sent' });
      answer = () => Promise.reject(turnedAway[0]!);
      await expect(resendPending(ctx, ctx, transactions[0]!.txHash)).rejects.toMatchObject({ code: 'perhaps-sent' });
      expect(free()).toEqual([false, false]);
    });
  });

  it('what left before and is refused when it is sent again is told, and its inputs stay held', async () => {
    let answer = accepted;
    const { ctx, transactions, free, phases } = world(() => answer);
    await sendChecked(ctx, transactions);
    const again = () => resendPending(ctx, ctx, transactions[0]!.txHash);
    await expect(again()).resolves.toBeUndefined();
    answer = { accepted: false, reasons: ['double-spend'], reason: 'words' };
    await expect(again()).rejects.toMatchObject({ code: 'rejected', data: { reasons: ['double-spend'], txHash: 'blob 0 hash' } });
    expect([phases(), free()]).toEqual([
      ['accepted', 'accepted'],
      [false, false],
    ]);
  });

  describe('T16 where there is no more room to write', () => {
    /** Once something was sent, nothing that `types` names is taken. */
    function filling(answer: SendAnswer, ...types: string[]) {
      const made = world(() => answer);
      const append = async (events: readonly WalletEvent[], durability: Durability) => {
        const isFull = made.log.some((line) => line.startsWith('send')) && events.some(({ type }) => types.includes(type));
        if (isFull) throw new StorageError('full', 'the disk is full: nothing was changed');
        return made.ctx.append(events, durability);
      };
      return { ...made, ctx: { ...made.ctx, append } };
    }

    it('what the daemon took was paid', async () => {
      const { ctx, transactions, free } = filling(accepted, 'TransactionAccepted');
      expect(await sendChecked(ctx, transactions.slice(0, 1))).toEqual(['blob 0 hash']);
      expect(free()).toEqual([false, true]);
    });

    it('what has left of a payment is told', async () => {
      const { ctx, transactions, phases } = filling(accepted, 'TransactionBuilt');
      const data = { txHash: 'blob 0 hash', sent: ['blob 0 hash'] };
      await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({ code: 'perhaps-sent', data });
      expect(phases()).toEqual(['accepted', undefined]);
    });

    it('what was refused may leave again, and holds its inputs', async () => {
      const refusal: SendAnswer = { accepted: false, reasons: ['double-spend'], reason: '' };
      const { ctx, transactions, free } = filling(refusal, 'TransactionFailed');
      await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({ code: 'perhaps-sent', data: { sent: [] } });
      expect(free()).toEqual([false, true]);
    });
  });

  it('an input taken since stops it before anything is written', async () => {
    const { ctx, log, transactions } = world(() => accepted);
    applyEvent(ctx.state, { type: 'TransactionBuilt', tx: { ...transactions[1]!, txHash: 'other' as TxHash } });
    await expect(sendChecked(ctx, transactions)).rejects.toMatchObject({
      code: 'output-not-spendable',
      data: { hold: 'pending' },
    });
    expect(log).toEqual([]);
  });

  it('of a group, whose transaction keys follow from the inputs, another attempt to spend them may leave', async () => {
    const { ctx, transactions } = world(() => ({ accepted: false, reasons: [], reason: '' }));
    const [first] = transactions;
    await expect(sendChecked(ctx, [first!])).rejects.toMatchObject({ code: 'rejected' });
    const again = { ...first!, txHash: 'another attempt' as TxHash };
    await expect(sendChecked(ctx, [again])).rejects.toMatchObject({ code: 'check-failed' });
    const group = { ...ctx, state: { ...ctx.state, multisig: {} as MultisigAccount } };
    await expect(sendChecked(group, [again])).rejects.toMatchObject({ code: 'rejected' });
    const elsewhere = { ...transactions[1]!, txKeys: first!.txKeys };
    await expect(sendChecked(group, [elsewhere])).rejects.toMatchObject({ code: 'check-failed' });
  });
});
