import { bytesToHex, compareBytes, equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import { isCanonicalScalar, type Random, secretKeyToPublicKey } from '../../crypto/index.ts';
import {
  countTxKeys,
  decodeAddress,
  isProtocolError,
  type KeyImage,
  keyInputs,
  type Network,
  type OutputKey,
  RctType,
  sameAddress,
  serializeTransaction,
  transactionHash,
  type WholeTransaction,
} from '../../protocol/index.ts';
import type { MultisigAttempt, MultisigPendingTx, TxDestination, TxSource } from '../../wallet2/index.ts';
import { type ImageOpener, readConstruction } from '../offline-signing/construction.ts';
import type { Opener } from '../offline-signing/open-output.ts';
import { PUBLIC_PER_BYTE_LIMIT } from '../spend/fees.ts';
import { SpendError } from '../spend/index.ts';
import type { SignedTransaction, UnsignedTransaction } from '../spend/unsigned.ts';
import { verifyUnsigned } from '../spend/verify.ts';
import type { WalletState } from '../state/state.ts';
import type { MultisigAccount } from './account.ts';
import { MultisigError } from './errors.ts';
import { includesKey, KEY_IMAGE_AT } from './shared-inputs.ts';
import { groupTxKeys } from './tx-keys.ts';

/** The parts of our wallet that verifying a proposal needs, once its subaddresses are known. */
export type VerifyContext = Opener & {
  readonly account: MultisigAccount;
  readonly state: WalletState;
  readonly random: Random;
  /** No fee above the absolute bound (T1). */
  readonly boundsFees: boolean;
};

/** A proposal that was verified completely. */
export interface VerifiedProposal {
  readonly unsigned: UnsignedTransaction;
  readonly transaction: WholeTransaction;
  /** The transaction as if it were signed; outputs and inputs are in their order. */
  readonly proposed: SignedTransaction;
}

const HIGHEST_PER_BYTE = PUBLIC_PER_BYTE_LIMIT.at(-1)!;

/** The key image of a source, as the proposer states it. */
const imageIn = ({ multisig }: TxSource): Uint8Array => multisig.subarray(KEY_IMAGE_AT);

/** Kind of difference between a proposal and this wallet, from which a user interface makes a text. */
export type Contradiction = 'form' | 'coins' | 'spent' | 'account' | 'change' | 'fee' | 'words' | 'address' | 'keys';

const refused = (expected: string, index: number, reason: Contradiction): MultisigError =>
  new MultisigError('bad-set', `expected ${expected}`, { transaction: index, reason });

/**
 * Checks a proposal against our own wallet and rebuilds its transaction from its description: inputs are ours, unspent, and worth what is
 * stated, change returns to us, the transaction keys follow from its key images, and the outputs pay the stated destinations. So what is
 * signed afterwards is what `describe_transfer` shows, and nothing else.
 * @param index of the transaction in its set, for errors
 * @throws MultisigError `bad-set`, `frozen`, `info-missing`; OfflineSigningError as `readConstruction`; SpendError `check-failed`
 */
export function verifyProposal(ctx: VerifyContext, pending: MultisigPendingTx, index: number): VerifiedProposal {
  const { account, state, random } = ctx;
  const transaction = requireComplete(pending, index);
  const sources = [...pending.construction.sources].sort((a, b) => compareBytes(imageIn(b), imageIn(a)));
  const construction = { ...pending.construction, sources };
  const unsigned = readConstruction(knownImages(ctx, sources, index), construction, index);
  requireKnown(state, unsigned, index);
  requireOneAccount(pending, unsigned, index);
  requireOwnWords(pending, unsigned, ctx.keys.network, index);
  const txKeys = requireTxKeys(pending, unsigned, index);
  const proposed = {
    transaction,
    bytes: serializeTransaction(transaction),
    hash: transactionHash(transaction),
    txKeys,
    outputOrder: unsigned.outputs.map((_, i) => i),
    inputOrder: unsigned.inputs.map((_, i) => i),
  };
  const weight = verifyUnsigned(unsigned, proposed, account.commonSecret, random);
  if (ctx.boundsFees && unsigned.fee > HIGHEST_PER_BYTE * BigInt(weight))
    throw new SpendError('fee-too-high', 'expected a fee within reason', { fee: unsigned.fee, weight });
  requireResponses(transaction, unsigned, index);
  return { unsigned, transaction, proposed };
}

/** The transaction of a set, with its proofs. @throws MultisigError `bad-set` if it is of another kind or has no proofs */
export function requireComplete({ transaction }: MultisigPendingTx, index: number): WholeTransaction {
  if (transaction.version !== 2 || transaction.prunable === undefined || transaction.rct.type !== RctType.BulletproofPlus)
    throw refused('a whole transaction with Bulletproofs+', index, 'form');
  return { ...transaction, prunable: transaction.prunable };
}

/** Requires the proposer's key images to be those that we composed ourselves. */
function knownImages(ctx: VerifyContext, sources: readonly TxSource[], index: number): ImageOpener {
  const claimed = new Map(sources.map((source) => [bytesToHex(source.outputs[Number(source.realOutput)]!.key), imageIn(source)]));
  return {
    keys: ctx.keys,
    find: ctx.find,
    keyImageOf({ key }): KeyImage {
      const known = ctx.state.outputs.get(key as OutputKey)?.output.keyImage;
      if (known === undefined)
        throw new MultisigError('info-missing', 'expected outputs whose key images are known: import first');
      if (known !== bytesToHex(claimed.get(key)!)) throw refused('the key images of the outputs', index, 'coins');
      return known;
    },
  };
}

/** Requires inputs to be unspent coins that this wallet has found itself, with their amounts. */
function requireKnown({ outputs, frozen, unplacedSpends }: WalletState, { inputs }: UnsignedTransaction, index: number): void {
  for (const { output } of inputs) {
    const entry = outputs.get(output.key);
    const known = entry?.output;
    const same = known?.amount === output.amount && known.mask === output.mask && known.globalIndex === output.globalIndex;
    if (entry === undefined || !same) throw refused('outputs that this wallet has seen', index, 'coins');
    if (frozen.has(output.key)) throw new MultisigError('frozen', 'expected no frozen outputs', { transaction: index });
    if (entry.spend !== undefined || unplacedSpends.has(output.keyImage))
      throw refused('outputs that are not spent', index, 'spent');
  }
}

/** Requires all inputs to belong to one account. `readConstruction` has checked that change returns to its first address. */
function requireOneAccount({ construction }: MultisigPendingTx, { inputs }: UnsignedTransaction, index: number): void {
  if (inputs.some(({ output }) => output.subaddress.major !== construction.account))
    throw refused('coins of the account it names', index, 'account');
}

/** Requires values that a set states twice to agree, and its addresses in text form to be those that are paid. */
function requireOwnWords(pending: MultisigPendingTx, unsigned: UnsignedTransaction, network: Network, index: number): void {
  const { construction, change, destinations, fee } = pending;
  if (fee !== unsigned.fee) throw refused('the fee that inputs and outputs leave', index, 'fee');
  if (!sameDestination(change, construction.change)) throw refused('one word on change', index, 'change');
  if (!sameDestinations(destinations, construction.destinations)) throw refused('one word on destinations', index, 'words');
  const paid = construction.splitDestinations;
  const rest = [...paid];
  for (const destination of destinations) {
    const at = rest.findIndex((one) => sameDestination(one, destination));
    if (at < 0) throw refused('destinations among the outputs', index, 'words');
    rest.splice(at, 1);
  }
  const onlyChange = rest.length <= 1 && rest.every((one) => sameDestination(one, change));
  if (!onlyChange) throw refused('no outputs but destinations and change', index, 'words');
  for (const destination of [...destinations, ...paid]) requireWritten(destination, unsigned.paymentId, network, index);
}

const sameDestination = (a: TxDestination, b: TxDestination): boolean =>
  sameAddress(a, b) && a.amount === b.amount && a.isSubaddress === b.isSubaddress;

const sameDestinations = (a: readonly TxDestination[], b: readonly TxDestination[]): boolean =>
  a.length === b.length && a.every((one, i) => sameDestination(one, b[i]!) && one.original === b[i]!.original);

/** Requires the address in text form, if there is one, to have the keys that are paid. */
function requireWritten(
  { original, spendKey, viewKey, isSubaddress }: TxDestination,
  paymentId: Uint8Array | undefined,
  network: Network,
  index: number,
): void {
  if (original === '') return;
  const address = addressWritten(original, network);
  if (address === undefined) return;
  const sameKeys = sameAddress(address, { spendKey, viewKey });
  const sameKind = (address.kind === 'subaddress') === isSubaddress;
  const paymentIdInAddress = address.paymentId;
  const samePaymentId =
    paymentIdInAddress === undefined || (paymentId !== undefined && equalBytes(paymentIdInAddress, paymentId));
  if (!sameKeys || !sameKind || !samePaymentId)
    throw refused('the address that is written to be the one that is paid', index, 'address');
}

/** Undefined for an OpenAlias name: it is not an address, and is not shown. */
function addressWritten(text: string, network: Network) {
  try {
    return decodeAddress(text, network);
  } catch (error) {
    if (isProtocolError(error) && error.code !== 'wrong-network') return undefined;
    throw error;
  }
}

/** Requires the transaction keys to follow from entropy and key images: other keys could repeat earlier one-time keys, which burns the outputs. */
function requireTxKeys({ txKey, additionalTxKeys, keyEntropy }: MultisigPendingTx, unsigned: UnsignedTransaction, index: number) {
  if (keyEntropy.every((byte) => byte === 0)) throw refused('the entropy of the transaction keys', index, 'keys');
  const images = unsigned.inputs.map(({ output }) => hexToBytes(output.keyImage));
  const keys = groupTxKeys(keyEntropy, images, countTxKeys(unsigned.outputs, unsigned.changeAddress));
  const claimed = [txKey, ...additionalTxKeys];
  const same = claimed.length === keys.length && claimed.every((key, i) => equalBytes(key, keys[i]!));
  if (same) return keys;
  wipe(...keys);
  throw refused('the transaction keys that its key images make', index, 'keys');
}

function requireResponses({ prunable }: WholeTransaction, { inputs }: UnsignedTransaction, index: number): void {
  const fit = prunable.clsags.every(({ s }, i) => s.length === inputs[i]?.ring.length && s.every(isCanonicalScalar));
  if (!fit || prunable.clsags.length !== inputs.length) throw refused('a response for every ring member', index, 'form');
}

/** Requires one entry for each input in every list, and only signers of this group. @throws MultisigError `bad-set` */
export function requireAttempts(account: MultisigAccount, pending: MultisigPendingTx, index: number): void {
  const inputs = keyInputs(pending.transaction).length;
  for (const { nonceSums, nonceSumsImage, c1, s, ignored } of pending.attempts) {
    const counts = [nonceSums, nonceSumsImage, c1, s].every(({ length }) => length === inputs);
    if (!counts || !s.every(isCanonicalScalar)) throw refused('nonces and responses for every input', index, 'form');
    if (!ignored.every((signer) => includesKey(account.signers, signer))) throw refused('signers of this group', index, 'form');
  }
}

/** Whether an attempt is for a set of signers that includes us. */
export const isAttemptFor = ({ ignored }: MultisigAttempt, account: MultisigAccount): boolean =>
  !includesKey(ignored, secretKeyToPublicKey(account.baseSecret)!);
