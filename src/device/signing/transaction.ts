import { compareBytes, concatBytes, equalBytes, hexToBytes, varintBytes, wipe } from '../../base/index.ts';
import { type ClsagSignature, commit, commitmentMask, keccak256, scalarSub } from '../../crypto/index.ts';
import {
  eraOf,
  type KeysNeeded,
  type RctPrunable,
  RctType,
  rangeProofHash,
  relativeOffsets,
  serializePrefix,
  serializeTransaction,
  signatureMessage,
  type TransactionV2,
  type TxPrefix,
  transactionHash,
} from '../../protocol/index.ts';
import type { ShownRecipients, SignedTransaction, UnsignedInput, UnsignedTransaction } from '../../wallet/spend/unsigned.ts';
import { generateKeypair } from '../commands/secrets.ts';
import { blind, closeTx, genCommitmentMask, openTx, prefixHash, setRealMode, stealth } from '../commands/transaction.ts';
import { validateCommitments, validateFee, validateOutput } from '../commands/validate.ts';
import { DeviceError, expectOfDevice } from '../errors.ts';
import type { DeviceSession } from '../session.ts';
import { type OpenedOutput, openInputs } from './inputs.ts';
import { amountKeyOfChange, type DeviceOutputs, isChange, makeOutputs, type TxSecrets } from './outputs.ts';
import type { SigningRandomness } from './randomness.ts';
import { type HashedRounds, signRing } from './ring-signature.ts';
import { showRecipientsOnDevice } from './show-recipients.ts';

/** A device that is open, and how it is to sign. */
export interface DeviceSigning {
  readonly session: DeviceSession;
  /** Secret view key, 32 bytes. */
  readonly viewKey: Uint8Array;
  readonly randomness: SigningRandomness;
  readonly rounds: HashedRounds;
  /** Called before each of these: the device shows something from `showing` on. */
  readonly step: (step: SigningStep) => void;
}

/**
 * Steps of the device, in this order: keys and inputs, the owner's confirmation of fee and outputs, ring signatures, the proofs of
 * recipients.
 */
export type SigningStep = 'preparing' | 'showing' | 'signing' | 'proving';

/**
 * Has the device make and sign one transaction: one pass, in the order of commands that the app requires (cryptonote_tx_utils.cpp and the
 * app agree on it). If it ends early, the transaction is closed on the device if that is still possible.
 * @throws DeviceError
 */
export async function signOnDevice(signing: DeviceSigning, unsigned: UnsignedTransaction): Promise<SignedTransaction> {
  if (unsigned.version === 1) throw new DeviceError('not-possible', 'expected a transaction with RingCT');
  const { session } = signing;
  try {
    const { signed, show } = await makeOnDevice(signing, unsigned);
    signing.step('proving');
    return { ...signed, shown: await show() };
  } catch (error) {
    session.stop = undefined;
    if (!session.ended && session.inTransaction) await closeTx(session).catch(() => {});
    throw error;
  }
}

/** A signed transaction, with the proofs of its recipients: only the device knows its keys. */
interface MadeOnDevice {
  readonly signed: SignedTransaction;
  readonly show: () => Promise<ShownRecipients>;
}

/** The pass itself: everything between opening a transaction on the device and closing it. */
export async function makeOnDevice(signing: DeviceSigning, unsigned: UnsignedTransaction): Promise<MadeOnDevice> {
  const { session, randomness: choices, step } = signing;
  const outputOrder = choices.outputOrder(unsigned.outputs.length);
  const paid = outputOrder.map((i) => unsigned.outputs[i]!);
  const needed = keysNeeded(unsigned, paid);
  step('preparing');
  await setRealMode(session);
  const { secrets, inputs, inputOrder, outputs } = await openOnDevice(signing, unsigned, paid, needed);
  const prefix = prefixOf(unsigned, inputOrder, outputs);
  const hidden = await hideAmounts(signing, unsigned, outputs, await hashPrefix(session, prefix));
  step('showing');
  const ordered = inputOrder.map((i) => unsigned.inputs[i]!);
  const pseudo = choices.pseudoMasks(ordered, hidden.masks);
  const unsignedTx = bodyOf(prefix, unsigned, hidden, ordered, pseudo);
  const message = await approve(session, unsigned, outputs, hidden, unsignedTx);
  step('signing');
  const toSign = ordered.map((input, i) => {
    return { input, opened: inputs[inputOrder[i]!]!, mask: pseudo[i]!, pseudoOut: unsignedTx.prunable.pseudoOuts[i]! };
  });
  const clsags = await signInputs(signing, toSign, message);
  wipe(...pseudo, ...hidden.masks);
  await closeTx(session);
  const transaction = { ...unsignedTx, prunable: { ...unsignedTx.prunable, clsags } };
  const hash = transactionHash(transaction);
  const keys = { secrets, publicKey: outputs.publicKey, additional: outputs.keys.flatMap((key) => key.additional ?? []) };
  const txKeys = [secrets.main, ...secrets.additional];
  return {
    signed: { transaction, bytes: serializeTransaction(transaction), hash, txKeys, outputOrder, inputOrder },
    show: () => showRecipientsOnDevice(session, unsigned, paid, needed, keys, hash),
  };
}

interface OpenedOnDevice {
  readonly secrets: TxSecrets;
  /** As they were given. */
  readonly inputs: readonly OpenedOutput[];
  /** Their positions in the transaction: the largest key image first. */
  readonly inputOrder: readonly number[];
  readonly outputs: DeviceOutputs;
}

/** Opens the transaction on the device, which draws its keys, opens its inputs and makes its outputs. */
async function openOnDevice(
  { session, viewKey, randomness: choices }: DeviceSigning,
  unsigned: UnsignedTransaction,
  paid: UnsignedTransaction['outputs'],
  needed: KeysNeeded,
): Promise<OpenedOnDevice> {
  const opened = await openTx(session);
  const additional = await additionalKeys(session, needed.needsAdditionalKeys ? paid.length : 0);
  const secrets = { main: opened.secret, additional };
  const plainId = unsigned.paymentId ?? new Uint8Array(8);
  const paymentId = needed.paymentIdViewKey && (await stealth(session, needed.paymentIdViewKey, secrets.main, plainId));
  const inputs = await openInputs(session, unsigned.inputs, choices.candidates);
  const inputOrder = inputs.map((_, i) => i).sort((a, b) => compareBytes(inputs[b]!.keyImage, inputs[a]!.keyImage));
  const outputs = await makeOutputs(session, unsigned, viewKey, { paid, needed, r: opened.publicKey, secrets, paymentId });
  return { secrets, inputs, inputOrder, outputs };
}

/** @throws DeviceError `not-possible` for a payment id that is meant for nobody in particular */
function keysNeeded(
  { majorVersion, changeAddress, paymentId }: UnsignedTransaction,
  paid: UnsignedTransaction['outputs'],
): KeysNeeded {
  const needed = eraOf(majorVersion).outputs.keysNeeded(paid, changeAddress, paymentId !== undefined);
  if (paymentId !== undefined && needed.paymentIdViewKey === undefined)
    throw new DeviceError('not-possible', 'expected one destination beside an integrated address');
  return needed;
}

async function additionalKeys(session: DeviceSession, count: number): Promise<TxSecrets['additional']> {
  const secrets: Uint8Array[] = [];
  for (let i = 0; i < count; i++) secrets.push((await generateKeypair(session)).secret);
  return secrets;
}

function prefixOf(unsigned: UnsignedTransaction, inputOrder: readonly number[], outputs: DeviceOutputs): TxPrefix {
  const inputs = inputOrder.map((i) => {
    const { output, ring } = unsigned.inputs[i]!;
    const keyOffsets = relativeOffsets(ring.map(({ globalIndex }) => globalIndex));
    return { type: 'key', amount: output.rct ? 0n : output.amount, keyOffsets, keyImage: hexToBytes(output.keyImage) } as const;
  });
  const made = outputs.keys.map(({ key, viewTag }) => ({ amount: 0n, key, viewTag }));
  return { version: 2, unlockTime: unsigned.unlockTime, inputs, outputs: made, extra: outputs.extra };
}

/** @returns the hash of the prefix, 32 bytes */
async function hashPrefix(session: DeviceSession, prefix: TxPrefix): Promise<Uint8Array> {
  const bytes = serializePrefix(prefix);
  const head = concatBytes(varintBytes(prefix.version), varintBytes(prefix.unlockTime));
  const hash = await prefixHash(session, head, bytes.subarray(head.length));
  expectOfDevice(equalBytes(hash, keccak256(bytes)), 'the hash of the prefix');
  return hash;
}

interface HiddenAmounts {
  readonly prefixHash: Uint8Array;
  /** Secret. */
  readonly masks: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proof: RctPrunable['bulletproofsPlus'][number];
  /** 8 bytes an output. */
  readonly amounts: readonly Uint8Array[];
}

/** Masks by the device, the range proof by us, amounts hidden by the device. Those of change are checked at once. */
async function hideAmounts(
  { session, viewKey, randomness: choices }: DeviceSigning,
  unsigned: UnsignedTransaction,
  { paid, keys, publicKey }: DeviceOutputs,
  prefix: Uint8Array,
): Promise<HiddenAmounts> {
  const masks: Uint8Array[] = [];
  for (const { amountKey } of keys) masks.push(await genCommitmentMask(session, amountKey));
  for (const [i, output] of paid.entries()) {
    if (!isChange(unsigned, output)) continue;
    const key = amountKeyOfChange(publicKey, viewKey, i);
    expectOfDevice(equalBytes(masks[i]!, commitmentMask(key)), 'the mask of change');
    wipe(key);
  }
  const { proof, commitments } = choices.rangeProof(
    paid.map(({ amount }) => amount),
    masks,
  );
  const amounts: Uint8Array[] = [];
  for (const [i, { amountKey }] of keys.entries()) amounts.push(await blind(session, amountKey, masks[i]!, paid[i]!.amount));
  return { prefixHash: prefix, masks, commitments, proof, amounts };
}

function bodyOf(
  prefix: TxPrefix,
  { fee }: UnsignedTransaction,
  { commitments, proof, amounts }: HiddenAmounts,
  ordered: UnsignedTransaction['inputs'],
  pseudo: readonly Uint8Array[],
): TransactionV2 & { readonly prunable: RctPrunable } {
  const pseudoOuts = ordered.map(({ output }, i) => commit(output.amount, pseudo[i]!));
  const ecdhInfo = amounts.map((amount) => ({ mask: undefined, amount }));
  const none = { rangeProofs: [], bulletproofs: [], mlsags: [], clsags: [] };
  return {
    ...prefix,
    version: 2,
    rct: { type: RctType.BulletproofPlus, fee, pseudoOuts: [], ecdhInfo, outPk: commitments },
    prunable: { ...none, bulletproofsPlus: [proof], pseudoOuts },
  };
}

interface InputToSign {
  readonly input: UnsignedInput;
  readonly opened: OpenedOutput;
  /** Of the pseudo output: secret, 32 bytes. */
  readonly mask: Uint8Array;
  readonly pseudoOut: Uint8Array;
}

/** @param message 32 bytes */
async function signInputs(
  { session, randomness: choices, rounds }: DeviceSigning,
  inputs: readonly InputToSign[],
  message: Uint8Array,
): Promise<readonly ClsagSignature[]> {
  const signatures: ClsagSignature[] = [];
  for (const { input, opened, mask, pseudoOut } of inputs) {
    const own = hexToBytes(input.output.mask);
    const z = scalarSub(own, mask);
    const ring = { ...opened, input, message, pseudoOut, z, responses: choices.responses(input) };
    signatures.push(await signRing(session, ring, rounds));
    wipe(z, own);
  }
  return signatures;
}

/** The device shows fee and outputs, its owner confirms each, and it closes what is signed. @returns the message, 32 bytes */
async function approve(
  session: DeviceSession,
  unsigned: UnsignedTransaction,
  { paid, keys }: DeviceOutputs,
  { prefixHash, commitments, amounts }: HiddenAmounts,
  tx: TransactionV2,
): Promise<Uint8Array> {
  await validateFee(session, tx.rct.type, unsigned.fee);
  for (const [i, output] of paid.entries()) {
    const { amountKey } = keys[i]!;
    const change = { address: output.address, isChange: isChange(unsigned, output) };
    const shown = { ...change, amountKey, commitment: commitments[i]!, amount: amounts[i]! };
    await validateOutput(session, shown, i + 1, i === paid.length - 1);
  }
  const message = await validateCommitments(session, commitments, { prefix: prefixHash, rangeProof: rangeProofHash(tx) });
  expectOfDevice(equalBytes(message, signatureMessage(tx)), 'the message that is signed');
  return message;
}
