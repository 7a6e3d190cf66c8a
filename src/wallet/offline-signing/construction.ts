import { bytesToHex, equalBytes, hexToBytes } from '../../base/index.ts';
import { commit } from '../../crypto/index.ts';
import {
  addressId,
  type BlockHash,
  decodeAddress,
  eraOf,
  hasEncryptedPaymentId,
  isOneDigit,
  type KeyImage,
  MAX_OUTPUTS,
  type Network,
  type OutputKey,
  type PaidAddress,
  type PaidOutput,
  parseExtra,
  paymentIdNonce,
  paymentIdOf,
  sameAddress,
  serializeExtra,
  type TxHash,
  toAtomicAmount,
  totalOf,
} from '../../protocol/index.ts';
import { type TxConstruction, type TxDestination, type TxSource, USE_RCT, USE_VIEW_TAGS } from '../../wallet2/index.ts';
import type { UnsignedInput, UnsignedPaymentPart, UnsignedTransaction } from '../spend/index.ts';
import { OfflineSigningError } from './errors.ts';
import { keyImageOf, type OpenedOutput, type Opener, openOutput } from './open-output.ts';

/** The protocol version whose transactions the format of 0.18 describes. */
const MAJOR_VERSION = 16;
/** One padded range proof for all outputs. */
const PADDED_PROOF = 3;
/** Bulletproofs+ with CLSAG. */
const BULLETPROOF_PLUS = 4;
const MULTISIG_SIZE = 128;
const NO_KEY = new Uint8Array(32);
/** Mask of the commitment that a clear amount stands for. */
const CLEAR_MASK = Uint8Array.of(1, ...NO_KEY.subarray(1));
const NO_PAYMENT_ID = new Uint8Array(8);
const NO_HASH = '0'.repeat(64);

/** What the reference's description of a transaction needs besides the transaction. */
export interface ConstructionFacts extends UnsignedPaymentPart {
  readonly network: Network;
  readonly positions: ReadonlyMap<OutputKey, number>;
}

/** Form of a transaction in the reference's description. For version 1 it names the first kind of range proof, although there is none. */
const FORM = {
  ringCt: { flags: USE_RCT | USE_VIEW_TAGS, rctConfig: { rangeProofType: PADDED_PROOF, bpVersion: BULLETPROOF_PLUS } },
  clear: { flags: USE_VIEW_TAGS, rctConfig: { rangeProofType: 0, bpVersion: 0 } },
};

/** The reference's description of one of our transactions. `extra` is the signer's input, with the payment id in clear. */
export function constructionOf(facts: ConstructionFacts): TxConstruction {
  const { unsigned, positions } = facts;
  const isClear = unsigned.version === 1;
  const destinations = destinationsOf(facts);
  const change = changeOf(facts);
  const subaddresses = new Set(unsigned.inputs.map(({ output }) => output.subaddress.minor));
  return {
    sources: unsigned.inputs.map((input) => sourceOf(input, isClear)),
    change,
    splitDestinations: isClear ? unsigned.outputs.map(partOf) : withChange(unsigned, destinations, change),
    selectedTransfers: unsigned.inputs.map(({ output }) => positions.get(output.key)!),
    extra: clearExtra(unsigned),
    unlockTime: unsigned.unlockTime,
    ...(isClear ? FORM.clear : FORM.ringCt),
    destinations,
    account: accountOf(facts),
    subaddresses: [...subaddresses].sort((a, b) => a - b),
  };
}

const withChange = ({ outputs }: UnsignedTransaction, destinations: readonly TxDestination[], change: TxDestination) =>
  outputs.length > destinations.length ? [...destinations, change] : destinations;

/** One digit of a clear amount. */
function partOf({ address: { spendKey, viewKey, isSubaddress }, amount }: PaidOutput): TxDestination {
  return { original: '', amount, spendKey, viewKey, isSubaddress, isIntegrated: false };
}

function destinationsOf({ unsigned, destinations, network }: ConstructionFacts): TxDestination[] {
  return destinations.map(({ address, amount }, i) => {
    const { spendKey, viewKey, isSubaddress } = unsigned.outputs[i]!.address;
    const isIntegrated = decodeAddress(address, network).kind === 'integrated';
    return { original: address, amount, spendKey, viewKey, isSubaddress, isIntegrated };
  });
}

/** The account whose outputs are spent. A set spends from one account only. */
const accountOf = ({ unsigned }: UnsignedPaymentPart): number => unsigned.inputs[0]!.output.subaddress.major;

/** The last output if there are more than destinations: change, or the dummy. */
export function changeOf(part: UnsignedPaymentPart): TxDestination {
  const { unsigned, destinations } = part;
  const last = unsigned.outputs.length > destinations.length ? unsigned.outputs.at(-1) : undefined;
  const address = unsigned.changeAddress;
  if (last === undefined || address === undefined) {
    return { original: '', amount: 0n, spendKey: NO_KEY, viewKey: NO_KEY, isSubaddress: false, isIntegrated: false };
  }
  const { spendKey, viewKey } = address;
  return {
    original: '',
    amount: last.amount,
    spendKey,
    viewKey,
    isSubaddress: last.amount > 0n && accountOf(part) !== 0,
    isIntegrated: false,
  };
}

/** The source of an input. The reference leaves out masks in transactions of version 1. */
function sourceOf({ output, ring, real }: UnsignedInput, isClear: boolean): TxSource {
  return {
    outputs: ring.map(({ globalIndex, key, commitment }) => ({ globalIndex, key, commitment })),
    realOutput: BigInt(real),
    txPublicKey: hexToBytes(output.txPublicKey),
    additionalPublicKeys: [],
    outputIndex: BigInt(output.outputIndex),
    amount: output.amount,
    rct: output.rct,
    mask: isClear ? NO_KEY : hexToBytes(output.mask),
    multisig: new Uint8Array(MULTISIG_SIZE),
  };
}

function clearExtra({ outputs, changeAddress, paymentId }: UnsignedTransaction): Uint8Array {
  if (!hasEncryptedPaymentId(outputs, changeAddress, paymentId !== undefined)) return new Uint8Array();
  return serializeExtra([{ type: 'nonce', nonce: paymentIdNonce({ kind: 'encrypted', bytes: paymentId ?? NO_PAYMENT_ID }) }]);
}

function refused(
  code: 'unsupported-form' | 'contradictory-set' | 'empty-set',
  expected: string,
  transaction: number,
): OfflineSigningError {
  return new OfflineSigningError(code, `expected ${expected}`, { transaction });
}

/** Opens outputs and makes their key images, which no single signer of a group can do. */
export type ImageOpener = Opener & {
  readonly keyImageOf?: (output: OpenedOutput, position: number) => KeyImage;
};

/**
 * Reads what a set asks this wallet to sign and checks all of it: outputs are ours with the stated amounts, rings contain them, change
 * returns, and only the fee is missing.
 * @param index of the transaction in its set, for errors
 * @throws OfflineSigningError `view-only`, `not-ours`, `unsupported-form`, `contradictory-set`, `empty-set`, `locked-transaction`,
 *   `foreign-change`
 */
export function readConstruction(ctx: ImageOpener, construction: TxConstruction, index: number): UnsignedTransaction {
  requireForm(construction, index);
  const isClear = isClearForm(construction);
  const inputs = construction.sources.map((source) => readSource(ctx, isClear ? { ...source, mask: CLEAR_MASK } : source, index));
  const outputs = construction.splitDestinations.map(paidOutput);
  const fee = totalOf(construction.sources) - totalOf(outputs);
  if (fee < 0n) throw refused('contradictory-set', 'inputs that cover the outputs', index);
  const distinct = new Set(inputs.map(({ output }) => output.key));
  if (distinct.size !== inputs.length) throw refused('contradictory-set', 'every output to be spent once', index);
  requireOneKind(construction, index);
  requireOwnChange(ctx, construction, inputs, index);
  const { change, unlockTime, extra } = construction;
  const changeAddress = equalBytes(change.spendKey, NO_KEY) ? undefined : paidOutput(change).address;
  const paymentId = clearPaymentId(extra, index);
  if (paymentId !== undefined && outputs.some(({ address }) => address.isSubaddress && !isSame(address, changeAddress))) {
    throw refused('unsupported-form', 'no payment id beside a subaddress: no address says both', index);
  }
  const version = isClear ? 1 : undefined;
  return { majorVersion: MAJOR_VERSION, version, inputs, outputs, changeAddress, fee, unlockTime, paymentId };
}

/** Whether it is of version 1, for outputs that cannot be mixed. */
export const isClearForm = ({ flags }: TxConstruction): boolean => (flags & USE_RCT) === 0;

function requireForm(construction: TxConstruction, index: number): void {
  const { sources, flags, unlockTime } = construction;
  if (sources.length === 0) throw refused('empty-set', 'inputs in every transaction', index);
  // Nodes do not relay unlock times, and the reference does not sign them (`sign_tx`).
  if (unlockTime !== 0n) throw new OfflineSigningError('locked-transaction', 'expected no unlock time', { transaction: index });
  if ((flags & USE_VIEW_TAGS) === 0) throw refused('unsupported-form', 'outputs with view tags', index);
  if (isClearForm(construction)) requireClearForm(construction, index);
  else requireRingCtForm(construction, index);
}

function requireRingCtForm({ sources, splitDestinations, rctConfig }: TxConstruction, index: number): void {
  const outputs = splitDestinations.length;
  if (outputs < 2 || outputs > MAX_OUTPUTS) throw refused('unsupported-form', `2 … ${MAX_OUTPUTS} outputs`, index);
  const { min } = eraOf(MAJOR_VERSION).ringSize;
  if (sources.some((source) => source.outputs.length !== min)) {
    throw refused('unsupported-form', `rings of ${min}`, index);
  }
  const { rangeProofType, bpVersion } = rctConfig;
  const current = rangeProofType === PADDED_PROOF && (bpVersion === 0 || bpVersion === BULLETPROOF_PLUS);
  if (!current) throw refused('unsupported-form', 'RingCT with Bulletproofs+', index);
}

/** Version 1 is for outputs of clear amounts that cannot be mixed: none of them in a ring with others. */
function requireClearForm({ sources, splitDestinations }: TxConstruction, index: number): void {
  if (sources.some(({ rct, outputs }) => rct || outputs.length !== 1)) {
    throw refused('unsupported-form', 'clear amounts in rings of one where there is no RingCT', index);
  }
  if (splitDestinations.length === 0 || !splitDestinations.every(({ amount }) => isOneDigit(amount))) {
    throw refused('unsupported-form', 'amounts of one decimal digit where there is no RingCT', index);
  }
}

function paidOutput({ spendKey, viewKey, isSubaddress, amount }: TxDestination): PaidOutput {
  return { address: { spendKey, viewKey, isSubaddress }, amount };
}

function readSource(ctx: ImageOpener, source: TxSource, index: number): UnsignedInput {
  const real = Number(source.realOutput);
  const member = source.outputs[real]!;
  const opened = openOutput(ctx, { ...source, key: member.key }, index);
  if (!equalBytes(member.commitment, commit(source.amount, source.mask))) {
    throw refused('contradictory-set', 'amounts that the commitments of the outputs say', index);
  }
  const ascending = source.outputs.every(({ globalIndex }, i) => i === 0 || globalIndex > source.outputs[i - 1]!.globalIndex);
  if (!ascending) throw refused('contradictory-set', 'ring members in order, all different', index);
  const output = {
    key: opened.key as OutputKey,
    txHash: NO_HASH as TxHash,
    outputIndex: opened.outputIndex,
    globalIndex: member.globalIndex,
    height: 0,
    blockId: NO_HASH as BlockHash,
    timestamp: 0,
    amount: toAtomicAmount(source.amount),
    mask: bytesToHex(source.mask),
    rct: source.rct,
    coinbase: false,
    unlockTime: 0n,
    subaddress: opened.subaddress,
    txPublicKey: opened.txPublicKey,
    keyImage: ctx.keyImageOf?.(opened, index) ?? keyImageOf(ctx, opened, index),
    paymentId: undefined,
  };
  return { output, ring: source.outputs, real };
}

/**
 * Requires keys to stand for one kind of address: if a set claimed both, a payment would be shown under one and made so that its receiver,
 * who looks for the other, never finds it.
 */
function requireOneKind({ splitDestinations }: TxConstruction, index: number): void {
  const kinds = new Map<string, boolean>();
  for (const { isSubaddress, ...address } of splitDestinations) {
    const keys = addressId(address);
    if ((kinds.get(keys) ?? isSubaddress) !== isSubaddress)
      throw refused('contradictory-set', 'one kind of every address', index);
    kinds.set(keys, isSubaddress);
  }
}

/**
 * Requires change to be ours, or zero for the dummy beside a sweep: it is not shown to the person, and an output to the change address is
 * made with our view key, so nobody else would find it. It must return to the first address of the paying account: no wallet restored from
 * our seed would find it at an arbitrary address that a file names.
 */
function requireOwnChange(
  ctx: Opener,
  { change, splitDestinations }: TxConstruction,
  inputs: readonly UnsignedInput[],
  index: number,
): void {
  const returned = totalOf(splitDestinations.filter((paid) => sameAddress(paid, change)));
  if (returned < change.amount) throw refused('contradictory-set', 'change among the outputs', index);
  if (returned === 0n) return;
  const own = ctx.find(change.spendKey);
  const isOurs = own !== undefined && sameAddress(ctx.keys.addressKeys(own), change);
  const isBack = own?.minor === 0 && inputs.every(({ output }) => output.subaddress.major === own.major);
  if (!isOurs || (change.amount > 0n && !isBack))
    throw new OfflineSigningError('foreign-change', 'expected change to return to this wallet', { transaction: index });
}

const isSame = (a: PaidAddress, b: PaidAddress | undefined): boolean => b !== undefined && sameAddress(a, b);

/** The payment id that the signer must encrypt; the dummy counts as none. Keys in extra are made again. */
function clearPaymentId(extra: Uint8Array, index: number): Uint8Array | undefined {
  const { fields, remainder } = parseExtra(extra);
  const known = fields.every(({ type }) => type === 'pubKey' || type === 'additionalPubKeys' || type === 'nonce');
  const nonces = fields.filter(({ type }) => type === 'nonce').length;
  const id = paymentIdOf(fields);
  if (remainder.length > 0 || !known || nonces > 1 || (nonces === 1 && id?.kind !== 'encrypted')) {
    throw refused('unsupported-form', 'an extra field with keys and an encrypted payment id only', index);
  }
  return id === undefined || equalBytes(id.bytes, NO_PAYMENT_ID) ? undefined : id.bytes;
}
