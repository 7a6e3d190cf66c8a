import { asciiToBytes, bytesToHex, compareBytes, concatBytes, hexToBytes, padBytes } from '../../base/index.ts';
import { hashToScalar, multiScalarMulVartime, scalarIsZero, scalarMul, secretKeyToPublicKey } from '../../crypto/index.ts';
import { MultisigError } from './errors.ts';

/** Domain separator of the coefficients: the name in a field of 32 bytes. */
const AGGREGATION = padBytes(asciiToBytes('Multisig_key_agg'), 32);
const BLINDING = padBytes(asciiToBytes('Multisig'), 32);

/**
 * The key that a wallet uses in a group in place of one of its own, or the key made from a shared secret point: a scalar that reveals
 * nothing about its input (`get_multisig_blinded_secret_key`). @param secret 32 bytes
 */
export function blindedKey(secret: Uint8Array): Uint8Array {
  if (scalarIsZero(secret)) throw new MultisigError('bad-account', 'expected a secret other than zero');
  return hashToScalar(secret, BLINDING);
}

/** The view key of the group: the hash of all signers' parts, in ascending order. @param parts 32 bytes each */
export function commonSecretOf(parts: readonly Uint8Array[]): Uint8Array {
  return hashToScalar(...[...parts].sort(compareBytes));
}

/** The group's key, and our shares of it with their coefficients. */
export interface AggregateKey {
  readonly groupKey: Uint8Array;
  readonly keyShares: readonly Uint8Array[];
}

/**
 * The group's key: the sum of all keys, each times a coefficient that depends on all of them, so that nobody can choose a key that
 * cancels the others' (MRL-0009).
 * @param others keys that we hold no share of, 32 bytes each; @param keyShares our shares, without coefficients
 * @throws MultisigError `contradiction` when two keys are the same
 */
export function aggregate(others: readonly Uint8Array[], keyShares: readonly Uint8Array[]): AggregateKey {
  const own = keyShares.map((share) => bytesToHex(requirePublic(share)));
  const all = [...others.map(bytesToHex), ...own].sort();
  if (all.some((key, i) => key === all[i - 1])) throw new MultisigError('contradiction', 'expected keys that differ');
  const keys = all.map(hexToBytes);
  const inOrder = concatBytes(...keys);
  const coefficients = keys.map((key) => hashToScalar(key, inOrder, AGGREGATION));
  const coefficientOf = new Map(all.map((key, i) => [key, coefficients[i]!]));
  return {
    groupKey: multiScalarMulVartime(coefficients, keys),
    keyShares: keyShares.map((share, i) => scalarMul(coefficientOf.get(own[i]!)!, share)),
  };
}

/** The public key of a share. @throws MultisigError `bad-account` */
export function requirePublic(secret: Uint8Array): Uint8Array {
  const key = secretKeyToPublicKey(secret);
  if (key === undefined) throw new MultisigError('bad-account', 'expected a secret below the group order');
  return key;
}
