import { equalBytes } from '../../base/index.ts';
import {
  bulletproofPlusVerify,
  clsagVerify,
  commit,
  H,
  IDENTITY,
  pointAdd,
  type Random,
  scalarFromBigint,
  scalarMulPointVartime,
} from '../../crypto/index.ts';
import {
  eraOf,
  type KeyInput,
  MAX_OUTPUTS,
  parseTransaction,
  type SealedOutput,
  signatureMessage,
  type TransactionV2,
  transactionHash,
  transactionWeight,
} from '../../protocol/index.ts';
import { type FeeRate, feeForWeight, weightLimit } from './fees.ts';
import type { SignedTransaction, UnsignedInput, UnsignedTransaction } from './unsigned.ts';
import { verifyClear } from './verify-clear.ts';
import { checkOutputKeys, checkRecipients, checkSpends, expectThat } from './verify-parts.ts';

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
  const version = unsigned.version ?? 2;
  expectThat(tx.version === version, `a transaction of version ${version}`);
  expectThat(equalBytes(transactionHash(tx), signed.hash), 'the hash of the bytes that were signed');
  if (tx.version === 1) verifyClear(tx, unsigned, signed, viewKey);
  else verifyRingCt(tx, unsigned, signed, viewKey, random);
  const weight = transactionWeight(tx, signed.bytes.length);
  const limit = weightLimit(eraOf(unsigned.majorVersion));
  expectThat(weight <= limit, `a weight of at most ${limit}`);
  expectThat(unsigned.fee >= feeForWeight(rate, weight), 'the fee that the weight needs');
  return weight;
}

function verifyRingCt(
  tx: TransactionV2,
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  viewKey: Uint8Array,
  random: Random,
): void {
  const { minOutputs, ringSize } = eraOf(unsigned.majorVersion);
  checkOutputKeys(tx, unsigned);
  expectThat(tx.outputs.length >= minOutputs && tx.outputs.length <= MAX_OUTPUTS, `${minOutputs} … ${MAX_OUTPUTS} outputs`);
  expectThat(
    tx.outputs.every(({ amount }) => amount === 0n),
    'hidden amounts',
  );
  const inputs = checkSpends(tx, unsigned, signed, ringSize.min);
  checkProofs(tx, inputs, unsigned, signed, random);
  checkRecipients(tx, unsigned, signed, viewKey, (i, sealed, amount) => holdsAmount(tx, i, sealed, amount));
}

function checkProofs(
  tx: TransactionV2,
  inputs: readonly KeyInput[],
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  random: Random,
): void {
  const { rct, prunable } = tx;
  const { rctTypes } = eraOf(unsigned.majorVersion);
  expectThat(rctTypes.includes(rct.type) && prunable !== undefined, `RingCT of type ${rctTypes}, whole`);
  expectThat(rct.fee === unsigned.fee, 'the fee asked for');
  const [proof] = prunable.bulletproofsPlus;
  expectThat(proof !== undefined && prunable.bulletproofsPlus.length === 1, 'one range proof');
  expectThat(bulletproofPlusVerify([{ proof, commitments: rct.outPk }], random), 'a range proof that holds');
  expectThat(balances(prunable.pseudoOuts, rct.outPk, rct.fee), 'inputs that equal outputs and fee');
  const claims = inputs.map(({ keyImage }, i) => {
    const { ring }: UnsignedInput = unsigned.inputs[signed.inputOrder[i]!]!;
    const clsag = prunable.clsags[i];
    const pseudoOut = prunable.pseudoOuts[i];
    expectThat(clsag !== undefined && pseudoOut !== undefined, 'a ring signature for every input');
    return { clsag, ring, keyImage, pseudoOut };
  });
  expectThat(clsagVerify(signatureMessage(tx), claims), 'ring signatures that hold');
}

function balances(pseudoOuts: readonly Uint8Array[], outPk: readonly Uint8Array[], fee: bigint): boolean {
  const sum = (points: readonly Uint8Array[]) => points.reduce((a, b) => pointAdd(a, b), IDENTITY as Uint8Array);
  return equalBytes(sum(pseudoOuts), pointAdd(sum(outPk), scalarMulPointVartime(scalarFromBigint(fee), H)));
}

function holdsAmount(tx: TransactionV2, i: number, { ecdh, mask }: SealedOutput, amount: bigint): boolean {
  const holds = equalBytes(ecdh.amount, tx.rct.ecdhInfo[i]!.amount) && equalBytes(commit(amount, mask), tx.rct.outPk[i]!);
  return holds;
}
