import { bytesToHex, equalBytes } from '../base/index.ts';
import {
  areInMainSubgroup,
  arePoints,
  IDENTITY,
  keccak256,
  pointAdd,
  type SubaddressIndex,
  scalarMulBase,
  scalarMulPoint,
  subaddressSecretKey,
} from '../crypto/index.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { isProtocolError, ProtocolError } from './errors.ts';
import type { Network } from './model.ts';
import { type AddressKind, NETWORKS } from './network.ts';

/** The two public keys of an address, 32 bytes each. */
export interface AddressKeys {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
}

/** A parsed and checked address. */
export interface Address extends AddressKeys {
  /** `mainnet` for a prefix that mainnet and regtest share, unless regtest was requested. */
  readonly network: Network;
  readonly kind: AddressKind;
  /** 8 bytes, for integrated addresses only. */
  readonly paymentId: Uint8Array | undefined;
}

/** Public keys of an address that is paid. */
export interface PaidAddress extends AddressKeys {
  readonly isSubaddress: boolean;
}

/** The part of an address that outputs are made for. */
export const payeeOf = ({ spendKey, viewKey, kind }: Pick<Address, keyof AddressKeys | 'kind'>): PaidAddress => ({
  spendKey,
  viewKey,
  isSubaddress: kind === 'subaddress',
});

/** An output to make: recipient, and amount in atomic units. */
export interface PaidOutput {
  readonly address: PaidAddress;
  /** 0 only for the dummy that keeps a transaction at two outputs. */
  readonly amount: bigint;
}

/** Whether two addresses have the same keys. */
export const sameAddress = (a: AddressKeys, b: AddressKeys): boolean =>
  equalBytes(a.spendKey, b.spendKey) && equalBytes(a.viewKey, b.viewKey);

/** A unique text for each pair of keys, for use as a map key. */
export const addressId = ({ spendKey, viewKey }: AddressKeys): string => bytesToHex(spendKey) + bytesToHex(viewKey);

const CHECKSUM = 4;
const PAYMENT_ID = 8;
const KINDS: readonly AddressKind[] = ['standard', 'subaddress', 'integrated'];
/** Characters for a prefix byte, two keys and the checksum; an integrated address also has a payment id. */
const TEXT_LENGTH = 95;
const INTEGRATED_TEXT_LENGTH = 106;
/** Network and kind by prefix. Regtest has mainnet's prefixes. */
const BY_PREFIX = new Map(
  (['mainnet', 'stagenet', 'testnet'] as const).flatMap((network) =>
    KINDS.map((kind) => [NETWORKS[network].prefixes[kind], { network, kind }] as const),
  ),
);

/** Parses an address; undefined unless the text is an address of this network. */
export function readAddress(text: string, network: Network): Address | undefined {
  try {
    return decodeAddress(text, network);
  } catch (error) {
    if (isProtocolError(error)) return undefined;
    throw error;
  }
}

/**
 * Reads an address and checks everything that can be checked without a chain: alphabet, length, checksum, prefix, keys that can have an
 * owner (cryptonote_basic_impl.cpp, `get_account_address_from_str`), and the network when one is given.
 * @throws ProtocolError `bad-address-length`, `bad-base58`, `bad-checksum`, `unknown-address-prefix`, `wrong-network` (`data.network` is
 * the address's, `data.expected` the requested one), `bad-key`
 */
export function decodeAddress(text: string, network?: Network): Address {
  const address = decodeOwnAddress(text, network);
  if (!areSomebodys([address.spendKey, address.viewKey]))
    throw new ProtocolError('bad-key', 'expected both keys of the address to be points of the prime subgroup, and not neutral');
  return address;
}

/**
 * Reads the address of the user's own wallet, which may not be payable yet: a group's spend key is the neutral element until its key
 * exchange is complete.
 * @throws ProtocolError as {@link decodeAddress}
 */
export function decodeOwnAddress(text: string, network?: Network): Address {
  if (text.length !== TEXT_LENGTH && text.length !== INTEGRATED_TEXT_LENGTH) {
    throw new ProtocolError(
      'bad-address-length',
      `expected an address of ${TEXT_LENGTH} or ${INTEGRATED_TEXT_LENGTH} characters, got ${text.length}`,
      { length: text.length },
    );
  }
  const reader = new ByteReader(checkedPayload(decodeBase58(text)));
  const prefix = reader.varintNumber();
  const found = BY_PREFIX.get(prefix);
  if (found === undefined)
    throw new ProtocolError('unknown-address-prefix', `expected an address of a known network, got prefix ${prefix}`, { prefix });
  const { kind } = found;
  const spendKey = reader.key();
  const viewKey = reader.key();
  const paymentId = kind === 'integrated' ? reader.bytes(PAYMENT_ID) : undefined;
  reader.expectEnd('the address');
  const address = { network: networkOf(found.network, network), kind, spendKey, viewKey, paymentId };
  if (!arePoints([spendKey, viewKey])) throw new ProtocolError('bad-key', 'expected both keys of the address to be points');
  return address;
}

/** Whether every key can be a secret key times G. Otherwise nobody, or everybody, could spend what is paid to it. */
const areSomebodys = (keys: readonly Uint8Array[]): boolean =>
  areInMainSubgroup(keys) && !keys.some((key) => equalBytes(key, IDENTITY));

function checkedPayload(bytes: Uint8Array): Uint8Array {
  const payload = bytes.subarray(0, bytes.length - CHECKSUM);
  if (!equalBytes(keccak256(payload).subarray(0, CHECKSUM), bytes.subarray(bytes.length - CHECKSUM))) {
    throw new ProtocolError('bad-checksum', 'expected the checksum of the address to match: it is mistyped or cut');
  }
  return payload;
}

function networkOf(found: Network, expected: Network | undefined): Network {
  if (expected === undefined || NETWORKS[expected] === NETWORKS[found]) return expected ?? found;
  throw new ProtocolError('wrong-network', `expected an address of ${expected}, this one is of ${found}`, {
    network: found,
    expected,
  });
}

/** Parts of an address. A payment id makes it integrated. */
export interface AddressParts extends AddressKeys {
  readonly network: Network;
  readonly kind: AddressKind;
  readonly paymentId?: Uint8Array | undefined;
}

/**
 * The text of an address: 95 characters, 106 for an integrated one.
 * @throws ProtocolError `bad-structure` when kind and payment id do not match
 */
export function encodeAddress({ network, kind, spendKey, viewKey, paymentId }: AddressParts): string {
  if ((kind === 'integrated') !== (paymentId !== undefined)) {
    throw new ProtocolError('bad-structure', 'expected a payment id in an integrated address and in no other');
  }
  const writer = new ByteWriter(96).varint(NETWORKS[network].prefixes[kind]).key(spendKey).key(viewKey);
  if (paymentId !== undefined) writer.fixed(paymentId, PAYMENT_ID);
  const payload = writer.finish();
  return encodeBase58(writer.bytes(keccak256(payload).subarray(0, CHECKSUM)).finish());
}

/** Keys that subaddresses derive from: the secret view key and the public spend key of the primary address, 32 bytes each. */
export interface SubaddressSource {
  readonly viewSecretKey: Uint8Array;
  readonly spendPublicKey: Uint8Array;
}

/**
 * Both public keys of a subaddress, D = B + Hs("SubAddr\0" ‖ a ‖ major ‖ minor)·G and C = a·D (device_default.cpp); those of the primary
 * address, B and a·G, for {0, 0}.
 * @throws CryptoError `bad-point` when the spend key is not a point
 */
export function subaddressOf({ viewSecretKey, spendPublicKey }: SubaddressSource, index: SubaddressIndex): AddressKeys {
  if (index.major === 0 && index.minor === 0) return { spendKey: spendPublicKey, viewKey: scalarMulBase(viewSecretKey) };
  const spendKey = pointAdd(spendPublicKey, scalarMulBase(subaddressSecretKey(viewSecretKey, index)));
  return { spendKey, viewKey: scalarMulPoint(viewSecretKey, spendKey) };
}
