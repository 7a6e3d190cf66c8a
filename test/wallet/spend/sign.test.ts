import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { type OutputKey, parseTransaction, type TxHash } from '../../../src/protocol/index.ts';
import { fileSigner } from '../../../src/wallet/offline-signing/file-signer.ts';
import type { SpendContext, UnsignedPayment } from '../../../src/wallet/spend/index.ts';
import {
  checkSigned,
  KeySigner,
  planPayment,
  readRequest,
  reviewPayment,
  type Signer,
  SpendError,
  sendChecked,
  sign,
  signedTransactions,
} from '../../../src/wallet/spend/index.ts';
import { applyEvent } from '../../../src/wallet/state/fold.ts';
import type { MutableState } from '../../../src/wallet/state/state.ts';
import { unsignedSetFile } from '../../../src/wallet2/index.ts';
import { makeReady } from '../../support/paying.ts';
import { seededRandom } from './fixtures.ts';
import { COIN, pay, world } from './payer.ts';

await loadCrypto();

const destinations = [pay(COIN)];
const request = { kind: 'transfer', destinations, account: 0, priority: 1 } as const;

/** A wallet whose key is in somebody else's hands: `answer` says what he does, given what the wallet's own key would have signed. */
function withSigner(answer: (own: Signer, ...asked: Parameters<Signer['sign']>) => ReturnType<Signer['sign']>) {
  const payer = world([{ amount: 3n * COIN }, { amount: 3n * COIN }]);
  const own = payer.ctx.signer!;
  const signer: Signer = { sign: (...asked) => answer(own, ...asked) };
  const ctx: SpendContext = { ...payer.ctx, signer };
  return { ...payer, ctx };
}

const types = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe('a signer elsewhere', () => {
  it('is given the whole payment as a plain value, and answers when it likes', async () => {
    let release: () => void = () => undefined;
    const owner = new Promise<void>((resolve) => {
      release = resolve;
    });
    let seen: UnsignedPayment | undefined;
    const { ctx, events } = withSigner(async (own, payment, options) => {
      seen = structuredClone({ transactions: payment.transactions });
      await owner;
      return own.sign(seen, options);
    });
    const paying = makeReady(ctx, { ...request, destinations: [pay(4n * COIN)] });
    release();
    const { plan, transactions } = await paying;
    expect(seen!.transactions[0]!.destinations).toEqual([pay(4n * COIN)]);
    expect(seen!.transactions[0]!.unsigned).toEqual(plan.transactions[0]!.unsigned);
    expect(await sendChecked(ctx, transactions)).toEqual(transactions.map(({ txHash }) => txHash));
    expect(types(events).slice(-3)).toEqual(['TransactionBuilt', 'TransactionSending', 'TransactionAccepted']);
  });

  it('may refuse: nothing is written but the rings, and the same coins can be paid with again', async () => {
    let refuses = true;
    const { ctx, events } = withSigner(async (own, payment, options) => {
      if (refuses) throw new SpendError('signer-refused', 'expected the owner of the device to agree');
      return own.sign(payment, options);
    });
    await expect(makeReady(ctx, request)).rejects.toMatchObject({ code: 'signer-refused' });
    expect(new Set(types(events))).toEqual(new Set(['RingsChosen']));
    refuses = false;
    expect((await makeReady(ctx, request)).transactions).toHaveLength(1);
  });

  it('can be stopped before it answers', async () => {
    const { ctx, events } = withSigner((_own, _payment, { signal }) => {
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    });
    const stop = new AbortController();
    const plan = await planPayment(ctx, readRequest(request, ctx));
    const signing = sign(ctx, plan, stop.signal);
    stop.abort();
    await expect(signing).rejects.toMatchObject({ name: 'AbortError' });
    expect(new Set(types(events))).toEqual(new Set(['RingsChosen']));
  });

  it('that answers after it was stopped has signed nothing that is used', async () => {
    const stop = new AbortController();
    const { ctx } = withSigner(async (own, payment, options) => {
      const signing = await own.sign(payment, options);
      stop.abort();
      return signing;
    });
    const plan = await planPayment(ctx, readRequest(request, ctx));
    await expect(sign(ctx, plan, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each<[string, (payment: UnsignedPayment) => UnsignedPayment]>([
    ['pays less to whom it should', (payment) => changed(payment, (amount, i) => (i === 0 ? amount - 1n : amount + 1n))],
    ['pays a larger fee', (payment) => changed(payment, (amount, i) => (i === 0 ? amount : amount - 1n), 1n)],
    ['pays the change to the receiver', (payment) => toReceiver(payment)],
  ])('T1 that %s is not believed, and nothing is sent', async (_, lie) => {
    const { ctx, events } = withSigner((own, payment, options) => own.sign(lie(payment), options));
    await expect(makeReady(ctx, request)).rejects.toMatchObject({ code: 'check-failed' });
    expect(new Set(types(events))).toEqual(new Set(['RingsChosen']));
  });

  describe('whose random source repeats itself', () => {
    const stuck = () => {
      const payer = world([{ amount: 3n * COIN }, { amount: 3n * COIN }]);
      const signer: Signer = {
        sign: (...asked) => new KeySigner(payer.ctx.keys as never, seededRandom('stuck')).sign(...asked),
      };
      return { ...payer, ctx: { ...payer.ctx, signer } as SpendContext };
    };

    it('T7 pays once: a used transaction key is not used again, and nothing is written', async () => {
      const { ctx, events } = stuck();
      const first = await makeReady(ctx, request);
      await sendChecked(ctx, first.transactions);
      const second = await makeReady(ctx, request);
      expect(second.transactions[0]!.txKeys).toEqual(first.transactions[0]!.txKeys);
      events.length = 0;
      await expect(sendChecked(ctx, second.transactions)).rejects.toMatchObject({ code: 'check-failed' });
      expect(events).toEqual([]);
      // Both at once, as a payment in two transactions is: neither leaves.
      const other = stuck();
      const both = [await makeReady(other.ctx, request), await makeReady(other.ctx, request)];
      const [one, two] = both.map(({ transactions }) => transactions[0]!);
      const taken = {
        ...two!,
        inputs: other.own.map(({ keyImage }) => keyImage).filter((image) => !one!.inputs.includes(image)),
      };
      other.events.length = 0;
      const sending = sendChecked(other.ctx, [one!, { ...taken, txHash: 'ab'.repeat(32) as TxHash }]);
      await expect(sending).rejects.toMatchObject({ code: 'check-failed' });
      expect(other.events).toEqual([]);
    });

    it('T7 makes no second output with the key of one that we have, whatever it says of its keys', async () => {
      const { ctx, own } = stuck();
      const { transactions } = await makeReady(ctx, request);
      const [made] = parseTransaction(hexToBytes(transactions[0]!.blob)).outputs;
      const burnt = {
        ...own[0]!,
        key: bytesToHex(made!.key) as OutputKey,
        keyImage: undefined,
        txHash: 'ab'.repeat(32) as TxHash,
      };
      applyEvent(ctx.state as MutableState, {
        ...{ type: 'Synced', from: ctx.state.height, to: ctx.state.height, blocks: [], spends: [], used: [] },
        outputs: [burnt],
      });
      await expect(makeReady(ctx, request)).rejects.toMatchObject({ code: 'check-failed' });
    });
  });

  it('T1 that signs with another key, or another number of transactions, is not believed', async () => {
    const stranger = world([{ amount: 3n * COIN }]);
    const other = withSigner((_, payment, options) =>
      new KeySigner(stranger.ctx.keys as never, stranger.ctx.random).sign(payment, options),
    );
    await expect(makeReady(other.ctx, request)).rejects.toMatchObject({ code: 'check-failed' });
    for (const count of [0, 2]) {
      const { ctx } = withSigner(async (own, payment, options) => {
        const [one] = signedTransactions(await own.sign(payment, options));
        return { kind: 'signed', transactions: [one!, one!].slice(0, count) };
      });
      await expect(makeReady(ctx, request)).rejects.toMatchObject({ code: 'check-failed', data: { found: count } });
    }
  });

  it('may leave completion to others: a payment that must be sent at once reports that', async () => {
    const { ctx } = withSigner(async () => ({ kind: 'unfinished', format: 'unsigned-set', bytes: Uint8Array.of(1) }));
    await expect(makeReady(ctx, request)).rejects.toMatchObject({ code: 'unfinished', data: { format: 'unsigned-set' } });
  });
});

/** The payment with other amounts. */
function changed({ transactions }: UnsignedPayment, amountOf: (amount: bigint, i: number) => bigint, more = 0n): UnsignedPayment {
  return {
    transactions: transactions.map(({ unsigned, destinations }) => {
      const outputs = unsigned.outputs.map(({ address, amount }, i) => ({ address, amount: amountOf(amount, i) }));
      return { destinations, unsigned: { ...unsigned, outputs, fee: unsigned.fee + more } };
    }),
  };
}

/** The payment with the change for the receiver. */
function toReceiver({ transactions }: UnsignedPayment): UnsignedPayment {
  return {
    transactions: transactions.map(({ unsigned, destinations }) => {
      const { address } = unsigned.outputs[0]!;
      const outputs = unsigned.outputs.map(({ amount }) => ({ address, amount }));
      return { destinations, unsigned: { ...unsigned, outputs, changeAddress: address } };
    }),
  };
}

describe('the signer of a wallet that only watches', () => {
  it('passes on the file for its other half, with the addresses as they were written', async () => {
    const { ctx } = world([{ amount: 3n * COIN }], 'view');
    const plan = await planPayment(ctx, readRequest(request, ctx));
    const signing = await sign({ ...ctx, signer: fileSigner(ctx) }, plan);
    expect(() => signedTransactions(signing)).toThrow(expect.objectContaining({ code: 'unfinished' }));
    const file = signing.kind === 'unfinished' ? signing.bytes : new Uint8Array();
    const { transactions } = await unsignedSetFile.open(file, ctx.keys.viewKey);
    expect(transactions.map((one) => one.destinations.map(({ original, amount }) => ({ address: original, amount })))).toEqual([
      destinations,
    ]);
  });
});

describe('a plan', () => {
  it('is a value: its review, its signature and its check need nothing else of what made it', async () => {
    const { ctx } = world([{ amount: 3n * COIN }, { amount: 5n * COIN }]);
    const plan = structuredClone(await planPayment(ctx, readRequest(request, ctx)));
    expect(reviewPayment(plan)).toMatchObject({ totalAmount: COIN, warnings: [] });
    const [sent] = await checkSigned(ctx, plan, signedTransactions(await sign(ctx, plan)));
    expect(sent).toMatchObject({ destinations, change: plan.transactions[0]!.change, weight: plan.transactions[0]!.weight });
  });

  it('has the warnings that a person should see first', async () => {
    const payer = world([{ amount: COIN }, { amount: COIN, at: { major: 0, minor: 1 } }]);
    const sweep = { kind: 'sweep', address: destinations[0]!.address, account: 0, priority: 1, unlockTime: 5n } as const;
    const plan = await planPayment(payer.ctx, readRequest(sweep, payer.ctx));
    expect(reviewPayment(plan).warnings).toEqual(['unlock-time-not-relayed', 'links-subaddresses']);
    const { transactions } = plan;
    expect(reviewPayment({ ...plan, transactions: [...transactions, ...transactions] }).warnings).toContain(
      'several-transactions',
    );
    const dear = transactions.map((one) => ({ ...one, unsigned: { ...one.unsigned, fee: 3n * COIN } }));
    expect(reviewPayment({ ...plan, transactions: dear }).warnings).toContain('fee-above-amount');
  });
});
