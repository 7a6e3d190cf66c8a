import { compareBytes, equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import { type Random, secretKeyToPublicKey } from '../../crypto/index.ts';
import {
  eraOf,
  type KeyInput,
  type OutputsAsked,
  payingProofs,
  RECORDED_OUTPUTS,
  relativeOffsets,
  type SecretKeys,
  type Spend,
  serializeTransaction,
  type TxInput,
  transactionHash,
} from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';
import { SpendError } from './errors.ts';
import type { SignedTransaction, UnsignedInput, UnsignedTransaction } from './unsigned.ts';

/** An input with its secrets, and its position in the request. */
interface KeyedInput extends Spend {
  readonly position: number;
  readonly unsigned: UnsignedInput;
}

function altered(detail: string): SpendError {
  return new SpendError('check-failed', `expected ${detail}`);
}

/** Facts from which an output's secret key is derived: keys in hex, its place in its transaction, and its subaddress. */
export interface SpentOutput {
  readonly key: string;
  readonly txPublicKey: string;
  readonly outputIndex: number;
  readonly subaddress: SubaddressIndex;
}

/**
 * The one-time secret key of an output of ours, 32 bytes (`generate_key_image_helper`). The caller wipes it.
 * @throws SpendError `check-failed` when it does not open the output
 */
export function outputSecretKey(output: SpentOutput, keys: SecretKeys): Uint8Array {
  const shared = RECORDED_OUTPUTS.sharedByReceiver(hexToBytes(output.txPublicKey), keys.viewKey);
  const secret = RECORDED_OUTPUTS.secretKey(shared, output.outputIndex, keys, output.subaddress);
  wipe(shared);
  const key = secretKeyToPublicKey(secret);
  if (key === undefined || !equalBytes(key, hexToBytes(output.key))) throw altered('the keys to open the output to spend');
  return secret;
}

function keyedInputs(inputs: readonly UnsignedInput[], keys: SecretKeys): KeyedInput[] {
  const keyed = inputs.map((unsignedInput, position): KeyedInput => {
    const { output, ring, real } = unsignedInput;
    const secret = outputSecretKey(output, keys);
    const keyImage = RECORDED_OUTPUTS.keyImage(hexToBytes(output.key), secret);
    return {
      position,
      unsigned: unsignedInput,
      ring,
      real,
      amount: output.amount,
      mask: hexToBytes(output.mask),
      secret,
      keyImage,
    };
  });
  return keyed.sort((a, b) => compareBytes(b.keyImage, a.keyImage));
}

function keyInput({ unsigned: { output, ring }, keyImage }: KeyedInput): KeyInput {
  const amount = output.rct ? 0n : output.amount;
  return { type: 'key', amount, keyOffsets: relativeOffsets(ring.map(({ globalIndex }) => globalIndex)), keyImage };
}

/**
 * The request for outputs to the era.
 * @param inputs of the transaction, in its order
 * @param viewKey secret view key, 32 bytes
 */
export function outputsAsked(unsigned: UnsignedTransaction, inputs: readonly TxInput[], viewKey: Uint8Array): OutputsAsked {
  const { version = 2, outputs, changeAddress: address, paymentId } = unsigned;
  return { version, inputs, outputs, change: address && { address, viewKey }, paymentId };
}

/**
 * Builds and signs a transaction like `construct_tx_with_tx_key` (cryptonote_tx_utils.cpp): inputs by descending key image, outputs and
 * proofs by its era. Intermediate secrets are wiped; the transaction keys are the caller's.
 * @throws SpendError `check-failed`, `payment-id-with-several-destinations`; CryptoError `weak-randomness`
 */
export function constructTransaction(unsigned: UnsignedTransaction, keys: SecretKeys, random: Random): SignedTransaction {
  const era = eraOf(unsigned.majorVersion);
  const spends = keyedInputs(unsigned.inputs, keys);
  const inputs = spends.map(keyInput);
  const made = era.outputs.make(outputsAsked(unsigned, inputs, keys.viewKey), random);
  if (made === 'several-receivers') {
    throw new SpendError('payment-id-with-several-destinations', 'expected one destination beside an integrated address');
  }
  if (typeof made === 'string') throw altered('every address to consist of points');
  const { outputs, extra, txKeys, outputOrder } = made;
  const prefix = { unlockTime: unsigned.unlockTime, inputs, outputs: outputs.map(({ output }) => output), extra };
  const transaction = payingProofs(era, unsigned.version).prove(prefix, spends, outputs, unsigned.fee, random);
  wipe(...spends.flatMap(({ secret, mask }) => [secret, mask]), ...outputs.map(({ mask }) => mask));
  return {
    transaction,
    bytes: serializeTransaction(transaction),
    hash: transactionHash(transaction),
    txKeys,
    outputOrder,
    inputOrder: spends.map(({ position }) => position),
  };
}
