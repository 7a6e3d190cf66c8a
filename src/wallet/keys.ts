import { bytesToHex, equalBytes, wipe } from '../base/index.ts';
import { secretKeyToPublicKey, subaddressSpendKeys } from '../crypto/index.ts';
import { type AddressKeys, decodeOwnAddress, encodeAddress, type Network, subaddressOf } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import type { SubaddressIndex, WalletDescription } from './model.ts';
import type { MultisigAccount } from './multisig/account.ts';
import type { WalletSecrets } from './wallet-secrets.ts';

/**
 * The keys of an open wallet: secrets as in the journal's header, and the derived public keys. It lives in the worker that owns the wallet;
 * `wipe` ends it.
 */
export class WalletKeys {
  readonly network: Network;
  #viewKey: Uint8Array;
  #spendKey: Uint8Array | undefined;
  #primary: AddressKeys;

  private constructor(network: Network, secrets: WalletSecrets, primary: AddressKeys) {
    this.network = network;
    this.#viewKey = secrets.viewKey;
    this.#spendKey = secrets.spendKey;
    this.#primary = primary;
  }

  /**
   * Binds secrets to the address they belong to.
   * @throws WalletError `bad-key` when a secret does not belong to the address, `bad-address` when it is none
   */
  static of(secrets: WalletSecrets, description: Pick<WalletDescription, 'network' | 'primaryAddress'>): WalletKeys {
    const primary = decodePrimary(description.primaryAddress, description.network);
    requireMatch(secrets.viewKey, primary.viewKey, 'view');
    if (secrets.spendKey !== undefined) requireMatch(secrets.spendKey, primary.spendKey, 'spend');
    return new WalletKeys(description.network, secrets, primary);
  }

  /** Secret view key, 32 bytes. */
  get viewKey(): Uint8Array {
    return this.#viewKey;
  }

  /** The public keys of the main address. */
  get primary(): AddressKeys {
    return this.#primary;
  }

  /** Secret spend key, 32 bytes; undefined in wallets that hold none, and while it is forgotten. */
  get spendKey(): Uint8Array | undefined {
    return this.#spendKey;
  }

  /** Wipes the spend key: the wallet then sees incoming payments, but makes no key images. */
  forgetSpendKey(): void {
    if (this.#spendKey !== undefined) wipe(this.#spendKey);
    this.#spendKey = undefined;
  }

  /** Restores the spend key. @throws WalletError `bad-key` when it does not belong to the address */
  recallSpendKey(secret: Uint8Array): void {
    requireMatch(secret, this.primary.spendKey, 'spend');
    this.#spendKey = secret;
  }

  /**
   * Makes these the keys of a group that the wallet has joined, without a spend key.
   * @param commonSecret copied @throws WalletError `bad-key`, `bad-address`
   */
  become({ commonSecret }: Pick<MultisigAccount, 'commonSecret'>, primaryAddress: string): void {
    const primary = decodePrimary(primaryAddress, this.network);
    requireMatch(commonSecret, primary.viewKey, 'view');
    this.forgetSpendKey();
    this.#viewKey = commonSecret.slice();
    this.#primary = primary;
  }

  /** Public keys of any address of the wallet. */
  addressKeys(index: SubaddressIndex): AddressKeys {
    return isPrimary(index)
      ? this.primary
      : subaddressOf({ viewSecretKey: this.viewKey, spendPublicKey: this.primary.spendKey }, index);
  }

  /** Public spend keys of an account's addresses `from` … `to` − 1, 32 bytes each, one after the other. */
  spendKeys(major: number, from: number, to: number): Uint8Array {
    const keys = subaddressSpendKeys(this.viewKey, this.primary.spendKey, { major, minor: from }, to - from);
    if (to > from && isPrimary({ major, minor: from })) keys.set(this.primary.spendKey);
    return keys;
  }

  /** The address at an index: 95 characters, on every network. */
  address(index: SubaddressIndex): string {
    const kind = isPrimary(index) ? 'standard' : 'subaddress';
    return encodeAddress({ network: this.network, kind, ...this.addressKeys(index) });
  }

  /** Overwrites both secrets; the object is then unusable. */
  wipe(): void {
    wipe(this.viewKey);
    this.forgetSpendKey();
  }
}

/** Whether it is the main address, 0/0, whose keys are the wallet's own. */
export const isPrimary = (index: SubaddressIndex): boolean => index.major === 0 && index.minor === 0;

/** The primary address of a pair of secrets. @throws WalletError `bad-key` when a secret is not a canonical scalar */
export function primaryAddressOf(spendKey: Uint8Array, viewKey: Uint8Array, network: Network): string {
  const spend = secretKeyToPublicKey(spendKey);
  const view = secretKeyToPublicKey(viewKey);
  if (spend === undefined || view === undefined) throw new WalletError('bad-key', 'expected secret keys below the group order');
  return encodeAddress({ network, kind: 'standard', spendKey: spend, viewKey: view });
}

function decodePrimary(text: string, network: Network): AddressKeys {
  const address = decodeOwnAddress(text, network);
  if (address.kind !== 'standard') throw new WalletError('bad-address', 'expected the main address of a wallet');
  return { spendKey: address.spendKey, viewKey: address.viewKey };
}

function requireMatch(secret: Uint8Array, expected: Uint8Array, name: string): void {
  const key = secretKeyToPublicKey(secret);
  if (key === undefined || !equalBytes(key, expected))
    throw new WalletError('bad-key', `expected the secret ${name} key that belongs to the address`, {
      key: bytesToHex(expected),
    });
}
