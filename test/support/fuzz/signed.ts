import type { Random } from '../../../src/crypto/index.ts';
import type { PaymentInput } from '../../../src/devnet/payment.ts';
import { ERA } from '../../../src/devnet/rules.ts';
import {
  type KeyInput,
  payingProofs,
  relativeOffsets,
  serializeTransaction,
  type Transaction,
  type TransactionV2,
} from '../../../src/protocol/index.ts';
import type { TestSampler } from '../random-sampler.ts';
import { PREFIX_CHANGES } from './transactions.ts';

export interface SignedRequest {
  readonly inputs: readonly PaymentInput[];
  /** The owner of the coins, who is also paid. */
  readonly own: { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array; readonly viewSecret: Uint8Array };
  readonly amount: bigint;
  readonly fee: bigint;
  readonly random: Random;
}

/** A payment to its payer, whose prefix is changed before it is signed, so that the change is the only mistake. */
export function signedPayment(request: SignedRequest, change = (tx: TransactionV2): Transaction => tx): Uint8Array {
  const { inputs, own, amount, fee, random } = request;
  const spends = inputs.map((input) => {
    const keyImage = ERA.outputs.keyImage(input.ring[input.place]!.key, input.secret);
    return { ...input, real: input.place, keyImage };
  });
  spends.sort((a, b) => Buffer.compare(b.keyImage, a.keyImage));
  const txInputs = spends.map(({ ring, keyImage }): KeyInput => {
    return { type: 'key', amount: 0n, keyOffsets: relativeOffsets(ring.map((member) => member.index)), keyImage };
  });
  const address = { spendKey: own.spendKey, viewKey: own.viewKey, isSubaddress: false };
  const rest = inputs.reduce((sum, input) => sum + input.amount, 0n) - amount - fee;
  const asked = {
    version: 2,
    inputs: txInputs,
    outputs: [
      { address, amount },
      { address, amount: rest },
    ],
    change: { address, viewKey: own.viewSecret },
    paymentId: undefined,
  } as const;
  const made = ERA.outputs.make(asked, random);
  if (typeof made === 'string') throw new Error(made);
  const { outputs, extra } = made;
  const prefix = { version: 2, unlockTime: 0n, inputs: txInputs, outputs: outputs.map(({ output }) => output), extra };
  const changed = change(prefix as unknown as TransactionV2);
  return serializeTransaction(payingProofs(ERA).prove(changed, spends, outputs, fee, random));
}

/** A payment with a mistake under valid signatures; undefined if it cannot be serialized. */
export function signedMutant(request: SignedRequest, sampler: TestSampler): Uint8Array | undefined {
  const ways = [
    () => signedPayment(request, (tx) => sampler.pick(PREFIX_CHANGES)(tx, sampler)),
    () => signedPayment({ ...request, fee: sampler.pick([0n, 1n, 1_000_000n, 20_000_000n, 40_000_000n, 10n ** 12n]) }),
    () => signedPayment({ ...request, inputs: request.inputs.map((input) => ringChanged(input, sampler)) }),
    // Offsets that wrap around past 2^64: the same members, from a later one to an earlier one.
    () => signedPayment({ ...request, inputs: request.inputs.map(turned) }, wrapped(request)),
  ];
  try {
    return sampler.pick(ways)();
  } catch {
    return undefined;
  }
}

/** A ring with fewer members, or with a duplicate member. */
function ringChanged(input: PaymentInput, sampler: TestSampler): PaymentInput {
  const real = input.ring[input.place]!;
  const others = input.ring.filter((member) => member !== real);
  const kept = sampler.chance(50) ? others.slice(sampler.between(1, 15)) : [...others.slice(1), others.at(-1)!];
  const ring = [...kept, real].sort((a, b) => Number(a.index - b.index));
  return { ...input, ring, place: ring.indexOf(real) };
}

/** The same ring with its first member last. */
function turned(input: PaymentInput): PaymentInput {
  const [first, ...rest] = input.ring;
  return { ...input, ring: [...rest, first!], place: input.place === 0 ? rest.length : input.place - 1 };
}

const wrapped =
  ({ inputs }: SignedRequest) =>
  (tx: TransactionV2): Transaction => ({
    ...tx,
    inputs: tx.inputs.map((input, i) => {
      if (input.type !== 'key') return input;
      let last = 0n;
      const keyOffsets = turned(inputs[i]!).ring.map(({ index }) => {
        const offset = BigInt.asUintN(64, index - last);
        last = index;
        return offset;
      });
      return { ...input, keyOffsets };
    }),
  });
