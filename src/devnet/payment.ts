import { wipe } from '../base/index.ts';
import type { Random, RingMember } from '../crypto/index.ts';
import {
  type Address,
  type KeyInput,
  payeeOf,
  payingProofs,
  relativeOffsets,
  type Spend,
  serializeTransaction,
  totalOf,
} from '../protocol/index.ts';
import { DevnetError } from './errors.ts';
import { ERA } from './rules.ts';

/** An output that its owner can spend, with its ring. */
export interface PaymentInput {
  readonly amount: bigint;
  /** One-time secret key and commitment mask, 32 bytes each. */
  readonly secret: Uint8Array;
  readonly mask: Uint8Array;
  /** Members by rising index. */
  readonly ring: readonly (RingMember & { readonly index: bigint })[];
  /** Place of the output in the ring. */
  readonly place: number;
}

/** A payment of the devnet's own coins. Amounts in atomic units; the inputs cover at least `amount` and `fee`. */
export interface PaymentRequest {
  readonly inputs: readonly PaymentInput[];
  readonly destination: Pick<Address, 'kind' | 'spendKey' | 'viewKey' | 'paymentId'>;
  readonly amount: bigint;
  readonly fee: bigint;
  /** Where the rest goes: the payer's own primary address. */
  readonly change: { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array; readonly viewSecret: Uint8Array };
  readonly random: Random;
}

/**
 * A signed transaction with two outputs, payment and change: the devnet's own way to pay, for its faucet. (Wallets are elsewhere, and this
 * room must not import them.)
 * @throws DevnetError `no-coins` when the inputs do not suffice
 */
export function buildPayment({ inputs, destination, amount, fee, change: own, random }: PaymentRequest): Uint8Array {
  const change = totalOf(inputs) - amount - fee;
  if (change < 0n) throw new DevnetError('no-coins', 'expected inputs worth the payment and its fee');
  const spends = inputs.map((input) => ({ ...input, real: input.place, keyImage: keyImage(input) }));
  spends.sort((a, b) => Buffer.compare(b.keyImage, a.keyImage));
  const txInputs = spends.map(toInput);
  const address = { ...own, isSubaddress: false };
  const paid = { address: payeeOf(destination), amount };
  const request = {
    version: 2,
    inputs: txInputs,
    outputs: [paid, { address, amount: change }],
    change: { address, viewKey: own.viewSecret },
    paymentId: destination.paymentId,
  } as const;
  const made = ERA.outputs.make(request, random);
  if (typeof made === 'string') throw new DevnetError('bad-address', 'expected an address whose keys are points');
  const { outputs, extra, txKeys } = made;
  wipe(...txKeys);
  const prefix = { unlockTime: 0n, inputs: txInputs, outputs: outputs.map(({ output }) => output), extra };
  return serializeTransaction(payingProofs(ERA).prove(prefix, spends, outputs, fee, random));
}

function keyImage(input: PaymentInput): Uint8Array {
  return ERA.outputs.keyImage(input.ring[input.place]!.key, input.secret);
}

function toInput({ ring, keyImage: image }: PaymentInput & Pick<Spend, 'keyImage'>): KeyInput {
  return { type: 'key', amount: 0n, keyOffsets: relativeOffsets(ring.map((member) => member.index)), keyImage: image };
}
