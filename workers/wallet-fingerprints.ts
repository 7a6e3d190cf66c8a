import { asciiToBytes, bytesToHex, hexToBytes } from '../src/base/index.ts';
import { keccak256, type Random } from '../src/crypto/index.ts';
import type { Network } from '../src/protocol/index.ts';
import type { WalletFingerprint } from './host.ts';

/** Hex digits of a fingerprint's salt. */
const SALT_DIGITS = 32;
const FINGERPRINT = /^[0-9a-f]{96}$/;
/** Part of every stored fingerprint: it cannot change. */
const DOMAIN = asciiToBytes('nightjar mark\0');

/** What a wallet's fingerprint is computed from. */
export interface FingerprintKeys {
  /** Secret view key, 32 bytes. */
  readonly viewKey: Uint8Array;
  readonly network: Network;
}

/** A new fingerprint with a random salt. Without the view key, two fingerprints of the same wallet cannot be linked. */
export const walletFingerprint = (wallet: FingerprintKeys, random: Random): string =>
  withSalt(wallet, bytesToHex(random.bytes(SALT_DIGITS / 2)));

/** Names of the wallets whose fingerprint matches this wallet's keys and network. */
export const walletsWithSameKeys = (wallet: FingerprintKeys, others: readonly WalletFingerprint[]): readonly string[] =>
  others
    .filter(
      ({ fingerprint }) => FINGERPRINT.test(fingerprint) && fingerprint === withSalt(wallet, fingerprint.slice(0, SALT_DIGITS)),
    )
    .map(({ name }) => name);

function withSalt({ viewKey, network }: FingerprintKeys, salt: string): string {
  return salt + bytesToHex(keccak256(DOMAIN, viewKey, hexToBytes(salt), asciiToBytes(network)));
}
