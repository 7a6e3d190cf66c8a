import { bytesToHex, compareBytes, equalBytes, wipe } from '../../base/index.ts';
import { isInMainSubgroup, type Random, scalarMulBase, scalarMulPoint } from '../../crypto/index.ts';
import {
  absoluteOffsets,
  type Era,
  eraOf,
  feeOf,
  MAX_OUTPUTS,
  type PaidAddress,
  type ProofFlaw,
  type ProofSystem,
  parseTransaction,
  payingProofs,
  proofsOf,
  sameAddress,
  type Transaction,
  transactionHash,
  transactionPrefixHash,
  transactionWeight,
} from '../../protocol/index.ts';
import { outputsAsked } from './construct.ts';
import { SpendError } from './errors.ts';
import { type FeeRate, feeForWeight } from './fees.ts';
import { remadeFromShown } from './shown-recipients.ts';
import type { SignedTransaction, UnsignedTransaction } from './unsigned.ts';

/** The transaction as read from its bytes, and the plan that it is checked against. */
interface Case {
  readonly era: Era;
  readonly proofs: ProofSystem;
  readonly tx: Transaction;
  readonly unsigned: UnsignedTransaction;
  readonly signed: SignedTransaction;
}

/** @throws SpendError `check-failed` */
function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new SpendError('check-failed', `expected ${what}`);
}

/** @throws SpendError `check-failed` */
function expectNoFlaw(flaw: ProofFlaw | undefined): void {
  if (flaw !== undefined) throw new SpendError('check-failed', `expected ${flaw.expected}`);
}

/**
 * Checks a signed transaction as a node would and against the plan, from its bytes alone; the signer is trusted with nothing but the keys.
 * Returns the weight. Whether clear amounts are really unmixable only the chain knows.
 * @param viewKey secret view key, to check that change returns; 32 bytes
 * @throws SpendError `check-failed` with what was expected
 */
export function verifySigned(
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  rate: FeeRate,
  viewKey: Uint8Array,
  random: Random,
): number {
  const weight = verifyAll(unsigned, signed, { viewKey, random, closed: true });
  expectThat(unsigned.fee >= feeForWeight(rate, weight), 'the fee that the weight needs');
  return weight;
}

/**
 * As {@link verifySigned}, for a transaction that lacks its ring signatures. Returns the weight.
 * @throws SpendError `check-failed` with what was expected
 */
export function verifyUnsigned(
  unsigned: UnsignedTransaction,
  proposed: SignedTransaction,
  viewKey: Uint8Array,
  random: Random,
): number {
  return verifyAll(unsigned, proposed, { viewKey, random, closed: false });
}

interface Judging {
  readonly viewKey: Uint8Array;
  readonly random: Random;
  /** Whether ring signatures are complete. */
  readonly closed: boolean;
}

/** Returns the weight. */
function verifyAll(unsigned: UnsignedTransaction, signed: SignedTransaction, { viewKey, random, closed }: Judging): number {
  const tx = parseTransaction(signed.bytes);
  const era = eraOf(unsigned.majorVersion);
  const proofs = payingProofs(era, unsigned.version);
  expectThat(tx.version === proofs.version, `a transaction of version ${proofs.version}`);
  expectThat(proofsOf(era, tx) === proofs, `RingCT of type ${proofs.rctType}, whole`);
  expectThat(equalBytes(transactionHash(tx), signed.hash), 'the hash of the bytes that were signed');
  const subject = { era, proofs, tx, unsigned, signed };
  checkPrefix(subject);
  checkSpends(subject);
  expectNoFlaw(proofs.amountsFlaw(tx, random));
  expectThat(feeOf(tx) === unsigned.fee, 'inputs that equal outputs and the fee asked for');
  if (closed) checkSignatures(subject);
  checkRecipients(subject, viewKey);
  const weight = transactionWeight(tx, signed.bytes.length);
  expectThat(weight <= era.maxWeight, `a weight of at most ${era.maxWeight}`);
  return weight;
}

/**
 * Checks unlock time and extra, the number of outputs against plan and node rules, that their keys are distinct points, and the era's form.
 */
function checkPrefix({ era, proofs, tx, unsigned }: Case): void {
  const { outputs } = tx;
  expectThat(tx.unlockTime === unsigned.unlockTime, 'the unlock time asked for');
  expectThat(tx.extra.length <= era.maxExtra, `at most ${era.maxExtra} bytes of extra`);
  expectThat(outputs.length === unsigned.outputs.length, 'as many outputs as asked for');
  const [least, most] = proofs.version === 1 ? [1, outputs.length] : [era.minOutputs, MAX_OUTPUTS];
  expectThat(outputs.length >= least && outputs.length <= most, `${least} … ${most} outputs`);
  const arePoints = outputs.every(({ key }) => isInMainSubgroup(key));
  expectThat(arePoints && era.allowsOutputs(outputs), 'view tags and points');
  const keys = new Set(outputs.map(({ key }) => bytesToHex(key)));
  expectThat(keys.size === outputs.length, 'output keys that differ');
  expectThat(proofs.allowsAmounts(outputs), proofs.version === 1 ? 'outputs of one digit each' : 'hidden amounts');
}

/** Checks that every input spends the planned output in the chosen ring, by descending key image. */
function checkSpends({ era, proofs, tx, unsigned, signed }: Case): void {
  const ringSize = proofs.version === 1 ? 1 : era.ringSize.min;
  expectThat(isPermutation(signed.inputOrder, unsigned.inputs.length), 'every input once');
  expectThat(tx.inputs.length === unsigned.inputs.length, 'as many inputs as asked for');
  tx.inputs.forEach((input, i) => {
    expectThat(input.type === 'key', 'inputs that spend outputs');
    const unsignedInput = unsigned.inputs[signed.inputOrder[i]!]!;
    expectThat(
      input.amount === (unsignedInput.output.rct ? 0n : unsignedInput.output.amount),
      'the clear amount of the output to spend',
    );
    expectThat(bytesToHex(input.keyImage) === unsignedInput.output.keyImage, 'the key image of the output to spend');
    const ring = absoluteOffsets(input.keyOffsets);
    expectThat(ring.length === ringSize && unsignedInput.ring.length === ringSize, `rings of ${ringSize}`);
    expectThat(
      ring.every((index, n) => index === unsignedInput.ring[n]!.globalIndex && (n === 0 || index > ring[n - 1]!)),
      'the ring chosen',
    );
    const real = unsignedInput.ring[unsignedInput.real];
    const isThere = real?.globalIndex === unsignedInput.output.globalIndex && bytesToHex(real.key) === unsignedInput.output.key;
    expectThat(isThere, 'a ring with the output itself');
    const before = tx.inputs[i - 1];
    expectThat(
      before === undefined || (before.type === 'key' && compareBytes(before.keyImage, input.keyImage) > 0),
      'sorted inputs',
    );
  });
}

function isPermutation(order: readonly number[], size: number): boolean {
  return order.length === size && new Set(order).size === size && order.every((i) => Number.isInteger(i) && i >= 0 && i < size);
}

function checkSignatures({ proofs, tx, unsigned, signed }: Case): void {
  const rings = signed.inputOrder.map((i) => unsigned.inputs[i]!.ring);
  expectNoFlaw(proofs.spendsFlaw(tx, rings));
}

/** Checks that every output goes to the planned address, and that extra belongs to them: the transaction keys must reproduce both. */
function checkRecipients({ era, proofs, tx, unsigned, signed }: Case, viewKey: Uint8Array): void {
  expectThat(isPermutation(signed.outputOrder, unsigned.outputs.length), 'every output once');
  const { changeAddress, outputs } = unsigned;
  const change = outputs.filter(({ address }) => changeAddress !== undefined && sameAddress(address, changeAddress));
  const returns = change.every(({ amount, address }) => amount === 0n || isOpenedBy(viewKey, address));
  expectThat(returns, 'change to an address that our view key opens');
  const request = outputsAsked(unsigned, tx.inputs, viewKey);
  const { shown } = signed;
  const made =
    shown === undefined ? era.outputs.remake(request, signed) : remadeFromShown(era, tx, unsigned, { ...signed, shown }, request);
  expectThat(typeof made !== 'string', 'as many transaction keys as the outputs need');
  const again = { ...tx, outputs: made.outputs.map(({ output }) => output), extra: made.extra };
  expectThat(equalBytes(transactionPrefixHash(again), transactionPrefixHash(tx)), 'outputs as asked for');
  expectThat(proofs.hides(tx, made.outputs), 'outputs as asked for');
  wipe(...made.outputs.map(({ mask }) => mask));
}

/** The view key of one of our addresses is a·G, or a·D for a subaddress. */
function isOpenedBy(secret: Uint8Array, address: PaidAddress): boolean {
  return equalBytes(address.viewKey, address.isSubaddress ? scalarMulPoint(secret, address.spendKey) : scalarMulBase(secret));
}
