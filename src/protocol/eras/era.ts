import type { OneTimeKeys } from '../../crypto/index.ts';
import type { AtomicAmount, EcdhInfo, Height, Network, RctType, Transaction, TxOutput, TxPrefix } from '../model.ts';

/** The networks whose upgrades have heights; regtest has all of them at once. */
export type PublicNetwork = Exclude<Network, 'regtest'>;

/**
 * What holds at one protocol version, the major version of blocks: whoever reads, finds, makes or judges transactions asks the era.
 * Versions that differ in their rules alone share the schemes of their file.
 */
export interface Era {
  readonly version: number;
  /** Height of its first block. */
  readonly firstHeight: Readonly<Record<PublicNetwork, Height>>;
  /** Transaction versions that a block's coinbase may have. */
  readonly coinbaseVersions: readonly (1 | 2)[];
  /** RingCT types that may be mined, ascending; none before RingCT. */
  readonly rctTypes: readonly RctType[];
  /** Sizes of rings that may be mined; version 1 amounts that cannot be mixed are exempt. */
  readonly ringSize: { readonly min: number; readonly max: number };
  readonly minOutputs: number;
  /** Most bytes of tx_extra that a node relays (cryptonote_config.h, MAX_TX_EXTRA_SIZE). */
  readonly maxExtra: number;
  /** Whether a payment id in the clear still means something. */
  readonly clearPaymentIds: boolean;
  /** Whether the kinds of a transaction's outputs are those of the era (check_output_types). */
  allowsOutputs(outputs: readonly TxOutput[]): boolean;
  readonly outputs: OutputScheme;
  /** Which kernel scans its blocks. */
  readonly kernel: KernelName;
}

/** Kernels that scan blocks. */
export type KernelName = 'derivations';

/** The public keys that tx_extra names, in order, 32 bytes each. */
export interface TxPublicKeys {
  readonly main: readonly Uint8Array[];
  /** By output. */
  readonly additional: readonly Uint8Array[];
}

/** An output's amount and the mask of its commitment. */
export interface OpenedAmount {
  readonly amount: AtomicAmount;
  /** 64 hex digits; 1 for clear amounts. */
  readonly mask: string;
  readonly rct: boolean;
}

/** An output as its sender makes it. */
export interface SealedOutput {
  readonly output: TxOutput;
  readonly ecdh: EcdhInfo;
  /** Blinds the commitment: 32 bytes, secret. */
  readonly mask: Uint8Array;
}

/** Secret keys of a wallet, 32 bytes each. */
export interface SecretKeys {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
}

/**
 * How an output names its receiver and hides its amount. Sender and receiver share a secret of 32 bytes, `shared` below, that
 * {@link exchange} makes from either's half.
 */
export interface OutputScheme {
  /** The keys in tx_extra that receivers exchange with. */
  publicKeys(tx: Pick<TxPrefix, 'extra'>): TxPublicKeys;
  /** The shared secret of a public key and a secret one; undefined when the public one is none. */
  exchange(publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array | undefined;
  /** Whether an output's view tag, where it has one, is that of the shared secret: the others need no second look. */
  isTagged(tx: TxPrefix, index: number, shared: Uint8Array): boolean;
  /** The public spend key that an output pays to if it was made with the shared secret, 32 bytes; undefined when its key is no point. */
  receiver(tx: TxPrefix, index: number, shared: Uint8Array): Uint8Array | undefined;
  /** The amount of an output that is ours, if its commitment says the same (T8); undefined when it does not, or is 0. */
  open(tx: Transaction, index: number, shared: Uint8Array): OpenedAmount | undefined;
  /** Encrypts or decrypts a payment id of 8 bytes. */
  cryptPaymentId(id: Uint8Array, shared: Uint8Array): Uint8Array;
  /** The secret key that spends an output, 32 bytes; the caller wipes it. */
  secretKey(
    shared: Uint8Array,
    index: number,
    keys: SecretKeys,
    subaddress: { readonly major: number; readonly minor: number },
  ): Uint8Array;
  /** The key image of an output, 32 bytes. */
  keyImage(key: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** Key images of many, cheaper than one by one; undefined where the secret, a canonical scalar, does not make the key. */
  keyImages(pairs: readonly OneTimeKeys[]): (Uint8Array | undefined)[];
  /** An output of a hidden amount. Undefined when the spend key is no point. */
  seal(spendKey: Uint8Array, amount: bigint, shared: Uint8Array, index: number): SealedOutput | undefined;
}
