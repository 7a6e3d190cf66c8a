import { wipe } from '../base/index.ts';
import {
  bulletproofPlusProve,
  clsagSign,
  commit,
  type Random,
  type RingMember,
  randomScalar,
  scalarAdd,
  scalarMulBase,
  scalarMulPoint,
  scalarSub,
} from '../crypto/index.ts';
import {
  type Address,
  buildExtra,
  type KeyInput,
  RctType,
  relativeOffsets,
  type SealedOutput,
  serializeTransaction,
  signatureMessage,
  type TransactionV2,
} from '../protocol/index.ts';
import { DevnetError } from './errors.ts';
import { ERA } from './rules.ts';

/** An output that its owner can spend, with the ring that hides it. */
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

export interface PaymentRequest {
  readonly inputs: readonly PaymentInput[];
  readonly destination: Pick<Address, 'kind' | 'spendKey' | 'viewKey' | 'paymentId'>;
  readonly amount: bigint;
  readonly fee: bigint;
  /** Where the rest goes: the payer's own main address. */
  readonly change: { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array; readonly viewSecret: Uint8Array };
  readonly random: Random;
}

interface NewOutput extends SealedOutput {
  readonly amount: bigint;
}

/**
 * A signed transaction with two outputs, the payment and the change, in random order: the devnet's own way to pay, for its
 * faucet. (Wallets are built elsewhere; this room may not know them.)
 * @throws DevnetError `no-coins` when the inputs do not suffice
 */
export function buildPayment(request: PaymentRequest): Uint8Array {
  const { inputs, amount, fee, random } = request;
  const change = inputs.reduce((sum, input) => sum + input.amount, 0n) - amount - fee;
  if (change < 0n) throw new DevnetError('no-coins', 'expected inputs worth the payment and its fee');
  const secret = randomScalar(random);
  const { outputs, extra } = makeOutputs(request, change, secret);
  wipe(secret);
  const sorted = [...inputs].map((input) => ({ ...input, image: keyImage(input) }));
  sorted.sort((a, b) => Buffer.compare(b.image, a.image));
  const masks = outputs.map(({ mask }) => mask);
  const { proof, commitments } = bulletproofPlusProve(
    outputs.map((output) => output.amount),
    masks,
    random,
  );
  const unsigned: TransactionV2 = {
    version: 2,
    unlockTime: 0n,
    inputs: sorted.map(toInput),
    outputs: outputs.map(({ output }) => output),
    extra,
    rct: {
      type: RctType.BulletproofPlus,
      fee,
      pseudoOuts: [],
      ecdhInfo: outputs.map(({ ecdh }) => ecdh),
      outPk: commitments,
    },
    prunable: { rangeProofs: [], bulletproofs: [], bulletproofsPlus: [proof], mlsags: [], clsags: [], pseudoOuts: [] },
  };
  return serializeTransaction(sign(unsigned, sorted, masks, random));
}

function keyImage(input: PaymentInput): Uint8Array {
  return ERA.outputs.keyImage(input.ring[input.place]!.key, input.secret);
}

function toInput({ ring, image }: PaymentInput & { readonly image: Uint8Array }): KeyInput {
  return { type: 'key', amount: 0n, keyOffsets: relativeOffsets(ring.map((member) => member.index)), keyImage: image };
}

/** Keys, tags and amounts of both outputs, and the extra field that tells the receivers where to look. */
function makeOutputs(
  { destination, amount, change: own, random }: PaymentRequest,
  change: bigint,
  secret: Uint8Array,
): { outputs: NewOutput[]; extra: Uint8Array } {
  // To a subaddress, R is r times its spend key; the change is then found through the own view key.
  const isSubaddress = destination.kind === 'subaddress';
  const publicKey = isSubaddress ? scalarMulPoint(secret, destination.spendKey) : scalarMulBase(secret);
  const derivation = derive(destination.viewKey, secret);
  const ownDerivation = derive(publicKey, own.viewSecret);
  const targets = [
    { spendKey: destination.spendKey, derivation, amount },
    { spendKey: own.spendKey, derivation: ownDerivation, amount: change },
  ];
  if (random.bytes(1)[0]! & 1) targets.reverse();
  const outputs = targets.map((target, i) => makeOutput(target, i));
  const paymentId = ERA.outputs.cryptPaymentId(destination.paymentId ?? new Uint8Array(8), derivation);
  return { outputs, extra: buildExtra({ pubKey: publicKey, paymentId: { kind: 'encrypted', bytes: paymentId } }) };
}

function derive(publicKey: Uint8Array, secret: Uint8Array): Uint8Array {
  const derivation = ERA.outputs.exchange(publicKey, secret);
  if (derivation === undefined) throw new DevnetError('bad-address', 'expected an address whose keys are points');
  return derivation;
}

function makeOutput(target: { spendKey: Uint8Array; derivation: Uint8Array; amount: bigint }, position: number): NewOutput {
  const sealed = ERA.outputs.seal(target.spendKey, target.amount, target.derivation, position);
  if (sealed === undefined) throw new DevnetError('bad-address', 'expected an address whose keys are points');
  return { ...sealed, amount: target.amount };
}

function sign(
  unsigned: TransactionV2,
  inputs: readonly PaymentInput[],
  outputMasks: readonly Uint8Array[],
  random: Random,
): TransactionV2 {
  const message = signatureMessage(unsigned);
  // The last pseudo output's mask makes both sides' masks sum to the same.
  let rest = outputMasks.reduce(scalarAdd);
  const signed = inputs.map((input, i) => {
    const pseudoMask = i === inputs.length - 1 ? rest : randomScalar(random);
    rest = scalarSub(rest, pseudoMask);
    const pseudoOut = commit(input.amount, pseudoMask);
    const { secret, mask, ring, place } = input;
    const { clsag } = clsagSign({ message, ring, index: place, secret, mask, pseudoOut, pseudoMask }, random);
    return { clsag, pseudoOut };
  });
  return {
    ...unsigned,
    prunable: { ...unsigned.prunable!, clsags: signed.map((s) => s.clsag), pseudoOuts: signed.map((s) => s.pseudoOut) },
  };
}
