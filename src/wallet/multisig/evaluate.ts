import { bytesToHex, type ErrorData, equalBytes, valueAt } from '../../base/index.ts';
import { binomial, type MultisigAccount } from './account.ts';
import { requirePublic } from './aggregate.ts';
import { MultisigError } from './errors.ts';
import type { KexMessage } from './kex-message.ts';

/** Keys, hex, each with the base public keys of the signers who proposed it, hex. */
export type Proposals = ReadonlyMap<string, ReadonlySet<string>>;

/** The round that messages are checked for, and whether all signers' messages are needed. */
export interface RoundRules {
  /** Number of the round, from 1. */
  readonly round: number;
  /** Some signers' messages may be missing. */
  readonly incomplete: boolean;
}

/** Checks that there are messages, all of one round. @throws MultisigError `signers-missing`, `wrong-round`, `mixed-rounds` */
export function requireRound(messages: readonly KexMessage[], expected: number): void {
  const first = messages[0];
  if (first === undefined) throw new MultisigError('signers-missing', 'expected a message at least', { found: 0 });
  if (first.round !== expected)
    throw new MultisigError('wrong-round', `expected messages of round ${expected}`, { expected, round: first.round });
  if (messages.some(({ round }) => round !== expected))
    throw new MultisigError('mixed-rounds', 'expected messages of one round', { expected });
}

/** All proposed keys except those to leave out. In the first round the signers propose themselves. */
function proposalsOf(messages: readonly KexMessage[], leftOut: ReadonlySet<string>): Map<string, Set<string>> {
  const proposals = new Map<string, Set<string>>();
  for (const { round, signer, keys } of messages) {
    for (const key of round === 1 ? [signer] : keys) {
      const hex = bytesToHex(key);
      if (round > 1 && leftOut.has(hex)) continue;
      valueAt(proposals, hex, () => new Set<string>()).add(bytesToHex(signer));
    }
  }
  return proposals;
}

/**
 * The others' proposals in a round that makes keys, checked to be what an honest group proposes: each key comes from `round` signers, and
 * each signer proposes as many keys as there are subsets without us.
 * @param own the keys that our own message of this round proposes, hex
 * @throws MultisigError `contradiction`, `signers-missing`, `unknown-signer`
 */
export function evaluateRound(
  account: Pick<MultisigAccount, 'signers' | 'baseSecret'>,
  messages: readonly KexMessage[],
  own: ReadonlySet<string>,
  { round, incomplete }: RoundRules,
): Proposals {
  const self = bytesToHex(requirePublic(account.baseSecret));
  const proposals = withoutSelf(proposalsOf(messages, own), self);
  const count = account.signers.length;
  const required = incomplete ? count - round : count - 1;
  const senders = new Set(messages.map(({ signer }) => bytesToHex(signer)).filter((signer) => signer !== self));
  const bySigner = new Map<string, number>();
  for (const by of proposals.values()) {
    if (by.size < (incomplete ? 1 : round)) {
      requireEnough(senders.size, required, { round, of: 'key' });
      throw new MultisigError('contradiction', 'expected each key from as many signers as hold it', { of: 'key' });
    }
    for (const signer of by) bySigner.set(signer, (bySigner.get(signer) ?? 0) + 1);
  }
  requireEnough(bySigner.size, required, { round });
  if (own.size !== binomial(count - 1, round - 1))
    throw new MultisigError('bad-account', 'expected as many keys of our own as there are groups with us');
  const expected = binomial(count - 2, round - 1);
  for (const [signer, found] of bySigner) {
    if (found !== expected)
      throw new MultisigError('contradiction', `expected ${expected} keys from each signer`, { of: 'signer', found, expected });
    requireMember(account, signer);
  }
  return proposals;
}

function withoutSelf(proposals: Map<string, Set<string>>, self: string): Map<string, Set<string>> {
  for (const [key, by] of proposals) {
    by.delete(self);
    if (by.size === 0) proposals.delete(key);
  }
  return proposals;
}

/**
 * Checks the last round: all signers report the same pair of keys, and it is ours.
 * @throws MultisigError `not-verified`, `signers-missing`, `unknown-signer`
 */
export function verifyRound(account: MultisigAccount, messages: readonly KexMessage[], { round, incomplete }: RoundRules): void {
  const proposals = [...proposalsOf(messages, new Set())];
  const [first, second] = proposals;
  if (proposals.length !== 2 || first === undefined || second === undefined)
    throw new MultisigError('not-verified', 'expected all signers to tell of the same two keys', { of: 'count' });
  if (first[1].size !== second[1].size || [...first[1]].some((signer) => !second[1].has(signer)))
    throw new MultisigError('not-verified', 'expected each signer to tell of both keys', { of: 'pair' });
  const signers = new Set(first[1]).add(bytesToHex(requirePublic(account.baseSecret)));
  requireEnough(signers.size, incomplete ? 1 : account.signers.length, { round, of: 'keys' });
  for (const signer of signers) requireMember(account, signer, 'keys');
  for (const [key, of] of [
    [account.groupKey, 'group'],
    [account.commonKey, 'common'],
  ] as const) {
    if (!proposals.some(([hex]) => hex === bytesToHex(key)))
      throw new MultisigError('not-verified', 'expected the keys that we made: the group must not be used', { of });
  }
}

function requireEnough(found: number, required: number, data: ErrorData): void {
  if (found < required) {
    const counts = { found, required, ...data };
    throw new MultisigError('signers-missing', `expected messages of ${required} signers, got ${found}`, counts);
  }
}

/** @param signer hex @param of for the error's data: `keys` in the last round @throws MultisigError `unknown-signer` */
export function requireMember({ signers }: Pick<MultisigAccount, 'signers'>, signer: string, of?: 'keys'): void {
  if (!signers.some((member) => bytesToHex(member) === signer))
    throw new MultisigError('unknown-signer', 'expected messages of this group alone', { signer, ...(of && { of }) });
}

/** Whether a message is by this signer. */
export const isBy = (key: Uint8Array, { signer }: Pick<KexMessage, 'signer'>): boolean => equalBytes(signer, key);
