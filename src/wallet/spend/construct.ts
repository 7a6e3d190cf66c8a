import { equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import {
  bulletproofPlusProve,
  clsagSign,
  commit,
  generateRingSignature,
  type Random,
  randomScalar,
  SCALAR_ZERO,
  scalarAdd,
  scalarMulBase,
  scalarMulPoint,
  scalarSub,
  secretKeyToPublicKey,
} from '../../crypto/index.ts';
import {
  buildExtra,
  eraOf,
  type KeyInput,
  type RctBase,
  RctType,
  RECORDED_OUTPUTS,
  relativeOffsets,
  type SealedOutput,
  serializeTransaction,
  signatureMessage,
  type TransactionV1,
  type TransactionV2,
  transactionHash,
  transactionPrefixHash,
} from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';
import { SpendError } from './errors.ts';
import {
  classifyRecipients,
  hasEncryptedPaymentId,
  type PaidAddress,
  type PaidOutput,
  paymentIdViewKey,
  sameAddress,
} from './layout.ts';
import { RandomSampler } from './random-sampler.ts';
import type { RingOutput, SignedTransaction, UnsignedInput, UnsignedTransaction } from './unsigned.ts';

/** The keys that spend. 32 bytes each; never kept beyond a call. */
export interface SpendKeys {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
}

/** An input with the secret that spends it. */
interface KeyedInput {
  readonly position: number;
  readonly input: UnsignedInput;
  readonly secret: Uint8Array;
  readonly keyImage: Uint8Array;
}

/** An output as the receiver will find it. */
interface MadeOutput extends SealedOutput {
  readonly amount: bigint;
}

function altered(detail: string): SpendError {
  return new SpendError('check-failed', `expected ${detail}`);
}

/** What of an output its secret key follows from: keys in hex, its place in its transaction, and whose it is. */
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
export function outputSecretKey(output: SpentOutput, keys: SpendKeys): Uint8Array {
  const shared = RECORDED_OUTPUTS.exchange(hexToBytes(output.txPublicKey), keys.viewKey);
  if (shared === undefined) throw altered('the transaction key of an output to be a point');
  const secret = RECORDED_OUTPUTS.secretKey(shared, output.outputIndex, keys, output.subaddress);
  wipe(shared);
  const key = secretKeyToPublicKey(secret);
  if (key === undefined || !equalBytes(key, hexToBytes(output.key))) throw altered('the keys to open the output to spend');
  return secret;
}

function keyInputs(inputs: readonly UnsignedInput[], keys: SpendKeys): KeyedInput[] {
  const keyed = inputs.map((input, position) => {
    const secret = outputSecretKey(input.output, keys);
    const keyImage = RECORDED_OUTPUTS.keyImage(hexToBytes(input.output.key), secret);
    return { position, input, secret, keyImage };
  });
  return keyed.sort((a, b) => compareBytes(b.keyImage, a.keyImage));
}

/** Lexicographic order of byte strings of one length. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The public half of a transaction key as an address wants it: r·D for a subaddress, r·G else. */
function publicFor(secret: Uint8Array, address: PaidAddress | undefined): Uint8Array {
  return address?.isSubaddress ? scalarMulPoint(secret, address.spendKey) : scalarMulBase(secret);
}

interface TxKeys {
  readonly main: Uint8Array;
  readonly mainPublic: Uint8Array;
  readonly additional: readonly Uint8Array[];
  readonly additionalPublic: readonly Uint8Array[];
}

function makeTxKeys(outputs: readonly PaidOutput[], change: PaidAddress | undefined, random: Random): TxKeys {
  const recipients = classifyRecipients(outputs, change);
  const main = randomScalar(random);
  const single = recipients.standard === 0 && recipients.subaddresses === 1 ? recipients.subaddress : undefined;
  const additional = recipients.needsAdditionalKeys ? outputs.map(() => randomScalar(random)) : [];
  const additionalPublic = additional.map((secret, i) => publicFor(secret, outputs[i]!.address));
  return { main, mainPublic: publicFor(main, single), additional, additionalPublic };
}

/** D for output i: ours by the view key for change, else by the transaction key its receiver will look at. */
function outputDerivation(
  paid: PaidOutput,
  i: number,
  txKeys: TxKeys,
  unsigned: UnsignedTransaction,
  viewKey: Uint8Array,
): Uint8Array {
  const { outputs: scheme } = eraOf(unsigned.majorVersion);
  const isChange = unsigned.changeAddress !== undefined && sameAddress(paid.address, unsigned.changeAddress);
  const additional = paid.address.isSubaddress ? txKeys.additional[i] : undefined;
  const derivation = isChange
    ? scheme.exchange(txKeys.mainPublic, viewKey)
    : scheme.exchange(paid.address.viewKey, additional ?? txKeys.main);
  if (derivation === undefined) throw altered('every address to consist of points');
  return derivation;
}

function makeOutput(paid: PaidOutput, i: number, derivation: Uint8Array, unsigned: UnsignedTransaction): MadeOutput {
  const sealed = eraOf(unsigned.majorVersion).outputs.seal(paid.address.spendKey, paid.amount, derivation, i);
  if (sealed === undefined) throw altered('every address to consist of points');
  const output = unsigned.version === 1 ? { ...sealed.output, amount: paid.amount } : sealed.output;
  return { ...sealed, output, amount: paid.amount };
}

/** tx_extra as the reference orders it: key, additional keys, nonce with the encrypted payment id, a dummy one as a rule. */
function makeExtra(outputs: readonly PaidOutput[], unsigned: UnsignedTransaction, txKeys: TxKeys): Uint8Array {
  const parts = { pubKey: txKeys.mainPublic, additionalPubKeys: txKeys.additionalPublic };
  if (!hasEncryptedPaymentId(outputs, unsigned.changeAddress, unsigned.paymentId !== undefined)) return buildExtra(parts);
  const viewKey = paymentIdViewKey(outputs, unsigned.changeAddress);
  if (viewKey === undefined) {
    throw new SpendError('payment-id-with-several-destinations', 'expected one destination beside an integrated address');
  }
  const { outputs: scheme } = eraOf(unsigned.majorVersion);
  const derivation = scheme.exchange(viewKey, txKeys.main);
  if (derivation === undefined) throw altered('every address to consist of points');
  const bytes = scheme.cryptPaymentId(unsigned.paymentId ?? new Uint8Array(8), derivation);
  wipe(derivation);
  return buildExtra({ ...parts, paymentId: { kind: 'encrypted', bytes } });
}

/** Masks of the pseudo outputs: random but the last, which makes their sum that of the output masks. */
function pseudoMasks(count: number, outputMasks: readonly Uint8Array[], random: Random): Uint8Array[] {
  const masks = Array.from({ length: count - 1 }, () => randomScalar(random));
  const outputs = outputMasks.reduce((sum, mask) => scalarAdd(sum, mask), SCALAR_ZERO as Uint8Array);
  masks.push(masks.reduce((rest, mask) => scalarSub(rest, mask), outputs));
  return masks;
}

function keyInput({ input, keyImage }: KeyedInput): KeyInput {
  const amount = input.output.rct ? 0n : input.output.amount;
  return { type: 'key', amount, keyOffsets: relativeOffsets(input.ring.map(({ globalIndex }) => globalIndex)), keyImage };
}

/**
 * Builds and signs a transaction as `construct_tx_with_tx_key` (cryptonote_tx_utils.cpp) and `genRctSimple` (rctSigs.cpp):
 * outputs shuffled, inputs by key image descending, one Bulletproofs+ proof, one CLSAG an input; of version 1 plain ring signatures.
 * Secrets made on the way are wiped; the transaction keys are the caller's.
 * @throws SpendError `check-failed`, `payment-id-with-several-destinations`; CryptoError `weak-randomness`
 */
export function constructTransaction(unsigned: UnsignedTransaction, keys: SpendKeys, random: Random): SignedTransaction {
  const isClear = unsigned.version === 1;
  const inputs = keyInputs(unsigned.inputs, keys);
  const outputOrder = new RandomSampler(random).shuffled(unsigned.outputs.map((_, i) => i));
  const outputs = outputOrder.map((i) => unsigned.outputs[i]!);
  const txKeys = makeTxKeys(outputs, unsigned.changeAddress, random);
  const made = outputs.map((paid, i) => {
    const derivation = outputDerivation(paid, i, txKeys, unsigned, keys.viewKey);
    const output = makeOutput(paid, i, derivation, unsigned);
    wipe(derivation);
    return output;
  });
  const prefix = {
    unlockTime: unsigned.unlockTime,
    inputs: inputs.map(keyInput),
    outputs: made.map(({ output }) => output),
    extra: makeExtra(outputs, unsigned, txKeys),
  };
  const transaction = isClear
    ? signClear({ ...prefix, version: 1 }, inputs, random)
    : signRingCt({ ...prefix, version: 2 }, inputs, made, unsigned.fee, random);
  wipe(...inputs.map(({ secret }) => secret), ...made.map(({ mask }) => mask));
  return {
    transaction,
    bytes: serializeTransaction(transaction),
    hash: transactionHash(transaction),
    txKeys: [txKeys.main, ...txKeys.additional],
    outputOrder,
    inputOrder: inputs.map(({ position }) => position),
  };
}

type Prefix = Omit<TransactionV2, 'rct' | 'prunable'>;

/** One ring signature an input over the hash of the prefix; the fee is what amounts leave over. */
function signClear(prefix: Omit<TransactionV1, 'signatures'>, inputs: readonly KeyedInput[], random: Random): TransactionV1 {
  const hash = transactionPrefixHash(prefix);
  const signatures = inputs.map(({ input, secret, keyImage }) => {
    const ring = input.ring.map(({ key }) => key);
    return generateRingSignature(hash, keyImage, ring, secret, input.real, random);
  });
  return { ...prefix, signatures };
}

function signRingCt(
  prefix: Prefix,
  inputs: readonly KeyedInput[],
  made: readonly MadeOutput[],
  fee: bigint,
  random: Random,
): TransactionV2 {
  const masks = made.map(({ mask }) => mask);
  const amounts = made.map(({ amount }) => amount);
  const { proof, commitments } = bulletproofPlusProve(amounts, masks, random);
  const rct: RctBase = {
    type: RctType.BulletproofPlus,
    fee,
    pseudoOuts: [],
    ecdhInfo: made.map(({ ecdh }) => ecdh),
    outPk: commitments,
  };
  const pseudo = pseudoMasks(inputs.length, masks, random);
  const pseudoOuts = inputs.map(({ input }, i) => commit(input.output.amount, pseudo[i]!));
  const unsignedTx: TransactionV2 = {
    ...prefix,
    rct,
    prunable: { rangeProofs: [], bulletproofs: [], bulletproofsPlus: [proof], mlsags: [], clsags: [], pseudoOuts },
  };
  const message = signatureMessage(unsignedTx);
  const clsags = inputs.map((keyed, i) => signInput(keyed, message, pseudoOuts[i]!, pseudo[i]!, random));
  wipe(...pseudo);
  return { ...unsignedTx, prunable: { ...unsignedTx.prunable!, clsags } };
}

function signInput(keyed: KeyedInput, message: Uint8Array, pseudoOut: Uint8Array, pseudoMask: Uint8Array, random: Random) {
  const { input, secret, keyImage } = keyed;
  const mask = hexToBytes(input.output.mask);
  const ring: readonly RingOutput[] = input.ring;
  const signed = clsagSign({ message, ring, index: input.real, secret, mask, pseudoOut, pseudoMask }, random);
  wipe(mask);
  if (!equalBytes(signed.keyImage, keyImage)) throw altered('the signature to carry the key image of its input');
  return signed.clsag;
}
