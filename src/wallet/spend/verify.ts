import { bytesToHex, equalBytes, wipe } from '../../base/index.ts';
import {
  bulletproofPlusVerify,
  clsagVerify,
  commit,
  H,
  IDENTITY,
  isInMainSubgroup,
  pointAdd,
  type Random,
  scalarFromBigint,
  scalarMulBase,
  scalarMulPoint,
  scalarMulPointVartime,
} from '../../crypto/index.ts';
import {
  absoluteOffsets,
  MAX_OUTPUTS,
  parseTransaction,
  signatureMessage,
  type TransactionV2,
  transactionHash,
  transactionWeight,
} from '../../protocol/index.ts';
import { compareBytes } from './construct.ts';
import { RING_SIZE } from './decoys.ts';
import { ERA } from './era.ts';
import { SpendError } from './errors.ts';
import { type FeeRate, feeForWeight, WEIGHT_LIMIT } from './fees.ts';
import { classifyRecipients, type PaidAddress, sameAddress } from './layout.ts';
import type { SignedTransaction, UnsignedInput, UnsignedTransaction } from './unsigned.ts';

function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new SpendError('check-failed', `expected ${what}`);
}

/**
 * Judges what was signed as a node would and against what was asked for, from its bytes alone; whoever signed is not trusted
 * with more than the keys. Returns the weight.
 * @param viewKey secret view key: shows that change returns; 32 bytes
 * @throws SpendError `check-failed` with what was expected
 */
export function verifySigned(
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  rate: FeeRate,
  viewKey: Uint8Array,
  random: Random,
): number {
  const tx = parseTransaction(signed.bytes);
  expect(tx.version === 2, 'a transaction of version 2');
  expect(equalBytes(transactionHash(tx), signed.hash), 'the hash of the bytes that were signed');
  checkPrefix(tx, unsigned);
  checkInputs(tx, unsigned, signed);
  checkProofs(tx, unsigned, signed, random);
  checkRecipients(tx, unsigned, signed, viewKey);
  const weight = transactionWeight(tx, signed.bytes.length);
  expect(weight <= WEIGHT_LIMIT, `a weight of at most ${WEIGHT_LIMIT}`);
  expect(tx.rct.fee >= feeForWeight(rate, weight), 'the fee that the weight needs');
  return weight;
}

function checkPrefix(tx: TransactionV2, unsigned: UnsignedTransaction): void {
  expect(tx.unlockTime === unsigned.unlockTime, 'the unlock time asked for');
  expect(tx.extra.length <= ERA.maxExtra, `at most ${ERA.maxExtra} bytes of extra`);
  const { length } = tx.outputs;
  expect(length >= ERA.minOutputs && length <= MAX_OUTPUTS, `${ERA.minOutputs} … ${MAX_OUTPUTS} outputs`);
  expect(tx.outputs.length === unsigned.outputs.length, 'as many outputs as asked for');
  const hidden = tx.outputs.every(({ amount, key }) => amount === 0n && isInMainSubgroup(key));
  expect(hidden && ERA.allowsOutputs(tx.outputs), 'hidden amounts, view tags and points');
  const keys = new Set(tx.outputs.map(({ key }) => bytesToHex(key)));
  expect(keys.size === tx.outputs.length, 'output keys that differ');
}

function checkInputs(tx: TransactionV2, unsigned: UnsignedTransaction, signed: SignedTransaction): void {
  expect(isPermutation(signed.inputOrder, unsigned.inputs.length), 'every input once');
  expect(tx.inputs.length === unsigned.inputs.length, 'as many inputs as asked for');
  tx.inputs.forEach((input, i) => {
    expect(input.type === 'key', 'inputs that spend outputs');
    const asked = unsigned.inputs[signed.inputOrder[i]!]!;
    expect(input.amount === (asked.output.rct ? 0n : asked.output.amount), 'the clear amount of the output to spend');
    expect(bytesToHex(input.keyImage) === asked.output.keyImage, 'the key image of the output to spend');
    const ring = absoluteOffsets(input.keyOffsets);
    expect(ring.length === RING_SIZE && asked.ring.length === RING_SIZE, `rings of ${RING_SIZE}`);
    expect(
      ring.every((index, n) => index === asked.ring[n]!.globalIndex && (n === 0 || index > ring[n - 1]!)),
      'the ring chosen',
    );
    const before = tx.inputs[i - 1];
    expect(before === undefined || (before.type === 'key' && compareBytes(before.keyImage, input.keyImage) > 0), 'sorted inputs');
  });
}

function isPermutation(order: readonly number[], size: number): boolean {
  return order.length === size && new Set(order).size === size && order.every((i) => Number.isInteger(i) && i >= 0 && i < size);
}

function checkProofs(tx: TransactionV2, unsigned: UnsignedTransaction, signed: SignedTransaction, random: Random): void {
  const { rct, prunable } = tx;
  expect(ERA.rctTypes.includes(rct.type) && prunable !== undefined, `RingCT of type ${ERA.rctTypes}, whole`);
  expect(rct.fee === unsigned.fee, 'the fee asked for');
  const [proof] = prunable.bulletproofsPlus;
  expect(proof !== undefined && prunable.bulletproofsPlus.length === 1, 'one range proof');
  expect(bulletproofPlusVerify([{ proof, commitments: rct.outPk }], random), 'a range proof that holds');
  expect(balances(prunable.pseudoOuts, rct.outPk, rct.fee), 'inputs that equal outputs and fee');
  const claims = tx.inputs.map((input, i) => {
    const { ring }: UnsignedInput = unsigned.inputs[signed.inputOrder[i]!]!;
    const clsag = prunable.clsags[i];
    const pseudoOut = prunable.pseudoOuts[i];
    expect(clsag !== undefined && pseudoOut !== undefined && input.type === 'key', 'a ring signature for every input');
    return { clsag, ring, keyImage: input.keyImage, pseudoOut };
  });
  expect(clsagVerify(signatureMessage(tx), claims), 'ring signatures that hold');
}

function balances(pseudoOuts: readonly Uint8Array[], outPk: readonly Uint8Array[], fee: bigint): boolean {
  const sum = (points: readonly Uint8Array[]) => points.reduce((a, b) => pointAdd(a, b), IDENTITY as Uint8Array);
  return equalBytes(sum(pseudoOuts), pointAdd(sum(outPk), scalarMulPointVartime(scalarFromBigint(fee), H)));
}

/** Every output opens to the amount and address asked for: with the transaction keys, or with our view key for change. */
function checkRecipients(tx: TransactionV2, unsigned: UnsignedTransaction, signed: SignedTransaction, viewKey: Uint8Array): void {
  expect(isPermutation(signed.outputOrder, unsigned.outputs.length), 'every output once');
  const ordered = signed.outputOrder.map((i) => unsigned.outputs[i]!);
  const { needsAdditionalKeys } = classifyRecipients(ordered, unsigned.changeAddress);
  expect(signed.txKeys.length === 1 + (needsAdditionalKeys ? ordered.length : 0), 'as many transaction keys as the outputs need');
  const publicKey = tx.extra.subarray(1, 33);
  expect(tx.extra[0] === 0x01 && publicKey.length === 32, 'the transaction key first in extra');
  ordered.forEach((paid, i) => {
    const isChange = unsigned.changeAddress !== undefined && sameAddress(paid.address, unsigned.changeAddress);
    expect(!isChange || paid.amount === 0n || isOpenedBy(viewKey, paid.address), 'change to an address that our view key opens');
    const secret = (paid.address.isSubaddress ? signed.txKeys[1 + i] : undefined) ?? signed.txKeys[0]!;
    const derivation = isChange ? ERA.outputs.exchange(publicKey, viewKey) : ERA.outputs.exchange(paid.address.viewKey, secret);
    expect(derivation !== undefined && opens(tx, i, derivation, paid.address.spendKey, paid.amount), 'outputs as asked for');
    wipe(derivation);
  });
}

/** The view key of an address of ours is a·G, or a·D for a subaddress. */
function isOpenedBy(secret: Uint8Array, address: PaidAddress): boolean {
  return equalBytes(address.viewKey, address.isSubaddress ? scalarMulPoint(secret, address.spendKey) : scalarMulBase(secret));
}

function opens(tx: TransactionV2, i: number, derivation: Uint8Array, spendKey: Uint8Array, amount: bigint): boolean {
  const sealed = ERA.outputs.seal(spendKey, amount, derivation, i);
  if (sealed === undefined) return false;
  const { output, ecdh, mask } = sealed;
  const found = tx.outputs[i]!;
  const holds =
    equalBytes(output.key, found.key) &&
    output.viewTag === found.viewTag &&
    equalBytes(ecdh.amount, tx.rct.ecdhInfo[i]!.amount) &&
    equalBytes(commit(amount, mask), tx.rct.outPk[i]!);
  wipe(mask);
  return holds;
}
