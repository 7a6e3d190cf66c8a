import { bytesToHex, U64_MAX } from '../base/index.ts';
import { isInMainSubgroup, isPoint, type RingMember, systemRandom } from '../crypto/index.ts';
import {
  acceptsFee,
  type KeyInput,
  keyInputs,
  neededFee,
  type ProofFlaw,
  type ProofSystem,
  proofsOf,
  type RctPrunable,
  SPENDABLE_AGE,
  type Transaction,
  totalOf,
} from '../protocol/index.ts';
import { type Chain, commitmentOf, isUnlockTimePast } from './chain.ts';
import { RejectedError } from './errors.ts';
import type { ParsedTransaction } from './parsed.ts';
import { ERA, MIN_OUTPUTS, RING_SIZE, SANITY_CHECK_FROM_OUTPUTS } from './rules.ts';

/**
 * Checks a transaction on its own, without the chain, in the reference's order, which decides the error of a transaction with several
 * faults (tx_verification_utils.cpp ver_non_input_consensus): weight, kinds of inputs and outputs, distinct key images in the prime-order
 * group, balanced sums, a valid range proof.
 * @throws RejectedError
 */
export function checkSemantics(parsed: ParsedTransaction): void {
  checkWeight(parsed);
  const { tx } = parsed;
  const inputs = spendingInputs(tx);
  checkOutputKeys(tx);
  checkSums(tx);
  checkKeyImages(inputs);
  if (!ERA.allowsOutputs(tx.outputs)) throw new RejectedError('bad-output', 'expected a view tag on every output');
  const proofs = proofsFor(tx);
  if (!proofs.allowsAmounts(tx.outputs))
    throw new RejectedError('invalid-output', 'expected hidden amounts, or clear ones of one decimal digit each');
  refuse(proofs.amountsFlaw(tx, systemRandom));
}

/**
 * Checks what the reference detects while parsing: it then computes with commitments, and cannot hash RingCT without inputs.
 * @throws RejectedError `no-inputs`, `bad-commitment`
 */
export function checkParsing({ tx }: ParsedTransaction): void {
  if (tx.version === 1) return;
  if (tx.inputs.length === 0) throw new RejectedError('no-inputs', 'expected at least one input');
  if (tx.prunable !== undefined && hasAggregateProof(tx.prunable) && !tx.rct.outPk.every(isPoint))
    throw new RejectedError('bad-commitment', 'expected commitments that are points');
}

const hasAggregateProof = ({ bulletproofs, bulletproofsPlus }: RctPrunable): boolean =>
  bulletproofs.length + bulletproofsPlus.length > 0;

function refuse(flaw: ProofFlaw | undefined): void {
  if (flaw !== undefined) throw new RejectedError(flaw.flaw, `expected ${flaw.expected}`);
}

function spendingInputs({ inputs }: Transaction): KeyInput[] {
  if (inputs.length === 0) throw new RejectedError('no-inputs', 'expected at least one input');
  return inputs.map((input) => {
    if (input.type !== 'key') throw new RejectedError('wrong-input', 'expected inputs that spend outputs');
    return input;
  });
}

function checkOutputKeys(tx: Transaction): void {
  for (const { key, amount } of tx.outputs) {
    if (tx.version === 1 && amount === 0n) throw new RejectedError('invalid-output', 'expected outputs worth something');
    if (!isPoint(key)) throw new RejectedError('bad-output', 'expected output keys that are points');
  }
  if (tx.version === 2 && tx.rct.outPk.length !== tx.outputs.length)
    throw new RejectedError('bad-output', 'expected a commitment for every output');
}

/** Checks clear amounts: none past 2^64, and in version 1 something left for the fee. */
function checkSums(tx: Transaction): void {
  const [came, went] = [totalOf(keyInputs(tx)), totalOf(tx.outputs)];
  if (came > U64_MAX || went > U64_MAX) throw new RejectedError('overspend', 'expected sums of at most 2^64-1');
  if (tx.version === 1 && came <= went) throw new RejectedError('overspend', 'expected inputs worth more than the outputs');
}

function checkKeyImages(inputs: readonly KeyInput[]): void {
  const images = inputs.map((input) => bytesToHex(input.keyImage));
  if (new Set(images).size !== images.length) throw new RejectedError('duplicate-key-image', 'expected distinct key images');
  if (inputs.some(({ keyOffsets }) => keyOffsets.slice(1).includes(0n)))
    throw new RejectedError('duplicate-ring-member', 'expected distinct ring members');
  for (const { keyImage } of inputs) {
    const isNeutral = keyImage[0] === 1 && keyImage.subarray(1).every((byte) => byte === 0);
    if (!isPoint(keyImage)) throw new RejectedError('malformed', 'expected key images that are points');
    if (isNeutral || !isInMainSubgroup(keyImage))
      throw new RejectedError('key-image-domain', 'expected key images in the prime-order group');
  }
}

function proofsFor(tx: Transaction): ProofSystem {
  const proofs = proofsOf(ERA, tx);
  if (proofs === undefined) throw new RejectedError('wrong-proof-type', `expected RingCT of type ${ERA.rctTypes}, whole`);
  return proofs;
}

/**
 * Checks the pool's rules beyond those of blocks: the fee pays for the weight, the extra field is not too long, and since release 0.18.5
 * there is no unlock time.
 */
export function checkPoolPolicy(chain: Chain, parsed: ParsedTransaction, allowUnlockTimes: boolean): void {
  const needed = neededFee(parsed.weight, chain.baseReward, Math.min(chain.weightMedian, chain.longTermMedian), ERA);
  if (!acceptsFee(parsed.fee, needed))
    throw new RejectedError('fee-too-low', `expected a fee of at least ${needed} atomic units`);
  if (parsed.tx.extra.length > ERA.maxExtra)
    throw new RejectedError('extra-too-big', `expected an extra field of at most ${ERA.maxExtra} bytes`);
  if (!allowUnlockTimes && parsed.tx.unlockTime !== 0n)
    throw new RejectedError('unlock-time', 'expected no unlock time, which nodes have not passed on since release 0.18.5');
}

/**
 * Half the weight of a block without penalty, less what is reserved for its coinbase (`get_transaction_weight_limit`, tx_pool.cpp).
 * @throws RejectedError `too-big`
 */
export function checkWeight(parsed: ParsedTransaction): void {
  if (parsed.weight > ERA.maxWeight) throw new RejectedError('too-big', `expected a weight of at most ${ERA.maxWeight}`);
}

/**
 * Checks a transaction against this chain (blockchain.cpp check_tx_outputs and check_tx_inputs): ring sizes, order of inputs, unspent key
 * images, existing, old enough and unlocked ring members, valid signatures.
 * @returns the height of the newest ring member
 * @throws RejectedError
 */
export function checkAgainstChain(chain: Chain, parsed: ParsedTransaction): number {
  const { tx } = parsed;
  const inputs = spendingInputs(tx);
  const proofs = proofsFor(tx);
  if (tx.version === 2 && tx.outputs.length < MIN_OUTPUTS)
    throw new RejectedError('too-few-outputs', `expected at least ${MIN_OUTPUTS} outputs`);
  checkRingSizes(chain, tx, inputs);
  checkInputOrder(inputs);
  const rings = inputs.map((input) => {
    if (chain.isSpent(bytesToHex(input.keyImage)))
      throw new RejectedError('double-spend', 'expected key images that are not spent');
    return collectRing(chain, input);
  });
  const newest = Math.max(...rings.map((ring) => ring.newest));
  if (newest + SPENDABLE_AGE > chain.height) {
    throw new RejectedError('invalid-input', `expected ring members at least ${SPENDABLE_AGE} blocks old`);
  }
  const members = rings.map((ring) => ring.members);
  refuse(proofs.spendsFlaw(tx, members));
  return newest;
}

/**
 * Rings have the protocol's size. Smaller ones, and version 1, are for a transaction with an input of which the chain has too few to mix
 * with; it may have one other.
 */
function checkRingSizes(chain: Chain, tx: Transaction, inputs: readonly KeyInput[]): void {
  const sizes = new Set(inputs.map(({ keyOffsets }) => keyOffsets.length));
  const unmixable = inputs.filter(({ amount }) => amount !== 0n && chain.outputCount(amount) < RING_SIZE).length;
  const [size] = sizes;
  if (sizes.size !== 1 || size === 0 || size! > RING_SIZE) throw new RejectedError('low-mixin', `expected rings of ${RING_SIZE}`);
  if (size! < RING_SIZE && (unmixable === 0 || inputs.length - unmixable > 1))
    throw new RejectedError('low-mixin', `expected rings of ${RING_SIZE} where outputs can be mixed`);
  if (tx.version === 1 && unmixable === 0)
    throw new RejectedError('wrong-version', 'expected a transaction of version 2 where outputs can be mixed');
}

/** Inputs are sorted by descending key image. */
function checkInputOrder(inputs: readonly KeyInput[]): void {
  for (let i = 1; i < inputs.length; i++) {
    if (Buffer.compare(inputs[i]!.keyImage, inputs[i - 1]!.keyImage) >= 0) {
      throw new RejectedError('invalid-input', 'expected inputs by falling key image');
    }
  }
}

/** Indices of ring members. Offsets add up modulo 2^64, as in the reference. */
function ringIndices({ keyOffsets }: KeyInput): bigint[] {
  let index = 0n;
  return keyOffsets.map((offset) => {
    index = BigInt.asUintN(64, index + offset);
    return index;
  });
}

function collectRing(chain: Chain, input: KeyInput): { members: RingMember[]; newest: number } {
  let newest = 0;
  const members = ringIndices(input).map((index) => {
    const output = chain.output(input.amount, index);
    if (output === undefined) throw new RejectedError('invalid-input', `expected ring members that exist, ${index} does not`);
    if (!isUnlockTimePast(chain, output.unlockTime))
      throw new RejectedError('invalid-input', `expected unlocked ring members, ${index} is locked`);
    newest = Math.max(newest, output.height);
    return { key: output.key, commitment: commitmentOf(output) };
  });
  return { members, newest };
}

/** Height of the newest ring member of the inputs before the first that is spent or has missing or locked members; 0 for none. */
export function newestMember(chain: Chain, { tx }: ParsedTransaction): number {
  let newest = 0;
  try {
    for (const input of keyInputs(tx)) {
      if (chain.isSpent(bytesToHex(input.keyImage))) break;
      newest = Math.max(newest, collectRing(chain, input).newest);
    }
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
  }
  return newest;
}

/**
 * Whether the ring members look like an honest choice. Nodes check transactions submitted by their owner this way, once the chain has
 * 10,000 RingCT outputs (tx_sanity_check.cpp).
 */
export function checkSanity(chain: Chain, parsed: ParsedTransaction): void {
  const available = matureOutputs(chain);
  const indices: bigint[] = [];
  for (const input of parsed.tx.inputs) {
    if (input.type === 'gen') throw new RejectedError('sanity-check', 'expected a transaction that is not a coinbase one');
    else if (input.amount === 0n) indices.push(...ringIndices(input));
  }
  if (indices.length <= 10 || available < SANITY_CHECK_FROM_OUTPUTS) return;
  const unique = [...new Set(indices)].sort((a, b) => (a < b ? -1 : 1));
  if (unique.length < Math.floor((indices.length * 8) / 10))
    throw new RejectedError('sanity-check', 'expected ring members that differ');
  const middle = unique.length >> 1;
  const medianIndex = unique.length % 2 === 1 ? unique[middle]! : (unique[middle - 1]! + unique[middle]!) / 2n;
  if (medianIndex < BigInt(Math.floor((available * 6) / 10)))
    throw new RejectedError('sanity-check', 'expected more recent ring members');
}

/** RingCT outputs that are old enough to be ring members. */
function matureOutputs(chain: Chain): number {
  const block = chain.blockAt(chain.height - SPENDABLE_AGE);
  return block === undefined ? 0 : block.rctOutputs;
}
