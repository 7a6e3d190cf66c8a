import { asciiToBytes, bytesToHex, hexToBytes } from '../src/base/index.ts';
import { keccak256, type Random } from '../src/crypto/index.ts';
import type { Network } from '../src/protocol/index.ts';
import type { WalletMark } from './host.ts';

/** Hex digits of a mark's salt. */
const SALT_DIGITS = 32;
const MARK = /^[0-9a-f]{96}$/;

/** Keys and network that make the mark of a wallet. */
export interface Marked {
  /** Secret view key, 32 bytes. */
  readonly viewKey: Uint8Array;
  readonly network: Network;
}

/** A mark with a salt of its own: two marks of one wallet have nothing in common to who lacks its view key. */
export const markOf = (wallet: Marked, random: Random): string => withSalt(wallet, bytesToHex(random.bytes(SALT_DIGITS / 2)));

/** Names of those whose mark is this wallet's. */
export const sameAs = (wallet: Marked, others: readonly WalletMark[]): readonly string[] =>
  others.filter(({ mark }) => MARK.test(mark) && mark === withSalt(wallet, mark.slice(0, SALT_DIGITS))).map(({ name }) => name);

function withSalt({ viewKey, network }: Marked, salt: string): string {
  return salt + bytesToHex(keccak256(asciiToBytes('nightjar mark\0'), viewKey, hexToBytes(salt), asciiToBytes(network)));
}
