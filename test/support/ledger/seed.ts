import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { asciiToBytes, concatBytes } from '../../../src/base/index.ts';
import { hashToScalar, keccak256 } from '../../../src/crypto/index.ts';

/** The public test seed with which the traces were recorded. */
export const TEST_MNEMONIC = `${'abandon '.repeat(11)}about`;

/** Secret keys of the app for a seed, and the key that encrypts values passing through the host. */
export interface AppKeys {
  readonly viewKey: Uint8Array;
  readonly spendKey: Uint8Array;
  /** 16 bytes. */
  readonly sealing: Uint8Array;
}

const ORDER = secp256k1.Point.Fn.ORDER;
const HARD = 0x8000_0000;
const toBigint = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const to32 = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));

/** BIP39, then BIP32 on secp256k1: m/44'/128'/account'/0/0; b = Hs(k), a = Hs(b). */
export function appKeys(mnemonic: string, account = 0): AppKeys {
  const seed = pbkdf2(sha512, asciiToBytes(mnemonic), asciiToBytes('mnemonic'), { c: 2048, dkLen: 64 });
  let node = hmac(sha512, asciiToBytes('Bitcoin seed'), seed);
  let key = toBigint(node.slice(0, 32));
  for (const step of [44 + HARD, 128 + HARD, account + HARD, 0, 0]) {
    const index = new Uint8Array(4);
    new DataView(index.buffer).setUint32(0, step);
    const own = step >= HARD ? concatBytes(Uint8Array.of(0), to32(key)) : secp256k1.getPublicKey(to32(key), true);
    node = hmac(sha512, node.slice(32), concatBytes(own, index));
    key = (toBigint(node.slice(0, 32)) + key) % ORDER;
  }
  const spendKey = hashToScalar(to32(key));
  const viewKey = hashToScalar(spendKey);
  const sealing = keccak256(keccak256(node.slice(32), viewKey, spendKey)).slice(0, 16);
  return { viewKey, spendKey, sealing };
}
