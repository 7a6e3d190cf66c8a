import { compareBytes, hexToBytes, RandomSampler, wipe } from '../../base/index.ts';
import {
  boundChallenge,
  clsagShare,
  commitmentImage,
  hedgedScalar,
  NONCES_OF_INPUT,
  noncePoints,
  pointAdd,
  type Random,
  randomScalar,
  SCALAR_ZERO,
  type SharedClsag,
  scalarSub,
  secretKeyToPublicKey,
} from '../../crypto/index.ts';
import {
  buildExtra,
  countTxKeys,
  eraOf,
  type KeyInput,
  type Network,
  type OutputKey,
  parseExtra,
  paymentIdOf,
  proveAmounts,
  relativeOffsets,
  type WholeTransaction,
} from '../../protocol/index.ts';
import type { MultisigAttempt, MultisigPendingTx, PublicNonce, TxSource } from '../../wallet2/index.ts';
import { changeOf, constructionOf } from '../offline-signing/construction.ts';
import { keyImageText } from '../offline-signing/sets.ts';
import { outputsAsked } from '../spend/construct.ts';
import { SpendError, type UnsignedPaymentPart } from '../spend/index.ts';
import type { UnsignedInput, UnsignedTransaction } from '../spend/unsigned.ts';
import type { MultisigAccount } from './account.ts';
import type { SignerNonces } from './cosigning-state.ts';
import { MultisigError } from './errors.ts';
import { partOfSecret } from './key-images.ts';
import { KEY_IMAGE_AT, sharedInputs, withResponses } from './shared-inputs.ts';
import { coSigners } from './signer-sets.ts';
import { groupTxKeys } from './tx-keys.ts';

/** What a proposal needs of the wallet besides the payment itself. */
export interface ProposalFacts {
  readonly account: MultisigAccount;
  readonly network: Network;
  /** Index of each output among all outputs of the wallet. */
  readonly positions: ReadonlyMap<OutputKey, number>;
  readonly noncesOf: (key: OutputKey) => SignerNonces;
}

/**
 * A transaction as its proposer signs it: with all own shares, once for every set of signers that could complete it, because nobody knows
 * yet which set will. Each time with new nonces, which are then forgotten (`transfer_selected_rct`, wallet2.cpp).
 * @throws MultisigError `info-missing`; SpendError `check-failed`, `payment-id-with-several-destinations`
 */
export function proposeTransaction(facts: ProposalFacts, part: UnsignedPaymentPart, random: Random): MultisigPendingTx {
  const { account } = facts;
  const unsigned = sortedByKeyImage(part.unsigned);
  const sorted = { ...part, unsigned };
  const { transaction, opened, txKeys, outputOrder, keyEntropy } = withoutSignatures(account, unsigned, random);
  const secrets = unsigned.inputs.map(({ output }) => partOfSecret(account, output));
  const shared = sharedInputs(transaction, unsigned.inputs);
  const available = availableSigners(facts, unsigned.inputs);
  const nonces = unsigned.inputs.map(({ output }) => remaining(facts.noncesOf(output.key)));
  const signingKeys = account.keyShares.map((share) => secretKeyToPublicKey(share)!);
  const attempts: MultisigAttempt[] = [];
  for (const set of coSigners(available, account.threshold)) {
    attempts.push(startAttempt({ shared, secrets, opened, nonces: nonces, unsigned, signingKeys }, set, random));
  }
  wipe(...secrets, ...opened);
  const described = describedFacts(facts, sorted, { transaction, outputOrder });
  const alone = account.threshold === 1 ? attempts[0] : undefined;
  const finished = alone === undefined ? transaction : withResponses(transaction, unsigned.inputs, alone);
  const [txKey, ...additionalTxKeys] = txKeys;
  return { ...described, transaction: finished, txKey: txKey!, additionalTxKeys, attempts, keyEntropy };
}

const keyImageOf = ({ output }: UnsignedInput): Uint8Array => hexToBytes(output.keyImage);

/** Inputs in the transaction's order, on which the transaction keys depend. */
function sortedByKeyImage(unsigned: UnsignedTransaction): UnsignedTransaction {
  const inputs = [...unsigned.inputs].sort((a, b) => compareBytes(keyImageOf(b), keyImageOf(a)));
  return { ...unsigned, inputs };
}

interface Built {
  readonly transaction: WholeTransaction;
  /** For each input, the difference between its mask and its pseudo output's mask. Secret. */
  readonly opened: readonly Uint8Array[];
  readonly txKeys: readonly Uint8Array[];
  readonly outputOrder: readonly number[];
  readonly keyEntropy: Uint8Array;
}

/** The transaction without signatures: challenges and the responses of the spent outputs are 0. */
function withoutSignatures(account: MultisigAccount, unsigned: UnsignedTransaction, random: Random): Built {
  const era = eraOf(unsigned.majorVersion);
  const keyEntropy = randomScalar(random);
  const images = unsigned.inputs.map(keyImageOf);
  const txKeys = groupTxKeys(keyEntropy, images, countTxKeys(unsigned.outputs, unsigned.changeAddress));
  const outputOrder = new RandomSampler(random).shuffled(unsigned.outputs.map((_, i) => i));
  const inputs = unsigned.inputs.map(({ ring }, i): KeyInput => {
    const keyOffsets = relativeOffsets(ring.map(({ globalIndex }) => globalIndex));
    return { type: 'key', amount: 0n, keyOffsets, keyImage: images[i]! };
  });
  const made = era.outputs.remake(outputsAsked(unsigned, inputs, account.commonSecret), { outputOrder, txKeys });
  if (made === 'several-receivers') {
    throw new SpendError('payment-id-with-several-destinations', 'expected one destination beside an integrated address');
  }
  if (typeof made === 'string') throw new SpendError('check-failed', 'expected every address to consist of points');
  const outputs = made.outputs.map(({ output }) => output);
  const prefix = { unlockTime: unsigned.unlockTime, inputs, outputs, extra: made.extra };
  const spends = unsigned.inputs.map(({ output }) => output);
  const { transaction, pseudoMasks } = proveAmounts(prefix, spends, made.outputs, unsigned.fee, random);
  const opened = unsigned.inputs.map(({ output }, i) => scalarSub(hexToBytes(output.mask), pseudoMasks[i]!));
  const clsags = unsigned.inputs.map(({ output, ring, real }, i) => ({
    s: ring.map((_, member) => (member === real ? SCALAR_ZERO.slice() : randomScalar(random))),
    c1: SCALAR_ZERO.slice(),
    D: commitmentImage(opened[i]!, hexToBytes(output.key)),
  }));
  wipe(...pseudoMasks, ...made.outputs.map(({ mask }) => mask));
  return {
    transaction: { ...transaction, prunable: { ...transaction.prunable, clsags } },
    opened,
    txKeys,
    outputOrder,
    keyEntropy,
  };
}

/** Other signers whose exported nonces cover all inputs. @throws MultisigError `info-missing` */
function availableSigners({ account, noncesOf: toldNonces }: ProposalFacts, inputs: readonly UnsignedInput[]): string[] {
  const noncesByInput = inputs.map(({ output }) => toldNonces(output.key));
  const [first] = noncesByInput;
  const available = [...(first?.keys() ?? [])].filter((signer) =>
    noncesByInput.every((of) => (of.get(signer)?.length ?? 0) >= NONCES_OF_INPUT),
  );
  if (available.length + 1 >= account.threshold) return available;
  throw new MultisigError('info-missing', 'expected newer exports of enough other signers to be imported', {
    found: available.length,
    required: account.threshold - 1,
  });
}

const remaining = (all: SignerNonces): Map<string, PublicNonce[]> =>
  new Map([...all].map(([signer, nonces]) => [signer, [...nonces]]));

interface Started {
  readonly shared: readonly SharedClsag[];
  readonly secrets: readonly Uint8Array[];
  readonly opened: readonly Uint8Array[];
  /** Unused nonces of the other signers for each input. Each attempt takes its own. */
  readonly nonces: readonly Map<string, PublicNonce[]>[];
  readonly unsigned: UnsignedTransaction;
  readonly signingKeys: readonly Uint8Array[];
}

interface SignerSet {
  readonly with: readonly string[];
  readonly without: readonly string[];
}

/** Makes the first signature for one set of signers. */
function startAttempt(started: Started, set: SignerSet, random: Random): MultisigAttempt {
  const { shared, secrets, opened, nonces: available, unsigned, signingKeys } = started;
  const usedNonces: Uint8Array[] = [];
  const signed = shared.map((input, i) => {
    const key = hexToBytes(unsigned.inputs[i]!.output.key);
    const theirs = Array.from({ length: NONCES_OF_INPUT }, () => set.with.map((signer) => takeNonce(available[i]!.get(signer))));
    usedNonces.push(...theirs.flat().map(({ left }) => left));
    // The others' nonces give each attempt another challenge, so our nonces must differ even if the random source repeats itself.
    const context = [input.message, key, ...theirs.flat().flatMap(({ left, right }) => [left, right])];
    const nonces = theirs.map((_, n) => hedgedScalar(random, `multisig proposal ${n}`, secrets[i]!, ...context));
    const sums = noncePoints(nonces, key).map((own, n) =>
      theirs[n]!.reduce((sum, { left, right }) => ({ left: pointAdd(sum.left, left), right: pointAdd(sum.right, right) }), own),
    );
    const nonceSums = { left: sums.map(({ left }) => left), right: sums.map(({ right }) => right) };
    const bound = boundChallenge(input, nonceSums);
    const s = clsagShare(bound, nonces, secrets[i]!, opened[i]!);
    wipe(...nonces);
    return { nonceSums, c1: bound.c1, s };
  });
  return {
    ignored: set.without.map(hexToBytes),
    usedNonces,
    signingKeys,
    nonceSums: signed.map(({ nonceSums }) => nonceSums.left),
    nonceSumsImage: signed.map(({ nonceSums }) => nonceSums.right),
    c1: signed.map(({ c1 }) => c1),
    s: signed.map(({ s }) => s),
  };
}

function takeNonce(left: PublicNonce[] | undefined): PublicNonce {
  const nonce = left?.shift();
  if (nonce === undefined) throw new MultisigError('info-missing', 'expected as many nonces as there are sets of signers');
  return nonce;
}

/** What the reference adds to a proposal. */
function describedFacts(
  { network, positions }: ProposalFacts,
  part: UnsignedPaymentPart,
  { transaction, outputOrder }: { readonly transaction: WholeTransaction; readonly outputOrder: readonly number[] },
): Omit<MultisigPendingTx, 'txKey' | 'additionalTxKeys' | 'attempts' | 'keyEntropy' | 'transaction'> {
  const { unsigned } = part;
  const construction = constructionOf({ ...part, network, positions });
  const sources = construction.sources.map((source, i): TxSource => {
    const multisig = source.multisig.slice();
    multisig.set(keyImageOf(unsigned.inputs[i]!), KEY_IMAGE_AT);
    return { ...source, multisig };
  });
  return {
    dust: 0n,
    fee: unsigned.fee,
    dustAddedToFee: false,
    change: changeOf(part),
    selectedTransfers: construction.selectedTransfers,
    keyImages: keyImageText(transaction),
    destinations: construction.destinations,
    construction: {
      ...construction,
      sources,
      splitDestinations: outputOrder.map((i) => construction.splitDestinations[i]!),
      extra: withClearPaymentId(transaction.extra, unsigned.paymentId),
    },
  };
}

/** The transaction's extra with the payment id in clear. */
function withClearPaymentId(extra: Uint8Array, paymentId: Uint8Array | undefined): Uint8Array {
  const { fields } = parseExtra(extra);
  if (paymentIdOf(fields) === undefined) return extra;
  const pubKey = fields.find((field) => field.type === 'pubKey')!;
  const additional = fields.find((field) => field.type === 'additionalPubKeys');
  return buildExtra({
    pubKey: pubKey.key,
    additionalPubKeys: additional?.keys ?? [],
    paymentId: { kind: 'encrypted', bytes: paymentId ?? new Uint8Array(8) },
  });
}
