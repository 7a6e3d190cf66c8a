import { asciiToBytes, bytesToHex, hexToBytes } from '../src/base/index.ts';
import { keccak256, type Random } from '../src/crypto/index.ts';
import type { Network } from '../src/protocol/index.ts';
import type { WalletMark } from './host.ts';

/** Hex digits of a mark's salt. */
const SALT_DIGITS = 32;
const MARK = /^[0-9a-f]{96}$/;

/** What a wallet's mark is computed from. */
export interface MarkKeys {
  /** Secret view key, 32 bytes. */
  readonly viewKey: Uint8Array;
  readonly network: Network;
}

/** A new mark with a random salt. Without the view key, two marks of the same wallet cannot be linked. */
export const walletMark = (wallet: MarkKeys, random: Random): string =>
  withSalt(wallet, bytesToHex(random.bytes(SALT_DIGITS / 2)));

/** Names of the wallets whose mark matches this wallet's keys and network. */
export const walletsWithSameKeys = (wallet: MarkKeys, others: readonly WalletMark[]): readonly string[] =>
  others.filter(({ mark }) => MARK.test(mark) && mark === withSalt(wallet, mark.slice(0, SALT_DIGITS))).map(({ name }) => name);

function withSalt({ viewKey, network }: MarkKeys, salt: string): string {
  return salt + bytesToHex(keccak256(asciiToBytes('nightjar mark\0'), viewKey, hexToBytes(salt), asciiToBytes(network)));
}
