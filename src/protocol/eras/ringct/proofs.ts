import { equalBytes, U64_MAX, wipe } from '../../../base/index.ts';
import {
  bulletproofPlusProve,
  bulletproofPlusVerify,
  checkRingSignature,
  clsagSign,
  clsagVerify,
  commit,
  generateRingSignature,
  isInMainSubgroup,
  isPoint,
  MAX_OUTPUTS,
  pointAdd,
  type Random,
  randomScalar,
  rangeProofRounds,
  SCALAR_ZERO,
  scalarAdd,
  scalarSub,
} from '../../../crypto/index.ts';
import { isOneDigit, totalOf } from '../../amount.ts';
import { varintLength } from '../../bytes.ts';
import { ProtocolError } from '../../errors.ts';
import { type RctBase, type RctPrunable, RctType, type Transaction, type TransactionV2, type TxPrefix } from '../../model.ts';
import { keyInputs } from '../../transaction.ts';
import { signatureMessage, transactionPrefixHash } from '../../transaction-hash.ts';
import { weightClawback } from '../../weights.ts';
import type { MadeOutput, ProofFlaw, ProofSystem } from '../era.ts';

const flawed = (flaw: ProofFlaw['flaw'], expected: string): ProofFlaw => ({ flaw, expected });

/** A RingCT transaction with its prunable part, in which ring signatures may be missing. */
export type WholeTransaction = TransactionV2 & { readonly prunable: RctPrunable };

/**
 * Hides the amounts and proves that no coins are created; ring signatures come later. The caller wipes the masks of the pseudo outputs.
 * @param spends amounts in the order of the inputs
 */
export function proveAmounts(
  prefix: Omit<TxPrefix, 'version'>,
  spends: readonly { readonly amount: bigint }[],
  outputs: readonly MadeOutput[],
  fee: bigint,
  random: Random,
): { readonly transaction: WholeTransaction; readonly pseudoMasks: readonly Uint8Array[] } {
  const masks = outputs.map(({ mask }) => mask);
  const amounts = outputs.map(({ amount }) => amount);
  const { proof, commitments } = bulletproofPlusProve(amounts, masks, random);
  const ecdhInfo = outputs.map(({ ecdh }) => ecdh);
  const rct: RctBase = { type: RctType.BulletproofPlus, fee, pseudoOuts: [], ecdhInfo, outPk: commitments };
  const pseudo = pseudoMasks(spends.length, masks, random);
  const pseudoOuts = spends.map(({ amount }, i) => commit(amount, pseudo[i]!));
  const prunable: RctPrunable = {
    rangeProofs: [],
    bulletproofs: [],
    bulletproofsPlus: [proof],
    mlsags: [],
    clsags: [],
    pseudoOuts,
  };
  return { transaction: { ...prefix, version: 2, rct, prunable }, pseudoMasks: pseudo };
}

/** RingCT with one Bulletproofs+ proof for all outputs, and one CLSAG per input (rctSigs.cpp, genRctSimple and verRctSimple). */
export const BULLETPROOFS_PLUS: ProofSystem = {
  version: 2,
  rctType: RctType.BulletproofPlus,

  prove(prefix, spends, outputs, fee, random) {
    const { transaction, pseudoMasks: pseudo } = proveAmounts(prefix, spends, outputs, fee, random);
    const { pseudoOuts } = transaction.prunable;
    const message = signatureMessage(transaction);
    const clsags = spends.map(({ ring, real, secret, mask }, i) => {
      const opening = { index: real, secret, mask, pseudoOut: pseudoOuts[i]!, pseudoMask: pseudo[i]! };
      return clsagSign({ message, ring, ...opening }, random).clsag;
    });
    wipe(...pseudo);
    return { ...transaction, prunable: { ...transaction.prunable, clsags } };
  },

  allowsAmounts: (outputs) => outputs.every(({ amount }) => amount === 0n),

  amountsFlaw(tx, random) {
    const { rct, prunable } = whole(tx);
    const { bulletproofsPlus, pseudoOuts } = prunable;
    const [proof] = bulletproofsPlus;
    if (proof === undefined || bulletproofsPlus.length !== 1) return flawed('bad-range-proof', 'one range proof');
    if (rct.outPk.length !== tx.outputs.length || rct.outPk.length > MAX_OUTPUTS)
      return flawed('bad-range-proof', `a commitment for each of at most ${MAX_OUTPUTS} outputs`);
    if (!fitsInputs(whole(tx))) return flawed('malformed', 'a ring signature and a pseudo output for every input');
    if (!isBalanced(pseudoOuts, rct)) return flawed('unbalanced', 'inputs that equal outputs and fee');
    const holds = bulletproofPlusVerify([{ proof, commitments: rct.outPk }], random);
    return holds ? undefined : flawed('bad-range-proof', 'a range proof that holds');
  },

  spendsFlaw(tx, rings) {
    const known = whole(tx);
    if (!fitsInputs(known)) return flawed('malformed', 'a ring signature and a pseudo output for every input');
    const { clsags, pseudoOuts } = known.prunable;
    const claims = keyInputs(tx).map(({ keyImage }, i) => {
      return { clsag: clsags[i]!, ring: rings[i]!, keyImage, pseudoOut: pseudoOuts[i]! };
    });
    return clsagVerify(signatureMessage(known), claims) ? undefined : flawed('invalid-input', 'ring signatures that hold');
  },

  hides(tx, outputs) {
    const { rct } = whole(tx);
    return outputs.every(({ amount, ecdh, mask }, i) => {
      return equalBytes(ecdh.amount, rct.ecdhInfo[i]!.amount) && equalBytes(commit(amount, mask), rct.outPk[i]!);
    });
  },

  weigh({ rings, outputs, fee }) {
    const base = 1 + varintLength(fee) + outputs * (8 + 32);
    const signatures = rings.reduce((size, ring) => size + 32 * ring + 64 + 32, 0);
    return base + 1 + 6 * 32 + 2 * (1 + rangeProofRounds(outputs) * 32) + signatures + weightClawback(outputs);
  },

  /** `estimate_rct_tx_size` (wallet2.cpp). */
  guessSize({ inputs, outputs, extraSize, ringSize }) {
    const prefix = 1 + 6 + inputs * (1 + 6 + ringSize * 2 + 32) + outputs * (6 + 32) + extraSize;
    const rangeProof = (2 * rangeProofRounds(outputs) + 6) * 32 + 3;
    const signatures = inputs * (32 * ringSize + 64) + 32 * inputs;
    return prefix + 1 + rangeProof + signatures + outputs + (8 + 32) * outputs + 4;
  },
};

/** Bytes of an input, for each ring member, as estimated by the reference's wallet (`APPROXIMATE_INPUT_BYTES`, wallet2.cpp). */
const GUESSED_INPUT = 80;

/** Clear amounts, and one ring signature per input over the hash of the prefix (blockchain.cpp, check_ring_signature). */
export const RING_SIGNATURES: ProofSystem = {
  version: 1,
  rctType: undefined,

  prove(rest, spends, _outputs, _fee, random) {
    const prefix = { ...rest, version: 1 as const };
    const hash = transactionPrefixHash(prefix);
    const signatures = spends.map(({ ring, real, secret, keyImage }) => {
      const keys = ring.map(({ key }) => key);
      return generateRingSignature(hash, keyImage, keys, secret, real, random);
    });
    return { ...prefix, signatures };
  },

  allowsAmounts: (outputs) => outputs.every(({ amount }) => isOneDigit(amount)),

  /** No output of 0, no sum of 2^64 or more, and a remainder for the fee (cryptonote_core.cpp, check_tx_semantic). */
  amountsFlaw(tx) {
    if (tx.outputs.some(({ amount }) => amount === 0n)) return flawed('invalid-output', 'outputs worth something');
    const [came, went] = [totalOf(keyInputs(tx)), totalOf(tx.outputs)];
    if (came > U64_MAX || went > U64_MAX) return flawed('overspend', 'sums of at most 2^64-1');
    return went < came ? undefined : flawed('overspend', 'inputs worth more than the outputs');
  },

  spendsFlaw(tx, rings) {
    const inputs = keyInputs(tx);
    const { signatures, ...prefix } = tx as Extract<Transaction, { version: 1 }>;
    const hash = transactionPrefixHash(prefix);
    const holds = inputs.every(({ keyImage }, i) => {
      const [ring, signed] = [rings[i]!.map(({ key }) => key), signatures?.[i]];
      return signed !== undefined && isInMainSubgroup(keyImage) && checkRingSignature(hash, keyImage, ring, signed);
    });
    return holds && signatures?.length === inputs.length ? undefined : flawed('invalid-input', 'ring signatures that hold');
  },

  hides: () => true,

  weigh: ({ rings }) => rings.reduce((size, ring) => size + 64 * ring, 0),

  /** `estimate_tx_size` (wallet2.cpp). */
  guessSize: ({ inputs, outputs, extraSize, ringSize }) => inputs * ringSize * GUESSED_INPUT + outputs + extraSize,
};

function whole(tx: Transaction): WholeTransaction {
  if (tx.version === 1 || tx.prunable === undefined) throw new ProtocolError('pruned', 'expected a whole RingCT transaction');
  return { ...tx, prunable: tx.prunable };
}

function fitsInputs({ inputs, prunable: { clsags, pseudoOuts } }: ReturnType<typeof whole>): boolean {
  return clsags.length === inputs.length && pseudoOuts.length === inputs.length;
}

function isBalanced(pseudoOuts: readonly Uint8Array[], { outPk, fee }: RctBase): boolean {
  if (![...pseudoOuts, ...outPk].every(isPoint)) return false;
  const inputs = pseudoOuts.reduce(pointAdd);
  return equalBytes(inputs, outPk.reduce(pointAdd, commit(fee, SCALAR_ZERO)));
}

/** Masks of the pseudo outputs: all random but the last, which makes their sum equal to that of the output masks. */
function pseudoMasks(count: number, outputMasks: readonly Uint8Array[], random: Random): Uint8Array[] {
  const masks = Array.from({ length: count - 1 }, () => randomScalar(random));
  const outputs = outputMasks.reduce((total, mask) => scalarAdd(total, mask), SCALAR_ZERO);
  masks.push(masks.reduce((rest, mask) => scalarSub(rest, mask), outputs));
  return masks;
}
