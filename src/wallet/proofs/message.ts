import { asciiToBytes, varintBytes, wipe } from '../../base/index.ts';
import {
  checkSignature,
  generateSignature,
  keccak256,
  type Random,
  scalarAdd,
  scalarMul,
  subaddressSecretKey,
} from '../../crypto/index.ts';
import { type AddressKeys, encodeBase58 } from '../../protocol/index.ts';
import { isPrimary, type WalletKeys } from '../keys.ts';
import type { SubaddressIndex } from '../model.ts';
import { decodeBase58Field, messageBytes } from './encoding.ts';
import { ProofError } from './errors.ts';

/** Which of an address's two keys signs. */
export type SignatureKind = 'spend' | 'view';

const DOMAIN = asciiToBytes('MoneroMessageSignature\0');
const MODE: Readonly<Record<SignatureKind, number>> = { spend: 0, view: 1 };
const HEADER = /^SigV([12])/;

/** The signed hash, bound to both keys of the address and to the signing one, 32 bytes (`get_message_hash`, wallet2.cpp). */
function messageHash(message: string, { spendKey, viewKey }: AddressKeys, kind: SignatureKind): Uint8Array {
  const bytes = messageBytes(message);
  return keccak256(DOMAIN, spendKey, viewKey, Uint8Array.of(MODE[kind]), varintBytes(bytes.length), bytes);
}

/** `sign`, wallet2.cpp. */
export function signMessage(
  keys: WalletKeys,
  message: string,
  kind: SignatureKind,
  index: SubaddressIndex,
  random: Random,
): string {
  const secret = signingKey(keys, kind, index);
  const address = keys.addressKeys(index);
  const pub = kind === 'spend' ? address.spendKey : address.viewKey;
  const signature = generateSignature(messageHash(message, address, kind), pub, secret, random);
  wipe(secret);
  return `SigV2${encodeBase58(signature)}`;
}

/** The secret key, 32 bytes. A subaddress's view key is a·(b + m), which needs the spend key, too. */
function signingKey({ spendKey, viewKey }: WalletKeys, kind: SignatureKind, index: SubaddressIndex): Uint8Array {
  if (kind === 'view' && isPrimary(index)) return viewKey.slice();
  if (spendKey === undefined) throw new ProofError('view-only', 'expected a wallet that holds its spend key');
  if (isPrimary(index)) return spendKey.slice();
  const share = subaddressSecretKey(viewKey, index);
  const spend = scalarAdd(spendKey, share);
  wipe(share);
  if (kind === 'spend') return spend;
  const view = scalarMul(viewKey, spend);
  wipe(spend);
  return view;
}

/** Result of checking a signature. */
export interface MessageVerdict {
  readonly good: boolean;
  /** 1 or 2; 0 if it is not valid. */
  readonly version: 0 | 1 | 2;
  /** Whether the signature has the old form, which is bound neither to an address nor to a key. */
  readonly old: boolean;
  readonly kind: SignatureKind;
}

const NOT_GOOD: MessageVerdict = { good: false, version: 0, old: false, kind: 'spend' };

/**
 * Whether a text is the signature of a message by one of an address's keys (`verify`, wallet2.cpp).
 *
 * @example
 * ```ts
 * import { createWallet, decodeAddress, MemoryJournalStore, verifyMessage } from 'nightjar';
 *
 * const place = { store: new MemoryJournalStore(), name: 'shop', password: 'correct horse' };
 * const wallet = await createWallet({ ...place, network: 'regtest' });
 * const signature = await wallet.proofs.signMessage('this shop is mine');
 *
 * const address = decodeAddress((await wallet.view()).primaryAddress, 'regtest');
 * console.log(verifyMessage('this shop is mine', address, signature).good);
 * console.log(verifyMessage('that shop is mine', address, signature).good);
 * await wallet.close();
 * ```
 */
export function verifyMessage(message: string, address: AddressKeys, text: string): MessageVerdict {
  const header = HEADER.exec(text);
  const signature = header === null ? undefined : signatureOf(text.slice(header[0].length));
  if (header === null || signature === undefined) return NOT_GOOD;
  const old = header[1] === '1';
  const hash = (kind: SignatureKind) => (old ? keccak256(messageBytes(message)) : messageHash(message, address, kind));
  for (const kind of ['spend', 'view'] as const) {
    const pub = kind === 'spend' ? address.spendKey : address.viewKey;
    if (checkSignature(hash(kind), pub, signature)) return { good: true, version: old ? 1 : 2, old, kind };
  }
  return NOT_GOOD;
}

function signatureOf(digits: string): Uint8Array | undefined {
  try {
    return decodeBase58Field(digits, 64);
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}
