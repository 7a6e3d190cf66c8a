import { asciiToBytes, wipe } from '../../base/index.ts';
import { hashToScalar, keccak256 } from '../../crypto/index.ts';

/**
 * The secret keys of a group's transaction are derived from its proposer's entropy and from the key images that it spends: so no two
 * transactions that can both be mined make the same one-time keys, of which only one could be spent (multisig_tx_builder_ringct.cpp).
 */

const SEED_DOMAIN = asciiToBytes('multisig_tx_privkeys_seed');
const CHAIN_DOMAIN = asciiToBytes('multisig_tx_privkeys');

/**
 * The first `count` keys: the transaction's, then the additional ones, one for each output. 32 bytes each; the caller wipes them.
 * @param entropy 32 bytes, in the set of transactions
 * @param keyImages in the order of the transaction's inputs, 32 bytes each
 */
export function groupTxKeys(entropy: Uint8Array, keyImages: readonly Uint8Array[], count: number): Uint8Array[] {
  const seed = keccak256(keccak256(SEED_DOMAIN), entropy, ...keyImages);
  const keys: Uint8Array[] = [];
  let last = keccak256(CHAIN_DOMAIN);
  for (let i = 0; i < count; i++) {
    last = hashToScalar(seed, last);
    keys.push(last);
  }
  wipe(seed);
  return keys;
}
