import { ProtocolError } from '../protocol/errors.ts';
import {
  blob,
  bool,
  bytes,
  key,
  type Layout,
  list,
  mapped,
  position,
  struct,
  text,
  tuple,
  u8,
  u32,
  u64,
  varint,
  varint32,
  versioned,
} from './archive.ts';

/** A ring member: its global index, one-time key and commitment. */
export interface SourceOutput {
  readonly globalIndex: bigint;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 32 bytes. */
  readonly commitment: Uint8Array;
}

const sourceOutput: Layout<SourceOutput> = mapped(
  tuple(varint, struct<Omit<SourceOutput, 'globalIndex'>>({ key, commitment: key })),
  ([globalIndex, keys]) => ({ globalIndex, ...keys }),
  (output) => [output.globalIndex, output] as const,
);

/** An output to spend with all that signing needs but the secret (`tx_source_entry`, cryptonote_tx_utils.h). */
export interface TxSource {
  readonly outputs: readonly SourceOutput[];
  /** Where among `outputs` the one to spend is. */
  readonly realOutput: bigint;
  /** Public key of the transaction that made the output, 32 bytes. */
  readonly txPublicKey: Uint8Array;
  /** One an output of that transaction, or none; 32 bytes each. */
  readonly additionalPublicKeys: readonly Uint8Array[];
  /** Which output of that transaction it is. */
  readonly outputIndex: bigint;
  readonly amount: bigint;
  readonly rct: boolean;
  /** Mask of its commitment, 32 bytes. */
  readonly mask: Uint8Array;
  /** 128 bytes, zero outside of multisig. */
  readonly multisig: Uint8Array;
}

const plainSource = struct<TxSource>({
  outputs: list(sourceOutput),
  realOutput: u64,
  txPublicKey: key,
  additionalPublicKeys: list(key),
  outputIndex: u64,
  amount: u64,
  rct: bool,
  mask: key,
  multisig: blob(128),
});

const txSource: Layout<TxSource> = {
  ...plainSource,
  read(reader) {
    const source = plainSource.read(reader);
    if (source.realOutput >= BigInt(source.outputs.length)) {
      throw new ProtocolError('bad-structure', 'expected the output to spend among the ring members');
    }
    return source;
  },
};

/** Somebody to pay (`tx_destination_entry`). */
export interface TxDestination {
  /** The address as the person wrote it; empty for change. */
  readonly original: string;
  readonly amount: bigint;
  /** 32 bytes; zeros where there is no change. */
  readonly spendKey: Uint8Array;
  /** 32 bytes. */
  readonly viewKey: Uint8Array;
  readonly isSubaddress: boolean;
  readonly isIntegrated: boolean;
}

export const txDestination = struct<TxDestination>({
  original: text,
  amount: varint,
  spendKey: key,
  viewKey: key,
  isSubaddress: bool,
  isIntegrated: bool,
});

/** How to prove (`RCTConfig`). */
export interface RctConfig {
  /** 3 for one padded proof for all outputs. */
  readonly rangeProofType: number;
  /** 4 for Bulletproofs+ with CLSAG; 0 means the newest. */
  readonly bpVersion: number;
}

const rctConfig = versioned(0, () => struct<RctConfig>({ rangeProofType: varint32, bpVersion: varint32 }));

/** A bit of the construction flags: hidden amounts. */
export const USE_RCT = 1;
/** A bit of the construction flags: outputs with view tags. */
export const USE_VIEW_TAGS = 2;

/** A transaction decided but for its keys and signatures (`tx_construction_data`, wallet2.h). */
export interface TxConstruction {
  readonly sources: readonly TxSource[];
  /** Amount 0 with the dummy's address, or with zeros, where nothing comes back. */
  readonly change: TxDestination;
  /** Every output to make, change included. */
  readonly splitDestinations: readonly TxDestination[];
  /** Positions among the wallet's outputs. */
  readonly selectedTransfers: readonly number[];
  /** tx_extra; a payment id in it is in the clear where a cold wallet is to encrypt it. */
  readonly extra: Uint8Array;
  readonly unlockTime: bigint;
  readonly flags: number;
  readonly rctConfig: RctConfig;
  /** Destinations asked for, change not included. */
  readonly destinations: readonly TxDestination[];
  readonly account: number;
  /** Ascending. */
  readonly subaddresses: readonly number[];
}

export const txConstruction = struct<TxConstruction>({
  sources: list(txSource),
  change: txDestination,
  splitDestinations: list(txDestination),
  selectedTransfers: list(position),
  extra: bytes,
  unlockTime: u64,
  flags: u8,
  rctConfig,
  destinations: list(txDestination),
  account: u32,
  subaddresses: list(varint32),
});
