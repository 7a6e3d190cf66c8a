import type { OneTimeKeys, Random, RingMember, SubaddressIndex } from '../../crypto/index.ts';
import type { PaidAddress, PaidOutput } from '../address.ts';
import type { AtomicAmount, EcdhInfo, Height, Network, RctType, Transaction, TxInput, TxOutput, TxPrefix } from '../model.ts';

/** The networks whose upgrades have heights; regtest has all of them at once. */
export type PublicNetwork = Exclude<Network, 'regtest'>;

/**
 * Rules of one protocol version, the major version of blocks. Code that reads, finds, makes or judges transactions asks the era.
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
  /** Seconds between blocks that the emission aims at. */
  readonly blockSeconds: number;
  /** Least block weight that costs no reward, bytes (get_min_block_weight). */
  readonly fullRewardZone: number;
  /** Heaviest transaction that a pool takes, bytes (tx_pool.cpp, get_transaction_weight_limit). */
  readonly maxWeight: number;
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
  /** One additional key for each output. */
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
export interface MadeOutput {
  readonly output: TxOutput;
  /** Atomic units. */
  readonly amount: bigint;
  readonly ecdh: EcdhInfo;
  /** Blinds the commitment: 32 bytes, secret. */
  readonly mask: Uint8Array;
}

/** The outputs that a transaction is to make, and all that their keys may follow from. */
export interface OutputsAsked {
  /** 1 has its amounts in the clear. */
  readonly version: Transaction['version'];
  /** Inputs in the transaction's order. */
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly PaidOutput[];
  /** The address whose outputs are made with our own view key, 32 bytes, secret. */
  readonly change: { readonly address: PaidAddress; readonly viewKey: Uint8Array } | undefined;
  /** 8 bytes in clear. */
  readonly paymentId: Uint8Array | undefined;
}

/** Random choices made with outputs. With them the same outputs can be made again. */
export interface OutputChoices {
  /** For each output of the transaction its position among those asked for. */
  readonly outputOrder: readonly number[];
  /** Secret keys, 32 bytes each: that of the transaction, then one an output where the scheme has those. */
  readonly txKeys: readonly Uint8Array[];
}

/** All outputs of a transaction, in its order, and what tx_extra tells their receivers. */
export interface MadeOutputs extends OutputChoices {
  readonly outputs: readonly MadeOutput[];
  readonly extra: Uint8Array;
}

/** Inputs that a transaction's keys follow from. */
export interface KeysNeeded {
  /** The one address that is paid, where it is a subaddress: the transaction's key is made of its spend key. */
  readonly onlySubaddress: PaidAddress | undefined;
  /** Every output has a key of its own. */
  readonly needsAdditionalKeys: boolean;
  /** Whom the payment id of tx_extra, real or dummy, is encrypted to; undefined where there is none. */
  readonly paymentIdViewKey: Uint8Array | undefined;
}

/** Secrets that a sender shares with receivers: enough to make the outputs again without the sender's keys. 32 bytes each. */
export interface SharedChoices {
  /** As in {@link OutputChoices}. */
  readonly outputOrder: readonly number[];
  /** The transaction's public key. */
  readonly publicKey: Uint8Array;
  /** One an output, where they have keys of their own. */
  readonly additional: readonly Uint8Array[];
  /** The secret shared with the receiver of each output of the transaction; undefined for change, which the view key opens. */
  readonly shared: readonly (Uint8Array | undefined)[];
  /** The secret that the payment id is encrypted with. */
  readonly paymentIdShared: Uint8Array | undefined;
}

/** Outputs of a transaction, in its order, and its tx_extra. The caller wipes masks. */
export type SharedOutputs = Pick<MadeOutputs, 'outputs' | 'extra'>;

/** Why outputs cannot be made: an address is not two points, keys are too few or too many, or a payment id has several receivers. */
export type OutputsFlaw = 'bad-key' | 'wrong-count' | 'several-receivers';

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
  /**
   * The shared secret that outputs on the chain are opened with: that of {@link exchange}, or the neutral element where the public key is none.
   * Whoever pays so shares nothing with the receiver, whose the coin is all the same (wallet2.cpp, cache_tx_data;
   * cryptonote_format_utils.cpp, generate_key_image_helper).
   */
  sharedByReceiver(publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** Whether an output's view tag, where it has one, is that of the shared secret: the others need no second look. */
  isTagged(tx: TxPrefix, index: number, shared: Uint8Array): boolean;
  /** The public spend key that an output pays to if it was made with the shared secret, 32 bytes; undefined when its key is no point. */
  receiver(tx: TxPrefix, index: number, shared: Uint8Array): Uint8Array | undefined;
  /** The amount of an output that is ours, if its commitment says the same (T8); undefined when it does not, or is 0. */
  open(tx: Transaction, index: number, shared: Uint8Array): OpenedAmount | undefined;
  /** Encrypts or decrypts a payment id of 8 bytes. */
  cryptPaymentId(id: Uint8Array, shared: Uint8Array): Uint8Array;
  /** The secret key that spends an output, 32 bytes; the caller wipes it. */
  secretKey(shared: Uint8Array, index: number, keys: SecretKeys, subaddress: SubaddressIndex): Uint8Array;
  /** The key image of an output, 32 bytes. */
  keyImage(key: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** Key images of many, cheaper than one by one; undefined where the secret, a canonical scalar, does not make the key. */
  keyImages(pairs: readonly OneTimeKeys[]): (Uint8Array | undefined)[];
  /** Makes all outputs of a transaction, with fresh keys and in an order that tells nothing. The caller wipes keys and masks. */
  make(request: OutputsAsked, random: Random): MadeOutputs | OutputsFlaw;
  /** Makes them again from what was chosen: whoever has the keys sees what they must come to. */
  remake(request: OutputsAsked, choices: OutputChoices): MadeOutputs | OutputsFlaw;
  /** Whom the keys have to be made for. @param real whether there is a payment id of somebody's wish */
  keysNeeded(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): KeysNeeded;
  /** {@link remake} without the keys. */
  remakeShared(request: OutputsAsked, choices: SharedChoices): SharedOutputs | OutputsFlaw;
  /** Bytes of an output on the wire behind its amount. */
  readonly outputSize: number;
  /** Bytes of the tx_extra that goes with outputs. @param real whether there is a payment id of somebody's wish */
  extraSize(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): number;
}

/** A spent output as a proof takes it. */
export interface Spend {
  /** Ascending by index. */
  readonly ring: readonly RingMember[];
  /** Position of the output itself in `ring`, from 0. */
  readonly real: number;
  /** Atomic units. */
  readonly amount: bigint;
  /** Mask of its commitment, and its secret key: 32 bytes each. */
  readonly mask: Uint8Array;
  readonly secret: Uint8Array;
  /** 32 bytes. */
  readonly keyImage: Uint8Array;
}

/** Numbers that decide the size of a transaction's proofs. */
export interface ProofShape {
  /** Ring members of each input. */
  readonly rings: readonly number[];
  readonly outputs: number;
  /** Atomic units. */
  readonly fee: bigint;
}

/** Numbers by which the reference's wallet estimates a size before rings are known. */
export interface EstimatedShape {
  readonly inputs: number;
  readonly outputs: number;
  readonly extraSize: number;
  readonly ringSize: number;
}

/** The part of a transaction's proofs that does not hold, and what was expected. */
export interface ProofFlaw {
  readonly flaw: 'malformed' | 'invalid-input' | 'invalid-output' | 'overspend' | 'unbalanced' | 'bad-range-proof';
  readonly expected: string;
}

/** How a transaction proves that it may spend what it spends and makes nothing out of nothing. */
export interface ProofSystem {
  /** Version of the transactions that carry these proofs. */
  readonly version: Transaction['version'];
  /** Undefined for version 1, which has no RingCT. */
  readonly rctType: RctType | undefined;
  /** Proves and signs. @param spends in the order of the inputs */
  prove(
    prefix: Omit<TxPrefix, 'version'>,
    spends: readonly Spend[],
    outputs: readonly MadeOutput[],
    fee: bigint,
    random: Random,
  ): Transaction;
  /** Whether the amounts that outputs show are such as a block may have. */
  allowsAmounts(outputs: readonly TxOutput[]): boolean;
  /** The first flaw in the amounts; needs no chain. */
  amountsFlaw(tx: Transaction, random: Random): ProofFlaw | undefined;
  /** The first flaw in the signatures. @param rings in the order of the inputs */
  spendsFlaw(tx: Transaction, rings: readonly (readonly RingMember[])[]): ProofFlaw | undefined;
  /** Whether the amounts that a transaction hides are those of its outputs. */
  hides(tx: Transaction, outputs: readonly MadeOutput[]): boolean;
  /** Weight that the proofs add to that of a transaction's prefix, exact. */
  weigh(shape: ProofShape): number;
  /** Bytes of a whole transaction as the reference's wallet guesses them. */
  guessSize(shape: EstimatedShape): number;
}
