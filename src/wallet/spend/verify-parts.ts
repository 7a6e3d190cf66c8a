import { bytesToHex, equalBytes, wipe } from '../../base/index.ts';
import { isInMainSubgroup, scalarMulBase, scalarMulPoint } from '../../crypto/index.ts';
import { absoluteOffsets, eraOf, type KeyInput, type SealedOutput, type TxOutput, type TxPrefix } from '../../protocol/index.ts';
import { compareBytes } from './construct.ts';
import { SpendError } from './errors.ts';
import { classifyRecipients, type PaidAddress, sameAddress } from './layout.ts';
import type { SignedTransaction, UnsignedTransaction } from './unsigned.ts';

/** What is checked of a signed transaction of either version. */

/** @throws SpendError `check-failed` */
export function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new SpendError('check-failed', `expected ${what}`);
}

/** The prefix but for inputs and amounts: unlock time and extra, as many outputs as asked for, their keys points that differ, with view tags. */
export function checkOutputKeys(tx: TxPrefix, unsigned: UnsignedTransaction): void {
  expectThat(tx.unlockTime === unsigned.unlockTime, 'the unlock time asked for');
  const era = eraOf(unsigned.majorVersion);
  expectThat(tx.extra.length <= era.maxExtra, `at most ${era.maxExtra} bytes of extra`);
  expectThat(tx.outputs.length === unsigned.outputs.length, 'as many outputs as asked for');
  const arePoints = tx.outputs.every(({ key }) => isInMainSubgroup(key));
  expectThat(arePoints && era.allowsOutputs(tx.outputs), 'view tags and points');
  const keys = new Set(tx.outputs.map(({ key }) => bytesToHex(key)));
  expectThat(keys.size === tx.outputs.length, 'output keys that differ');
}

/** Every input spends what was asked for, in the ring chosen, by falling key image. */
export function checkSpends(
  tx: TxPrefix,
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  ringSize: number,
): readonly KeyInput[] {
  expectThat(isPermutation(signed.inputOrder, unsigned.inputs.length), 'every input once');
  expectThat(tx.inputs.length === unsigned.inputs.length, 'as many inputs as asked for');
  return tx.inputs.map((input, i) => {
    expectThat(input.type === 'key', 'inputs that spend outputs');
    const asked = unsigned.inputs[signed.inputOrder[i]!]!;
    expectThat(input.amount === (asked.output.rct ? 0n : asked.output.amount), 'the clear amount of the output to spend');
    expectThat(bytesToHex(input.keyImage) === asked.output.keyImage, 'the key image of the output to spend');
    const ring = absoluteOffsets(input.keyOffsets);
    expectThat(ring.length === ringSize && asked.ring.length === ringSize, `rings of ${ringSize}`);
    expectThat(
      ring.every((index, n) => index === asked.ring[n]!.globalIndex && (n === 0 || index > ring[n - 1]!)),
      'the ring chosen',
    );
    const before = tx.inputs[i - 1];
    expectThat(
      before === undefined || (before.type === 'key' && compareBytes(before.keyImage, input.keyImage) > 0),
      'sorted inputs',
    );
    return input;
  });
}

function isPermutation(order: readonly number[], size: number): boolean {
  return order.length === size && new Set(order).size === size && order.every((i) => Number.isInteger(i) && i >= 0 && i < size);
}

/**
 * Every output goes to the address asked for: with the transaction keys, or with our view key for change.
 * @param holdsAmount whether the output at a position, made like this, is worth the amount
 */
export function checkRecipients(
  tx: TxPrefix,
  unsigned: UnsignedTransaction,
  signed: SignedTransaction,
  viewKey: Uint8Array,
  holdsAmount: (i: number, sealed: SealedOutput, amount: bigint) => boolean,
): void {
  const { outputs: scheme } = eraOf(unsigned.majorVersion);
  expectThat(isPermutation(signed.outputOrder, unsigned.outputs.length), 'every output once');
  const ordered = signed.outputOrder.map((i) => unsigned.outputs[i]!);
  const { needsAdditionalKeys } = classifyRecipients(ordered, unsigned.changeAddress);
  expectThat(
    signed.txKeys.length === 1 + (needsAdditionalKeys ? ordered.length : 0),
    'as many transaction keys as the outputs need',
  );
  const publicKey = tx.extra.subarray(1, 33);
  expectThat(tx.extra[0] === 0x01 && publicKey.length === 32, 'the transaction key first in extra');
  ordered.forEach((paid, i) => {
    const isChange = unsigned.changeAddress !== undefined && sameAddress(paid.address, unsigned.changeAddress);
    expectThat(
      !isChange || paid.amount === 0n || isOpenedBy(viewKey, paid.address),
      'change to an address that our view key opens',
    );
    const secret = (paid.address.isSubaddress ? signed.txKeys[1 + i] : undefined) ?? signed.txKeys[0]!;
    const derivation = isChange ? scheme.exchange(publicKey, viewKey) : scheme.exchange(paid.address.viewKey, secret);
    expectThat(derivation !== undefined, 'outputs as asked for');
    const sealed = scheme.seal(paid.address.spendKey, paid.amount, derivation, i);
    wipe(derivation);
    expectThat(sealed !== undefined && isFor(tx.outputs[i]!, sealed), 'outputs as asked for');
    expectThat(holdsAmount(i, sealed, paid.amount), 'outputs as asked for');
    wipe(sealed.mask);
  });
}

/** The view key of an address of ours is a·G, or a·D for a subaddress. */
function isOpenedBy(secret: Uint8Array, address: PaidAddress): boolean {
  return equalBytes(address.viewKey, address.isSubaddress ? scalarMulPoint(secret, address.spendKey) : scalarMulBase(secret));
}

function isFor({ key, viewTag }: TxOutput, { output }: SealedOutput): boolean {
  return equalBytes(output.key, key) && output.viewTag === viewTag;
}
