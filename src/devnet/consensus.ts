import { bytesToHex, equalBytes } from '../base/index.ts';
import {
  bulletproofPlusVerify,
  checkRingSignature,
  clsagVerify,
  H,
  isInMainSubgroup,
  isPoint,
  pointAdd,
  type RingMember,
  scalarFromBigint,
  scalarMulPointVartime,
  systemRandom,
} from '../crypto/index.ts';
import {
  absoluteOffsets,
  acceptsFee,
  isOneDigit,
  type KeyInput,
  MAX_OUTPUTS,
  maxTransactionWeight,
  neededFee,
  SPENDABLE_AGE,
  signatureMessage,
  type TransactionV1,
  type TransactionV2,
  transactionPrefixHash,
} from '../protocol/index.ts';
import { type Chain, commitmentOf, isUnlockTimePast } from './chain.ts';
import { RejectedError } from './errors.ts';
import type { ParsedTransaction } from './parsed.ts';
import { BLOCK_VERSION, ERA, MIN_OUTPUTS, RING_SIZE, SANITY_CHECK_FROM_OUTPUTS } from './rules.ts';

/** A transaction that is no coinbase. Version 16 has RingCT alone, but for what cannot be mixed. */
interface Spend extends ParsedTransaction {
  readonly inputs: readonly KeyInput[];
}
interface RingCtSpend extends Spend {
  readonly tx: TransactionV2;
}
interface ClearSpend extends Spend {
  readonly tx: TransactionV1;
}

const isClear = (spend: Spend): spend is ClearSpend => spend.tx.version === 1;

/**
 * What a transaction must be by itself, whatever the chain holds (cryptonote_core.cpp check_tx_semantic and
 * rctSigs.cpp verRctSemanticsSimple): inputs and outputs of the right kinds, distinct key images in the prime-order
 * group, sums that balance, a range proof that holds.
 * @throws RejectedError
 */
export function checkSemantics(parsed: ParsedTransaction): void {
  const spend = asSpend(parsed);
  const { inputs } = spend;
  const images = inputs.map((input) => bytesToHex(input.keyImage));
  if (new Set(images).size !== images.length) throw new RejectedError('duplicate-key-image', 'expected distinct key images');
  for (const input of inputs) {
    if (input.keyOffsets.length === 0) throw new RejectedError('malformed', 'expected ring members');
    if (input.keyOffsets.slice(1).includes(0n))
      throw new RejectedError('duplicate-ring-member', 'expected distinct ring members');
    if (!isInMainSubgroup(input.keyImage))
      throw new RejectedError('key-image-domain', 'expected key images in the prime-order group');
  }
  if (!ERA.allowsOutputs(spend.tx.outputs)) throw new RejectedError('bad-output', 'expected a view tag on every output');
  for (const output of spend.tx.outputs) {
    if (!isPoint(output.key)) throw new RejectedError('bad-output', 'expected output keys that are points');
  }
  if (isClear(spend)) checkClearAmounts(spend);
  else checkProofs(spend as RingCtSpend);
}

function asSpend(parsed: ParsedTransaction): Spend {
  const { tx } = parsed;
  if (tx.inputs.length === 0) throw new RejectedError('no-inputs', 'expected at least one input');
  const inputs: KeyInput[] = [];
  for (const input of tx.inputs) {
    if (input.type !== 'key') throw new RejectedError('malformed', 'expected inputs that spend outputs');
    inputs.push(input);
  }
  return { ...parsed, inputs };
}

/** Clear amounts: none of nothing, no sum past 2^64, and something left for the fee (cryptonote_core.cpp check_tx_semantic). */
function checkClearAmounts({ tx, inputs }: ClearSpend): void {
  if (tx.outputs.some(({ amount }) => amount === 0n))
    throw new RejectedError('invalid-output', 'expected outputs worth something');
  const [came, went] = [sum(inputs), sum(tx.outputs)];
  if (came > MAX_U64 || went > MAX_U64) throw new RejectedError('overspend', 'expected sums of at most 2^64-1');
  if (went >= came) throw new RejectedError('overspend', 'expected inputs worth more than the outputs');
}

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const sum = (parts: readonly { readonly amount: bigint }[]): bigint => parts.reduce((total, { amount }) => total + amount, 0n);

function checkProofs({ tx, inputs }: RingCtSpend): void {
  const { rct, prunable } = tx;
  if (!ERA.rctTypes.includes(rct.type) || prunable === undefined) {
    throw new RejectedError('wrong-proof-type', `expected RingCT of type ${ERA.rctTypes}, whole`);
  }
  const { bulletproofsPlus, clsags, pseudoOuts } = prunable;
  const proof = bulletproofsPlus[0];
  if (proof === undefined || bulletproofsPlus.length !== 1)
    throw new RejectedError('bad-range-proof', 'expected one range proof');
  if (rct.outPk.length !== tx.outputs.length || rct.outPk.length > MAX_OUTPUTS) {
    throw new RejectedError('bad-range-proof', `expected a commitment for each of at most ${MAX_OUTPUTS} outputs`);
  }
  if (clsags.length !== inputs.length || pseudoOuts.length !== inputs.length) {
    throw new RejectedError('malformed', 'expected a signature and a pseudo output for each input');
  }
  if (!isBalanced(pseudoOuts, rct.outPk, rct.fee))
    throw new RejectedError('unbalanced', 'expected inputs worth outputs and fee together');
  if (!bulletproofPlusVerify([{ proof, commitments: rct.outPk }], systemRandom)) {
    throw new RejectedError('bad-range-proof', 'expected a range proof that holds');
  }
}

function isBalanced(pseudoOuts: readonly Uint8Array[], outPk: readonly Uint8Array[], fee: bigint): boolean {
  if (![...pseudoOuts, ...outPk].every(isPoint)) return false;
  const inputs = pseudoOuts.reduce(pointAdd);
  const outputs = outPk.reduce(pointAdd, scalarMulPointVartime(scalarFromBigint(fee), H as Uint8Array));
  return equalBytes(inputs, outputs);
}

/**
 * What the pool asks beyond the block rules: that the fee pays for the weight, and that extra field and weight are bearable. A payment with
 * an unlock time passes, unlike in release 0.18.5: whoever writes a wallet will meet those of old.
 */
export function checkPoolPolicy(chain: Chain, parsed: ParsedTransaction): void {
  const needed = neededFee(parsed.weight, chain.baseReward, Math.min(chain.weightMedian, chain.longTermMedian), BLOCK_VERSION);
  if (!acceptsFee(parsed.fee, needed))
    throw new RejectedError('fee-too-low', `expected a fee of at least ${needed} atomic units`);
  if (parsed.tx.extra.length > ERA.maxExtra)
    throw new RejectedError('extra-too-big', `expected an extra field of at most ${ERA.maxExtra} bytes`);
  checkWeight(parsed);
}

export function checkWeight(parsed: ParsedTransaction): void {
  const limit = maxTransactionWeight(BLOCK_VERSION);
  if (parsed.weight > limit) throw new RejectedError('too-big', `expected a weight of at most ${limit}`);
}

/**
 * What a transaction must be on this chain (blockchain.cpp check_tx_outputs and check_tx_inputs): ring sizes, order of inputs,
 * key images unspent, ring members there, old enough and unlocked, signatures that hold.
 * @returns the height of the newest ring member
 * @throws RejectedError
 */
export function checkAgainstChain(chain: Chain, parsed: ParsedTransaction): number {
  const spend = asSpend(parsed);
  const { inputs } = spend;
  checkOutputs(spend);
  checkRingSizes(chain, spend);
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
  if (isClear(spend)) checkRingSignatures(spend, members);
  else checkSignatures(spend as RingCtSpend, members);
  return newest;
}

function checkOutputs(spend: Spend): void {
  const { outputs } = spend.tx;
  if (isClear(spend)) {
    if (!outputs.every(({ amount }) => isOneDigit(amount)))
      throw new RejectedError('invalid-output', 'expected outputs of one decimal digit each');
    return;
  }
  if (outputs.some((output) => output.amount !== 0n))
    throw new RejectedError('invalid-output', 'expected outputs with hidden amounts');
  if (outputs.length < MIN_OUTPUTS) throw new RejectedError('too-few-outputs', `expected at least ${MIN_OUTPUTS} outputs`);
}

/**
 * Rings are of one size, that of the protocol. Smaller ones, and version 1, are for a transaction with an input of which the chain has too
 * few to mix with; it may have one other.
 */
function checkRingSizes(chain: Chain, { tx, inputs }: Spend): void {
  const sizes = new Set(inputs.map(({ keyOffsets }) => keyOffsets.length));
  const unmixable = inputs.filter(({ amount }) => amount !== 0n && chain.outputCount(amount) < RING_SIZE).length;
  const [size] = sizes;
  if (sizes.size !== 1 || size! > RING_SIZE) throw new RejectedError('low-mixin', `expected rings of ${RING_SIZE}`);
  if (size! < RING_SIZE && (unmixable === 0 || inputs.length - unmixable > 1))
    throw new RejectedError('low-mixin', `expected rings of ${RING_SIZE} where outputs can be mixed`);
  if (tx.version === 1 && unmixable === 0)
    throw new RejectedError('wrong-version', 'expected a transaction of version 2 where outputs can be mixed');
}

/** Inputs go from the largest key image to the smallest. */
function checkInputOrder(inputs: readonly KeyInput[]): void {
  for (let i = 1; i < inputs.length; i++) {
    if (Buffer.compare(inputs[i]!.keyImage, inputs[i - 1]!.keyImage) >= 0) {
      throw new RejectedError('invalid-input', 'expected inputs by falling key image');
    }
  }
}

function collectRing(chain: Chain, input: KeyInput): { members: RingMember[]; newest: number } {
  let newest = 0;
  const members = absoluteOffsets(input.keyOffsets).map((index) => {
    const output = chain.output(input.amount, index);
    if (output === undefined) throw new RejectedError('invalid-input', `expected ring members that exist, ${index} does not`);
    if (!isUnlockTimePast(chain, output.unlockTime))
      throw new RejectedError('invalid-input', `expected unlocked ring members, ${index} is locked`);
    newest = Math.max(newest, output.height);
    return { key: output.key, commitment: commitmentOf(output) };
  });
  return { members, newest };
}

/** The ring signatures of version 1, over the hash of the prefix (blockchain.cpp check_ring_signature). */
function checkRingSignatures(
  { tx: { signatures, ...prefix }, inputs }: ClearSpend,
  rings: readonly (readonly RingMember[])[],
): void {
  const hash = transactionPrefixHash(prefix);
  const holds = inputs.every(({ keyImage }, i) => {
    const ring = rings[i]!.map(({ key }) => key);
    const signed = signatures?.[i];
    return signed !== undefined && checkRingSignature(hash, keyImage, ring, signed);
  });
  if (!holds || signatures?.length !== inputs.length)
    throw new RejectedError('invalid-input', 'expected ring signatures that hold');
}

function checkSignatures({ tx, inputs }: RingCtSpend, rings: readonly (readonly RingMember[])[]): void {
  const { prunable } = tx;
  if (prunable === undefined) throw new RejectedError('malformed', 'expected a whole transaction');
  const claims = inputs.map(({ keyImage }, i) => {
    const clsag = prunable.clsags[i];
    const pseudoOut = prunable.pseudoOuts[i];
    if (clsag === undefined || pseudoOut === undefined)
      throw new RejectedError('malformed', 'expected a signature for each input');
    return { clsag, ring: rings[i]!, keyImage, pseudoOut };
  });
  if (!clsagVerify(signatureMessage(tx), claims)) throw new RejectedError('invalid-input', 'expected ring signatures that hold');
}

/**
 * Whether the ring members look like an honest choice. Nodes ask it of transactions handed in by their owner, once the chain
 * has 10,000 RingCT outputs (tx_sanity_check.cpp).
 */
export function checkSanity(chain: Chain, parsed: ParsedTransaction): void {
  const available = matureOutputs(chain);
  const indices: bigint[] = [];
  for (const input of parsed.tx.inputs) {
    if (input.type === 'gen') throw new RejectedError('sanity-check', 'expected a transaction that is not a coinbase one');
    else if (input.amount === 0n) indices.push(...absoluteOffsets(input.keyOffsets));
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
