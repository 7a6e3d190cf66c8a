import { asciiToBytes, concatBytes } from '../../src/base/index.ts';
import {
  generateSignature,
  generateTxProof,
  keccak256,
  scalarInvert,
  scalarMulBase,
  scalarMulPoint,
  systemRandom,
} from '../../src/crypto/index.ts';
import { type AddressKeys, encodeBase58, type PaidAddress } from '../../src/protocol/index.ts';
import { decodeReserveProof, encodeReserveProof } from '../../src/wallet/proofs/reserve-text.ts';
import { decodeTxProof, encodeTxProof } from '../../src/wallet/proofs/tx-proof.ts';

// Proofs of the first version: nobody makes them any more, but all wallets still accept them.

/**
 * Converts a proof of payment of the second version to the first.
 * @param secrets the transaction's secret keys for one by the payer, the view key for one by the payee: 32 bytes each, one per part
 */
export function oldTxProof(
  text: string,
  address: PaidAddress,
  txHash: Uint8Array,
  message: string,
  secrets: readonly Uint8Array[],
): string {
  const { direction, parts } = decodeTxProof(text);
  const hash = keccak256(txHash, asciiToBytes(message));
  const B = address.isSubaddress ? address.spendKey : undefined;
  const remade = parts.map(({ shared }, i) => {
    const secret = secrets[i]!;
    const own = B === undefined ? scalarMulBase(secret) : scalarMulPoint(secret, B);
    // The payee's shared point is the view key times the transaction's public key.
    const A = direction === 'out' ? address.viewKey : scalarMulPoint(scalarInvert(secret), shared);
    return { shared, signature: generateTxProof({ hash, R: own, A, B, D: shared }, secret, systemRandom, 1) };
  });
  return encodeTxProof({ direction, version: 1, parts: remade });
}

/** Converts a proof of reserve of the second version to the first: the shared points are proven in the old way. */
export function oldReserveProof(text: string, owner: AddressKeys, message: string, viewKey: Uint8Array): string {
  const { entries, owners } = decodeReserveProof(text);
  const images = entries.map(({ keyImage }) => keyImage);
  const hash = keccak256(concatBytes(asciiToBytes(message), owner.spendKey, owner.viewKey, ...images));
  const remade = entries.map((entry) => {
    const A = scalarMulPoint(scalarInvert(viewKey), entry.shared);
    const statement = { hash, R: owner.viewKey, A, B: undefined, D: entry.shared };
    return { ...entry, sharedSignature: generateTxProof(statement, viewKey, systemRandom, 1) };
  });
  return encodeReserveProof({ version: 1, entries: remade, owners });
}

/** A message signed in the first version: not bound to an address. */
export const oldSignature = (data: string, pub: Uint8Array, secret: Uint8Array): string =>
  `SigV1${encodeBase58(generateSignature(keccak256(asciiToBytes(data)), pub, secret, systemRandom))}`;
