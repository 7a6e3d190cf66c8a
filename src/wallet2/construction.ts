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
  type ValueOf,
  varint,
  varint32,
  versioned,
} from './archive.ts';

/** A ring member: its global index, one-time key and commitment, 32 bytes each. */
const sourceOutput = mapped(
  tuple(varint, struct({ key, commitment: key })),
  ([globalIndex, keys]) => ({ globalIndex, ...keys }),
  (output) => [output.globalIndex, output] as const,
);

/**
 * An output to spend with everything that signing needs except the secret (`tx_source_entry`, cryptonote_tx_utils.h). Keys have 32 bytes.
 */
export type TxSource = ValueOf<typeof plainSource>;

const plainSource = struct({
  outputs: list(sourceOutput),
  /** Position among `outputs` of the one that is spent, from 0. */
  realOutput: u64,
  /** Public key of the transaction that made the output. */
  txPublicKey: key,
  /** One per output of that transaction, or none. */
  additionalPublicKeys: list(key),
  /** Its index in that transaction. */
  outputIndex: u64,
  amount: u64,
  rct: bool,
  /** Mask of its commitment. */
  mask: key,
  /** Zero outside of multisig. */
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

/** A destination of a payment (`tx_destination_entry`). Keys have 32 bytes. */
export type TxDestination = ValueOf<typeof txDestination>;

/** Recipient of an output (`tx_destination_entry`, cryptonote_tx_utils.h). */
export const txDestination = struct({
  /** The address as the person wrote it; empty for change. */
  original: text,
  amount: varint,
  /** Zeros if there is no change. */
  spendKey: key,
  viewKey: key,
  isSubaddress: bool,
  isIntegrated: bool,
});

/** Kinds of proofs (`RCTConfig`). */
const rctConfig = versioned(0, () =>
  struct({
    /** 3 for one padded proof for all outputs. */
    rangeProofType: varint32,
    /** 4 for Bulletproofs+ with CLSAG; 0 means the newest. */
    bpVersion: varint32,
  }),
);

/** A bit of the construction flags: hidden amounts. */
export const USE_RCT = 1;
/** A bit of the construction flags: outputs with view tags. */
export const USE_VIEW_TAGS = 2;

/** A complete plan of a transaction, without its keys and signatures (`tx_construction_data`, wallet2.h). */
export type TxConstruction = ValueOf<typeof txConstruction>;

/** One transaction to make (`tx_construction_data`, wallet2.h). */
export const txConstruction = struct({
  sources: list(txSource),
  /** Amount 0 with the dummy's address, or with zeros, if there is no change. */
  change: txDestination,
  /** Every output to make, change included. */
  splitDestinations: list(txDestination),
  /** Positions among the wallet's outputs. */
  selectedTransfers: list(position),
  /** tx_extra; a payment id in it is clear if a cold wallet has to encrypt it. */
  extra: bytes,
  unlockTime: u64,
  flags: u8,
  rctConfig,
  /** Requested destinations, change not included. */
  destinations: list(txDestination),
  account: u32,
  /** Ascending. */
  subaddresses: list(varint32),
});
