import { bytesToHex, compareBytes, equalBytes, hexToBytes } from '../../base/index.ts';
import { generateKeyDerivations, IDENTITY, isInMainSubgroup, type Random } from '../../crypto/index.ts';
import { isReady, MOST_SIGNERS, type MultisigAccount, mainRounds, mainRoundsDone } from './account.ts';
import { aggregate, blindedKey, commonSecretOf, requirePublic } from './aggregate.ts';
import { MultisigError } from './errors.ts';
import { evaluateRound, isBy, type Proposals, requireMember, requireRound, verifyRound } from './evaluate.ts';
import { encodeKexMessage, type KexMessage } from './kex-message.ts';

/**
 * The key exchange (multisig_account_kex_impl.cpp). In each round, signers make shared secrets with one more member than in the round
 * before; the last of these are the key shares. In a final round all confirm that they have the same address.
 */

/** Our two secrets for a new group, 32 bytes each: hashes of a wallet's keys, which they do not reveal. */
export interface BaseSecrets {
  readonly baseSecret: Uint8Array;
  readonly baseCommonSecret: Uint8Array;
}

/** The secrets that a wallet brings into a group: always the same, so that its seed words can recreate the group. */
export const baseSecretsOf = (wallet: { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array }): BaseSecrets => ({
  baseSecret: blindedKey(wallet.spendKey),
  baseCommonSecret: blindedKey(wallet.viewKey),
});

/** The message of the first round. It must stay secret among the signers: those of all signers together reveal the group's view key. */
export const firstMessage = ({ baseSecret, baseCommonSecret }: BaseSecrets, random: Random): string =>
  encodeKexMessage({ round: 1, keys: [], commonSecret: baseCommonSecret }, baseSecret, random);

/**
 * The message of the current round; once the address is known, always that of the last round.
 * @throws MultisigError `bad-account`
 */
export function nextMessage(account: MultisigAccount, random: Random): string {
  const rounds = mainRounds(account.signers.length, account.threshold);
  const keys = mainRoundsDone(account) ? [account.groupKey, account.commonKey] : [...account.origins.keys()].map(hexToBytes);
  const round = Math.min(account.roundsComplete, rounds) + 1;
  return encodeKexMessage({ round, keys, commonSecret: undefined }, account.baseSecret, random);
}

/**
 * The first round: makes a group of ourselves and everyone who sent a message.
 * @param messages of all other signers; our own may be among them
 * @throws MultisigError `wrong-round`, `duplicate-signer`, `bad-threshold`, `bad-signer-count`, `signers-missing`
 */
export function makeAccount(secrets: BaseSecrets, threshold: number, messages: readonly KexMessage[]): MultisigAccount {
  const self = requirePublic(secrets.baseSecret);
  const others = messages.filter((message) => !isBy(self, message));
  requireFirst(messages, others);
  const signers = [...others.map(({ signer }) => signer), self].sort(compareBytes);
  requireGroup(signers, threshold);
  const commonSecret = commonSecretOf([secrets.baseCommonSecret, ...others.map((message) => message.commonSecret!)]);
  const rounds = mainRounds(signers.length, threshold);
  const account: MultisigAccount = {
    ...{ threshold, signers, baseSecret: secrets.baseSecret.slice(), commonSecret },
    commonKey: requirePublic(commonSecret),
    groupKey: IDENTITY.slice(),
    keyShares: rounds === 1 ? [secrets.baseSecret.slice()] : [],
    roundsComplete: 0,
    origins: new Map([[bytesToHex(self), new Set()]]),
  };
  return nextRound(account, messages, false);
}

function requireFirst(messages: readonly KexMessage[], others: readonly KexMessage[]): void {
  if (messages.some(({ round }) => round !== 1))
    throw new MultisigError('wrong-round', 'expected messages of the first round', { expected: 1 });
  if (new Set(others.map(({ signer }) => bytesToHex(signer))).size !== others.length)
    throw new MultisigError('duplicate-signer', 'expected one message of each signer');
}

/** @throws MultisigError `bad-threshold`, `bad-signer-count` */
function requireGroup(signers: readonly Uint8Array[], threshold: number): void {
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > signers.length)
    throw new MultisigError('bad-threshold', 'expected a threshold of 1 up to the number of signers', { threshold });
  if (signers.length < 2 || signers.length > MOST_SIGNERS)
    throw new MultisigError('bad-signer-count', `expected 2 to ${MOST_SIGNERS} signers`, { signers: signers.length });
}

/**
 * The account after the current round.
 * @param messages of all other signers for this round; our own may be among them
 * @param incomplete accepts missing messages: safe only if all present senders are trusted. The resulting group may be unable to
 *   spend, or only with a member who lied.
 * @throws MultisigError `already-complete`, `wrong-round`, `mixed-rounds`, `signers-missing`, `unknown-signer`, `contradiction`,
 *   `not-verified`; the given account is unchanged
 */
export function exchangeKeys(account: MultisigAccount, messages: readonly KexMessage[], incomplete = false): MultisigAccount {
  if (isReady(account)) throw new MultisigError('already-complete', 'expected a key exchange that is not over');
  requireRound(messages, account.roundsComplete + 1);
  return nextRound(account, messages, incomplete);
}

function nextRound(account: MultisigAccount, messages: readonly KexMessage[], incomplete: boolean): MultisigAccount {
  const round = account.roundsComplete + 1;
  const rounds = mainRounds(account.signers.length, account.threshold);
  if (round > rounds) {
    verifyRound(account, messages, { round, incomplete });
    return { ...account, roundsComplete: round };
  }
  const proposals = evaluated(account, messages, { round, rounds, incomplete });
  if (round === rounds) return { ...account, ...aggregated(account, proposals), roundsComplete: round, origins: new Map() };
  const shared = sharedSecrets(account.baseSecret, proposals);
  return round + 1 === rounds
    ? { ...account, ...shares(shared), roundsComplete: round }
    : { ...account, origins: inOrder(shared), roundsComplete: round };
}

interface Round {
  readonly round: number;
  readonly rounds: number;
  readonly incomplete: boolean;
}

/** With a threshold of 1 all members end up with the same key, so messages are verified in the last round only. */
function evaluated(account: MultisigAccount, messages: readonly KexMessage[], { round, rounds, incomplete }: Round): Proposals {
  if (account.threshold === 1 && round === rounds) {
    for (const { signer } of messages) requireMember(account, bytesToHex(signer));
    return new Map();
  }
  return evaluateRound(account, messages, new Set(account.origins.keys()), { round, incomplete });
}

function aggregated({ keyShares }: MultisigAccount, proposals: Proposals): Pick<MultisigAccount, 'groupKey' | 'keyShares'> {
  return aggregate([...proposals.keys()].map(hexToBytes), keyShares);
}

/** 8·secret·K for each key K: a secret that we share with those who proposed K. */
function sharedSecrets(baseSecret: Uint8Array, proposals: Proposals): Map<string, ReadonlySet<string>> {
  // Keys of a decoded message are valid points.
  const points = generateKeyDerivations([...proposals.keys()].map(hexToBytes), baseSecret)!;
  return new Map([...proposals.values()].map((by, i) => [bytesToHex(points[i]!), by]));
}

/** Our shares of the key: the hash of each secret. What is proposed of them is their public keys. */
function shares(shared: Proposals): Pick<MultisigAccount, 'keyShares' | 'origins'> {
  const made = [...shared].map(([secret, by]) => {
    const share = blindedKey(hexToBytes(secret));
    return { share, key: bytesToHex(requirePublic(share)), by };
  });
  made.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { keyShares: made.map(({ share }) => share), origins: new Map(made.map(({ key, by }) => [key, by])) };
}

/** Sorts by key, so that the result does not depend on the order in which messages came. */
const inOrder = (shared: Proposals): Proposals => new Map([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Checks that the parts of an account from outside belong together: keys, their number, our place among the signers.
 * @throws MultisigError `bad-account`, `bad-threshold`, `bad-signer-count`
 */
export function requireAccount(account: MultisigAccount): void {
  const { signers, threshold, baseSecret, commonSecret, commonKey, roundsComplete } = account;
  requireGroup(signers, threshold);
  const sound =
    roundsComplete >= 1 &&
    roundsComplete <= mainRounds(signers.length, threshold) + 1 &&
    equalBytes(requirePublic(commonSecret), commonKey) &&
    signers.every((signer) => isInMainSubgroup(signer) && !equalBytes(signer, IDENTITY)) &&
    signers.every((signer, i) => i === 0 || compareBytes(signers[i - 1]!, signer) < 0) &&
    signers.some((signer) => equalBytes(signer, requirePublic(baseSecret)));
  if (!sound) throw new MultisigError('bad-account', 'expected keys of one group, and ourselves among its signers');
}
