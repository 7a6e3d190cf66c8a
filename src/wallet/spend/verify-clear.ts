import { bytesToHex } from '../../base/index.ts';
import { checkRingSignature, isInMainSubgroup } from '../../crypto/index.ts';
import { absoluteOffsets, isOneDigit, type KeyInput, type TransactionV1, transactionPrefixHash } from '../../protocol/index.ts';
import { total } from './inputs.ts';
import type { SignedTransaction, UnsignedTransaction } from './unsigned.ts';
import { checkOutputKeys, checkRecipients, checkSpends, expectThat } from './verify-parts.ts';

/**
 * Judges a transaction of version 1 as a node would (blockchain.cpp, check_tx_outputs and check_tx_inputs) and against what was asked
 * for: rings of one, amounts of one digit each that leave the fee over, ring signatures that hold. Whether its amounts cannot be mixed
 * is the chain's to know.
 * @throws SpendError `check-failed` with what was expected
 */
export function verifyClear(
  tx: TransactionV1,
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  viewKey: Uint8Array,
): void {
  checkOutputKeys(tx, unsigned);
  expectThat(tx.outputs.length > 0 && tx.outputs.every(({ amount }) => isOneDigit(amount)), 'outputs of one digit each');
  const inputs = checkSpends(tx, unsigned, signed, 1);
  expectThat(total(inputs) - total(tx.outputs) === unsigned.fee, 'inputs that equal outputs and the fee asked for');
  checkSignatures(tx, inputs, unsigned, signed);
  checkRecipients(tx, unsigned, signed, viewKey, (i, _, amount) => tx.outputs[i]!.amount === amount);
}

function checkSignatures(
  { signatures, ...prefix }: TransactionV1,
  inputs: readonly KeyInput[],
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
): void {
  expectThat(signatures?.length === inputs.length, 'a ring signature for every input');
  const hash = transactionPrefixHash(prefix);
  inputs.forEach(({ keyImage, keyOffsets }, i) => {
    const { ring, output } = unsigned.inputs[signed.inputOrder[i]!]!;
    const [member] = ring;
    expectThat(absoluteOffsets(keyOffsets)[0] === output.globalIndex, 'a ring of the output itself');
    expectThat(member !== undefined && bytesToHex(member.key) === output.key, 'a ring of the output itself');
    expectThat(isInMainSubgroup(keyImage), 'key images in the prime-order group');
    expectThat(checkRingSignature(hash, keyImage, [member.key], signatures[i]!), 'ring signatures that hold');
  });
}
