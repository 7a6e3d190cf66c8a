import type { OneTimeKeys, Random, RingMember, SubaddressIndex } from '../../crypto/index.ts';
import type { PaidAddress, PaidOutput } from '../address.ts';
import type { AtomicAmount, EcdhInfo, Height, Network, RctType, Transaction, TxInput, TxOutput, TxPrefix } from '../model.ts';

/** The networks whose upgrades have heights; regtest has all of them from block 1. */
export type PublicNetwork = Exclude<Network, 'regtest'>;

/**
 * Rules of one protocol version, the major version of blocks, for all code that reads, finds, makes or checks transactions. Versions that
 * differ only in their rules share the schemes of their file.
 */
export interface Era {
  readonly version: number;
  /** Height of its first block. */
  readonly firstHeight: Readonly<Record<PublicNetwork, Height>>;
  /** Transaction versions that a block's coinbase may have. */
  readonly coinbaseVersions: readonly (1 | 2)[];
  /** RingCT types that may be mined, ascending; none before RingCT. */
  readonly rctTypes: readonly RctType[];
  /** Ring sizes that may be mined; version 1 amounts that cannot be mixed are exempt. */
  readonly ringSize: { readonly min: number; readonly max: number };
  readonly minOutputs: number;
  /** Maximum bytes of tx_extra that a node relays (cryptonote_config.h, MAX_TX_EXTRA_SIZE). */
  readonly maxExtra: number;
  /** Target seconds between blocks, for the emission. */
  readonly blockSeconds: number;
  /** Block weight up to which no reward is lost, bytes (get_min_block_weight). */
  readonly fullRewardZone: number;
  /** Maximum weight of a transaction in the pool, bytes (tx_pool.cpp, get_transaction_weight_limit). */
  readonly maxWeight: number;
  /** Whether clear payment ids are still in use. */
  readonly clearPaymentIds: boolean;
  /** Whether the era allows outputs of these kinds (check_output_types). */
  allowsOutputs(outputs: readonly TxOutput[]): boolean;
  readonly outputs: OutputScheme;
  /** Which kernel scans its blocks. */
  readonly kernel: KernelName;
}

/** Kernels that scan blocks. */
export type KernelName = 'derivations';

/** The public keys in tx_extra, in order, 32 bytes each. */
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

/** An output made by its sender. */
export interface MadeOutput {
  readonly output: TxOutput;
  /** Atomic units. */
  readonly amount: bigint;
  readonly ecdh: EcdhInfo;
  /** Blinds the commitment: 32 bytes, secret. */
  readonly mask: Uint8Array;
}

/** The outputs to make for a transaction, and everything that their keys may depend on. */
export interface OutputsAsked {
  /** Version 1 has clear amounts. */
  readonly version: Transaction['version'];
  /** Inputs in the transaction's order. */
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly PaidOutput[];
  /** The address whose outputs are made with our own view key, 32 bytes, secret. */
  readonly change: { readonly address: PaidAddress; readonly viewKey: Uint8Array } | undefined;
  /** 8 bytes, not encrypted. */
  readonly paymentId: Uint8Array | undefined;
}

/** Random choices of making outputs. With them, the same outputs can be made again. */
export interface OutputChoices {
  /** For each output of the transaction, its position among the requested ones. */
  readonly outputOrder: readonly number[];
  /** Secret keys, 32 bytes each: that of the transaction, then one per output where the scheme has those. */
  readonly txKeys: readonly Uint8Array[];
}

/** All outputs of a transaction, in its order, and the tx_extra for their receivers. */
export interface MadeOutputs extends OutputChoices {
  readonly outputs: readonly MadeOutput[];
  readonly extra: Uint8Array;
}

/** What a transaction's keys depend on. */
export interface KeysNeeded {
  /** The only address that is paid, if it is a subaddress: the transaction's public key is made from its spend key. */
  readonly onlySubaddress: PaidAddress | undefined;
  /** Whether every output needs its own key. */
  readonly needsAdditionalKeys: boolean;
  /** View key to which the payment id of tx_extra, real or dummy, is encrypted; undefined without one. */
  readonly paymentIdViewKey: Uint8Array | undefined;
}

/** Secrets that a sender shares with receivers: enough to make the outputs again without the sender's keys. 32 bytes each. */
export interface SharedChoices {
  /** As in {@link OutputChoices}. */
  readonly outputOrder: readonly number[];
  /** The transaction's public key. */
  readonly publicKey: Uint8Array;
  /** One per output, where outputs have their own keys. */
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
 * {@link exchange} computes from either side's keys.
 */
export interface OutputScheme {
  /** The keys in tx_extra that receivers exchange with. */
  publicKeys(tx: Pick<TxPrefix, 'extra'>): TxPublicKeys;
  /** The shared secret of a public key and a secret one; undefined when the public one is not a point. */
  exchange(publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array | undefined;
  /**
   * The shared secret for opening outputs on the chain: that of {@link exchange}, or the neutral element when the public key is not a
   * point. Such an output still belongs to its receiver, although the payer shared no secret (wallet2.cpp, cache_tx_data;
   * cryptonote_format_utils.cpp, generate_key_image_helper).
   */
  sharedByReceiver(publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** Whether an output's view tag, if it has one, matches the shared secret: other outputs need no further check. */
  isTagged(tx: TxPrefix, index: number, shared: Uint8Array): boolean;
  /** The public spend key that an output pays to if it was made with the shared secret, 32 bytes; undefined when its key is not a point. */
  receiver(tx: TxPrefix, index: number, shared: Uint8Array): Uint8Array | undefined;
  /** The amount of an output of ours, if it matches the commitment (T8); undefined if not, or if it is 0. */
  open(tx: Transaction, index: number, shared: Uint8Array): OpenedAmount | undefined;
  /** Encrypts or decrypts a payment id of 8 bytes. */
  cryptPaymentId(id: Uint8Array, shared: Uint8Array): Uint8Array;
  /** The secret key that spends an output, 32 bytes; the caller wipes it. */
  secretKey(shared: Uint8Array, index: number, keys: SecretKeys, subaddress: SubaddressIndex): Uint8Array;
  /** The key image of an output, 32 bytes. */
  keyImage(key: Uint8Array, secretKey: Uint8Array): Uint8Array;
  /** Key images of many, cheaper than one by one; undefined where the secret, a canonical scalar, does not make the key. */
  keyImages(pairs: readonly OneTimeKeys[]): (Uint8Array | undefined)[];
  /** Makes all outputs of a transaction, with fresh keys and in random order. The caller wipes keys and masks. */
  make(request: OutputsAsked, random: Random): MadeOutputs | OutputsFlaw;
  /** Makes them again from known choices, to check what a transaction must contain. */
  remake(request: OutputsAsked, choices: OutputChoices): MadeOutputs | OutputsFlaw;
  /** What the transaction's keys depend on. @param real whether a payment id was requested */
  keysNeeded(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): KeysNeeded;
  /** {@link remake} without the keys. */
  remakeShared(request: OutputsAsked, choices: SharedChoices): SharedOutputs | OutputsFlaw;
  /** Bytes of an output on the wire after its amount. */
  readonly outputSize: number;
  /** Bytes of the tx_extra for these outputs. @param real whether a payment id was requested */
  extraSize(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): number;
}

/** An output to spend, as a proof needs it. */
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

/** Numbers that determine the size of a transaction's proofs. */
export interface ProofShape {
  /** Ring members of each input. */
  readonly rings: readonly number[];
  readonly outputs: number;
  /** Atomic units. */
  readonly fee: bigint;
}

/** Numbers from which the reference's wallet estimates a size before rings are known. */
export interface EstimatedShape {
  readonly inputs: number;
  readonly outputs: number;
  readonly extraSize: number;
  readonly ringSize: number;
}

/** The invalid part of a transaction's proofs, and what was expected. */
export interface ProofFlaw {
  readonly flaw: 'malformed' | 'invalid-input' | 'invalid-output' | 'overspend' | 'unbalanced' | 'bad-range-proof';
  readonly expected: string;
}

/** How a transaction proves that it may spend its inputs and creates no coins. */
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
  /** Whether a block may have outputs with these visible amounts. */
  allowsAmounts(outputs: readonly TxOutput[]): boolean;
  /** The first flaw in the amounts; needs no chain. */
  amountsFlaw(tx: Transaction, random: Random): ProofFlaw | undefined;
  /** The first flaw in the signatures. @param rings in the order of the inputs */
  spendsFlaw(tx: Transaction, rings: readonly (readonly RingMember[])[]): ProofFlaw | undefined;
  /** Whether a transaction's hidden amounts are those of these outputs. */
  hides(tx: Transaction, outputs: readonly MadeOutput[]): boolean;
  /** Exact weight that the proofs add to a transaction's prefix. */
  weigh(shape: ProofShape): number;
  /** Bytes of a whole transaction as estimated by the reference's wallet. */
  guessSize(shape: EstimatedShape): number;
}
