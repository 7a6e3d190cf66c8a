import { asArray, asObject, asText, bytesToHex, hexToBytes, parseJson, stringifyJson } from '../../base/index.ts';
import { keccak256 } from '../../crypto/index.ts';
import { type Network, type OutputKey, signatureMessage, totalOf } from '../../protocol/index.ts';
import type { MultisigTxSet } from '../../wallet2/index.ts';
import { realKeys } from '../offline-signing/claims.ts';
import { describeSet } from '../offline-signing/describe.ts';
import type { WalletEvent } from '../state/events.ts';
import { requireComplete } from './verify-proposal.ts';

/** A group's unfinished payments, each stored as an attribute of the journal. */

const PREFIX = 'group-set:';

/** A group's payment that is not fully signed yet. */
export interface StoredSet {
  /** Hash of what is signed, 64 hex digits: it does not depend on who has signed. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Unix seconds. */
  readonly at: number;
  /** One-time keys of the coins it takes. */
  readonly coins: readonly OutputKey[];
  /** Atomic units. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** Base keys, hex. */
  readonly proposers: readonly string[];
  readonly signers: readonly string[];
}

/**
 * A set as it describes itself, unchecked against this wallet.
 * @throws OfflineSigningError as `describeSet` and `requireComplete`
 */
export function describedSet(set: MultisigTxSet, bytes: Uint8Array, network: Network, at: number): StoredSet {
  const constructions = set.transactions.map(({ construction }) => construction);
  const { recipients, fee } = describeSet(constructions, network).summary;
  const signers = set.signers.map(bytesToHex);
  return {
    id: bytesToHex(keccak256(...set.transactions.map((pending, i) => signatureMessage(requireComplete(pending, i))))),
    bytes,
    at,
    coins: constructions.flatMap(realKeys),
    amount: totalOf(recipients),
    fee,
    proposers: proposersOf(set, signers),
    signers,
  };
}

/** The possible proposers: those who have signed and are in every set of signers that could complete the payment. */
function proposersOf({ transactions }: MultisigTxSet, signers: readonly string[]): string[] {
  const left = new Set(transactions.flatMap(({ attempts }) => attempts.flatMap(({ ignored }) => ignored.map(bytesToHex))));
  return signers.filter((signer) => !left.has(signer));
}

/** A payment that has more signatures than `before`. Its proposer is among those that were possible then: a complete set names all its signers. */
export function signedFurther(set: StoredSet, before: StoredSet): StoredSet {
  const proposers = set.proposers.filter((one) => before.proposers.includes(one));
  return { ...set, at: before.at, proposers: proposers.length > 0 ? proposers : set.proposers };
}

/** The event that stores a payment until it is sent or given up. */
export function storedSetSaved({ id, bytes, amount, fee, ...rest }: StoredSet): WalletEvent {
  const { at, coins, proposers, signers } = rest;
  const lists = { coins: [...coins], proposers: [...proposers], signers: [...signers] };
  const value = stringifyJson({ bytes: bytesToHex(bytes), amount: String(amount), fee: String(fee), at, ...lists });
  return { type: 'AttributeSet', key: PREFIX + id, value };
}

/** The event that forgets a stored payment. */
export const storedSetRemoved = (id: string): WalletEvent => ({ type: 'AttributeSet', key: PREFIX + id, value: '' });

/** All stored payments, the oldest first. */
export function storedSets(attributes: ReadonlyMap<string, string>): StoredSet[] {
  const sets = [...attributes].flatMap(([key, value]) =>
    key.startsWith(PREFIX) && value !== '' ? [readSet(key.slice(PREFIX.length), value)] : [],
  );
  return sets.sort((a, b) => a.at - b.at);
}

function readSet(id: string, value: string): StoredSet {
  const { bytes, amount, fee, at, coins, proposers, signers } = asObject(parseJson(value));
  const texts = (list: typeof coins) => asArray(list).map((one) => asText(one));
  return {
    ...{ id, bytes: hexToBytes(asText(bytes)), at: Number(at), coins: texts(coins) as OutputKey[] },
    ...{ amount: BigInt(asText(amount)), fee: BigInt(asText(fee)), proposers: texts(proposers), signers: texts(signers) },
  };
}
