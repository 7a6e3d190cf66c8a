import type { AddressKeys } from '../../protocol/address.ts';
import { MultisigError } from './errors.ts';

/**
 * One signer's part of a group in which `threshold` of all signers are needed to spend: a value, never changed in place. A round of the
 * key exchange makes the next one. All keys are 32 bytes; hex is lower case.
 */
export interface MultisigAccount {
  /** How many signers a spend needs: 1 … number of signers. */
  readonly threshold: number;
  /** The base public keys of all signers, ours among them, in ascending order of their bytes: 2 … 16. */
  readonly signers: readonly Uint8Array[];
  /** Our base secret: signs our messages and makes the shared secrets; its public key identifies us among the signers. */
  readonly baseSecret: Uint8Array;
  /**
   * Our shares of the group's spend key, as the reference's `m_multisig_keys`: empty before the round in which they are made, with
   * their aggregation coefficients once {@link mainRoundsDone}. Shares of other signers may be the same.
   */
  readonly keyShares: readonly Uint8Array[];
  /** The secret view key, which every signer holds. */
  readonly commonSecret: Uint8Array;
  /** The public view key. */
  readonly commonKey: Uint8Array;
  /** The public spend key; the neutral element until {@link mainRoundsDone}. */
  readonly groupKey: Uint8Array;
  /** Completed rounds of the key exchange: 1 after making, {@link setupRounds} when the group is ready. */
  readonly roundsComplete: number;
  /**
   * Keys that our message of the current round proposes, hex, each with the base public keys of the other holders, hex, where
   * known: the reference's files do not say. In all rounds but the last these keys are secret.
   */
  readonly origins: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The public keys of the group's address. */
export const groupKeys = ({ groupKey, commonKey }: MultisigAccount): AddressKeys => ({ spendKey: groupKey, viewKey: commonKey });

/** The most signers of a group: the number of key shares grows with the number of subsets. */
export const MOST_SIGNERS = 16;

/** Rounds that make the keys of an M of N group: N − M + 1. */
export const mainRounds = (signers: number, threshold: number): number => signers - threshold + 1;

/** The main rounds, and one in which all signers confirm that they have the same keys. */
export const setupRounds = (signers: number, threshold: number): number => mainRounds(signers, threshold) + 1;

/** Whether the group's address is known: at most the last round remains. */
export const mainRoundsDone = ({ signers, threshold, roundsComplete }: MultisigAccount): boolean =>
  roundsComplete >= mainRounds(signers.length, threshold);

/** Whether the group can receive and sign. */
export const isReady = ({ signers, threshold, roundsComplete }: MultisigAccount): boolean =>
  roundsComplete >= setupRounds(signers.length, threshold);

/** Number of key shares that each signer finally holds: one for every subset of N − M of the N − 1 others. */
export const sharesOfEach = (signers: number, threshold: number): number => binomial(signers - 1, signers - threshold);

/** Number of subsets of size `k` of `n` items; 0 if k is greater. */
export function binomial(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

/** The account, which must exist. @throws MultisigError `not-multisig` */
export function requireSigner(multisig: MultisigAccount | undefined): MultisigAccount {
  if (multisig === undefined) throw new MultisigError('not-multisig', 'expected a wallet of several signers');
  return multisig;
}

/** The account, which must be able to sign. @throws MultisigError `not-multisig`, `not-ready` */
export function requireReady(multisig: MultisigAccount | undefined): MultisigAccount {
  const account = requireSigner(multisig);
  if (!isReady(account)) throw new MultisigError('not-ready', 'expected a key exchange that is over');
  return account;
}
