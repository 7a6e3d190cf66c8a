import { bytesToHex, hexToBytes, wipe } from '../../base/index.ts';
import {
  type BoundChallenge,
  boundChallenge,
  CryptoError,
  clsagShare,
  NONCES_OF_INPUT,
  type SharedClsag,
  scalarAdd,
  secretKeyToPublicKey,
} from '../../crypto/index.ts';
import { eraOf, type OutputKey, payingProofs, type TxHash, toTxHash, transactionHash } from '../../protocol/index.ts';
import type { MultisigAttempt, MultisigPendingTx, MultisigTxSet } from '../../wallet2/index.ts';
import type { MultisigAccount } from './account.ts';
import { MultisigError } from './errors.ts';
import { sumOfShares } from './key-images.ts';
import { NonceQueue, noncesOfOutput } from './nonces.ts';
import { requireMembers } from './set-bounds.ts';
import { includesKey, sharedInputs, withResponses } from './shared-inputs.ts';
import { isAttemptFor, requireAttempts, type VerifiedProposal, type VerifyContext, verifyProposal } from './verify-proposal.ts';

/** Our exported and unused nonces. */
export interface NonceStore {
  /** Seed of an output's nonces, 32 bytes, secret; undefined when they may have been used. */
  seedOf(key: OutputKey): Uint8Array | undefined;
  /** Marks all nonces of these outputs as used. Resolves when no crash and no restored copy can undo that. */
  use(keys: readonly OutputKey[]): Promise<void>;
}

/** What a set is checked against, and the nonces to sign with. */
export type SignContext = VerifyContext & { readonly nonces: NonceStore };

/** A group's set with this signer's shares in it. */
export interface SignedSet {
  /** Set for the next signer, or for the one who submits it. */
  readonly set: MultisigTxSet;
  /** Ids of the transactions once fully signed; empty before. */
  readonly txHashes: readonly TxHash[];
  /** Their secret keys, hex, main first. */
  readonly txKeys: readonly (readonly string[])[];
}

const publicKeyOf = (secret: Uint8Array): Uint8Array => secretKeyToPublicKey(secret)!;

/**
 * Signs a set that another signer proposed and others may have signed (`sign_multisig_tx`, wallet2.cpp). Everything is verified before the
 * first nonce is touched; nonces are marked as used before a share is made.
 * @throws MultisigError; OfflineSigningError and SpendError for a proposal that is not what it claims to be. Nothing has changed, except
 *   after `nonces-unknown` and `bad-shares`
 */
export async function signSet(ctx: SignContext, set: MultisigTxSet): Promise<SignedSet> {
  const { account } = ctx;
  requireOpen(account, set);
  const proposals = set.transactions.map((pending, i) => verifyProposal(ctx, pending, i));
  requireDistinct(proposals);
  for (const [i, pending] of set.transactions.entries()) requireAttempts(account, pending, i);
  const challenges = proposals.map((proposal, i) => challengesForUs(ctx, proposal, set.transactions[i]!, i));
  const signers = [...set.signers, publicKeyOf(account.baseSecret)];
  const last = signers.length >= account.threshold;
  if (last) for (const { attempts } of set.transactions) wholeAttempt(attempts, signers);
  const nonces = proposals.map((proposal, i) => takeNonces(ctx, proposal, challenges[i]!));
  try {
    await ctx.nonces.use(proposals.flatMap(({ unsigned }) => unsigned.inputs.map(({ output }) => output.key)));
    const signed = set.transactions.map((pending, i) =>
      signOne(ctx.account, { pending, proposal: proposals[i]!, challenges: challenges[i]!, nonces: nonces[i]!, signers, last }),
    );
    const transactions = signed.map(({ pending }) => pending);
    const txHashes = last ? transactions.map(({ transaction }) => toTxHash(transactionHash(transaction))) : [];
    const txKeys = last ? transactions.map(({ txKey, additionalTxKeys }) => [txKey, ...additionalTxKeys].map(bytesToHex)) : [];
    return { set: { transactions, signers }, txHashes, txKeys };
  } finally {
    wipe(...nonces.flatMap((attempts) => [...attempts.values()].flat(2)));
    wipe(...proposals.flatMap(({ proposed }) => proposed.txKeys));
  }
}

/** @throws MultisigError */
function requireOpen(account: MultisigAccount, { transactions, signers }: MultisigTxSet): void {
  const { threshold } = account;
  if (transactions.length === 0) throw new MultisigError('empty-set', 'expected transactions');
  if (includesKey(signers, publicKeyOf(account.baseSecret)))
    throw new MultisigError('already-signed', 'expected a set that this signer has not signed');
  if (signers.length > threshold) throw new MultisigError('too-many-signers', 'expected no more signers than are needed');
  if (signers.length === threshold) throw new MultisigError('fully-signed', 'expected a set that signatures are missing of');
  requireMembers(account, signers);
}

/** Requires that no output is spent twice: one of the two transactions could never be mined. */
function requireDistinct(proposals: readonly VerifiedProposal[]): void {
  const keys = proposals.flatMap(({ unsigned }) => unsigned.inputs.map(({ output }) => output.key));
  if (new Set(keys).size !== keys.length) throw new MultisigError('bad-set', 'expected every output to be spent once');
}

/** Attempts that include us, each with its challenges by input. */
type ChallengesByAttempt = ReadonlyMap<MultisigAttempt, readonly BoundChallenge[]>;

/** Computes here everything in which signing could fail, before a nonce is touched. @throws MultisigError `not-asked`, `bad-set` */
function challengesForUs(
  { account }: SignContext,
  { transaction, unsigned }: VerifiedProposal,
  { attempts }: MultisigPendingTx,
  index: number,
): ChallengesByAttempt {
  const shared = sharedInputs(transaction, unsigned.inputs);
  const forUs = attempts.filter((attempt) => isAttemptFor(attempt, account));
  if (forUs.length === 0) throw new MultisigError('not-asked', 'expected a set that this signer is asked to sign');
  return new Map(forUs.map((attempt) => [attempt, shared.map((input, i) => challengeOf(input, attempt, i, index))]));
}

/** @throws MultisigError `bad-set` for nonces or images that are not points */
function challengeOf(
  input: SharedClsag,
  { nonceSums, nonceSumsImage }: MultisigAttempt,
  at: number,
  index: number,
): BoundChallenge {
  try {
    return boundChallenge(input, { left: nonceSums[at]!, right: nonceSumsImage[at]! });
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    throw new MultisigError('bad-set', 'expected nonces and images that are points', { transaction: index });
  }
}

/** Nonces for each input of each attempt. */
type TakenNonces = ReadonlyMap<MultisigAttempt, readonly (readonly Uint8Array[])[]>;

/** Takes each nonce once, whatever the proposer lists. @throws MultisigError `nonces-unknown` */
function takeNonces(
  { account, nonces }: SignContext,
  { unsigned }: VerifiedProposal,
  challenges: ChallengesByAttempt,
): TakenNonces {
  const count = noncesOfOutput(account);
  const queues = unsigned.inputs.map(({ output }) => {
    const seed = nonces.seedOf(output.key);
    return seed && new NonceQueue(seed, hexToBytes(output.key), count);
  });
  return new Map(
    [...challenges.keys()].map((attempt) => {
      const used = new Set(attempt.usedNonces.map(bytesToHex));
      return [attempt, queues.map((queue) => takePair(queue, used))];
    }),
  );
}

function takePair(queue: NonceQueue | undefined, used: ReadonlySet<string>): Uint8Array[] {
  const pair = Array.from({ length: NONCES_OF_INPUT }, () => queue?.take(used));
  if (pair.every((nonce) => nonce !== undefined)) return pair;
  wipe(...pair.flatMap((nonce) => nonce ?? []));
  throw new MultisigError(
    'nonces-unknown',
    'expected nonces that this wallet told of and has not used: export again, and have the payment proposed anew with that',
  );
}

interface Work {
  readonly pending: MultisigPendingTx;
  readonly proposal: VerifiedProposal;
  readonly challenges: ChallengesByAttempt;
  readonly nonces: TakenNonces;
  /** Includes us. */
  readonly signers: readonly Uint8Array[];
  readonly last: boolean;
}

function signOne(account: MultisigAccount, work: Work): { pending: MultisigPendingTx } {
  const { pending, challenges, nonces: taken } = work;
  const attempts = pending.attempts.map((attempt) => {
    const [bound, nonces] = [challenges.get(attempt), taken.get(attempt)];
    return bound === undefined || nonces === undefined ? attempt : addShares(account, attempt, bound, nonces);
  });
  const signed = { ...pending, attempts };
  return { pending: work.last ? finished(signed, work) : signed };
}

/** Adds our share, made of those key shares that nobody has used yet. */
function addShares(
  { keyShares }: MultisigAccount,
  attempt: MultisigAttempt,
  bound: readonly BoundChallenge[],
  nonces: readonly (readonly Uint8Array[])[],
): MultisigAttempt {
  const mine = keyShares
    .map((share) => ({ share, key: publicKeyOf(share) }))
    .filter(({ key }) => !includesKey(attempt.signingKeys, key));
  const secret = sumOfShares(mine.map(({ share }) => share));
  const s = bound.map((challenge, i) => scalarAdd(attempt.s[i]!, clsagShare(challenge, nonces[i]!, secret)));
  wipe(secret);
  return {
    ...attempt,
    signingKeys: [...attempt.signingKeys, ...mine.map(({ key }) => key)],
    c1: bound.map(({ c1 }) => c1),
    s,
  };
}

/** The one attempt with these signers. @throws MultisigError `bad-set` */
function wholeAttempt(attempts: readonly MultisigAttempt[], signers: readonly Uint8Array[]): MultisigAttempt {
  const [attempt, another] = attempts.filter(({ ignored }) => !signers.some((signer) => includesKey(ignored, signer)));
  if (attempt === undefined || another !== undefined)
    throw new MultisigError('bad-set', 'expected one set of signers that has signed whole');
  return attempt;
}

/** Takes the fully signed attempt, and verifies its signatures. @throws MultisigError `bad-set`, `bad-shares` */
function finished(pending: MultisigPendingTx, { proposal, signers }: Work): MultisigPendingTx {
  const { inputs, majorVersion } = proposal.unsigned;
  const attempt = wholeAttempt(pending.attempts, signers);
  const transaction = withResponses(proposal.transaction, inputs, attempt);
  // Only the responses are new: the rest of the transaction was verified before.
  const rings = inputs.map(({ ring }) => ring);
  if (payingProofs(eraOf(majorVersion)).spendsFlaw(transaction, rings) !== undefined)
    throw new MultisigError('bad-shares', 'expected shares that make a signature: one of the signers signed something else');
  return { ...pending, transaction };
}
