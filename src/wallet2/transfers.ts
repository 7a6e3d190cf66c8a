import type { SubaddressIndex } from '../crypto/index.ts';
import type { TxPrefix } from '../protocol/index.ts';
import { readPrefix, writePrefix } from '../protocol/transaction/prefix.ts';
import {
  bool,
  key,
  type Layout,
  list,
  mapped,
  position,
  struct,
  tuple,
  u8,
  u32,
  u64,
  type ValueOf,
  varint,
  varint32,
  versioned,
} from './archive.ts';
import { outputInfo } from './multisig.ts';

/** Bits of {@link ExportedTransfer.flags}. */
export const TRANSFER_FLAGS = {
  spent: 1,
  frozen: 2,
  rct: 4,
  keyImageKnown: 8,
  /** A view-only wallet wants its key image from the cold half; in a cold wallet, the key image was requested. */
  keyImageRequested: 16,
  keyImagePartial: 32,
} as const;

/** The flag bits of an output. */
export const transferFlags = (holds: { readonly [Name in keyof typeof TRANSFER_FLAGS]: boolean }): number =>
  (Object.keys(TRANSFER_FLAGS) as (keyof typeof TRANSFER_FLAGS)[]).reduce(
    (flags, name) => flags | (holds[name] ? TRANSFER_FLAGS[name] : 0),
    0,
  );

const fields = {
  /** One-time key. */
  key,
  /** Index of the output in its transaction. */
  outputIndex: varint,
  globalIndex: varint,
  /** Public key of its transaction. */
  txPublicKey: key,
  /** See {@link TRANSFER_FLAGS}. */
  flags: u8,
  amount: varint,
  additionalPublicKeys: list(key),
};

/** An output of the wallet as it is exported to a cold wallet (`exported_transfer_details`, wallet2.h). Keys have 32 bytes. */
export type ExportedTransfer = ValueOf<typeof withoutOwner> & {
  /** Subaddress that it was paid to; undefined in files of releases before 0.18.1.1. This must be verified. */
  readonly owner?: SubaddressIndex | undefined;
};

const withoutOwner = struct(fields);
/** An entry of releases before 0.18.1.1. */
const bare: Layout<ExportedTransfer> = withoutOwner;

const PRIMARY: SubaddressIndex = { major: 0, minor: 0 };

/** An entry of releases from 0.18.1.1 on. */
const owned: Layout<ExportedTransfer> = mapped(
  struct({ ...fields, owner: struct({ major: varint32, minor: varint32 }) }),
  (transfer): ExportedTransfer => transfer,
  (transfer) => ({ ...transfer, owner: transfer.owner ?? PRIMARY }),
);

const entry = (newest: 0 | 1) => versioned(newest, (version) => (version === 0 ? bare : owned));

/** A wallet's outputs in an export file. */
export interface TransfersExport {
  /** Position of the first of `outputs` among the wallet's outputs. */
  readonly offset: number;
  readonly outputs: readonly ExportedTransfer[];
  /** Number of all outputs of the wallet; undefined in older files. A file may have only some of them. */
  readonly total?: number | undefined;
}

const transferRun = tuple(position, list(entry(0)));
const partOfTransfers = tuple(position, position, list(entry(1)));

/**
 * Release that a file of outputs or an unsigned set is written for: `0.18.0` for releases before 0.18.1.1, which read only their own form;
 * the current one when absent, which is just as strict.
 */
export type Compat = '0.18.0';

/**
 * Outputs in a file. Releases from 0.18.1.1 on write three fields, because they may export outputs in parts; earlier ones write two. Both
 * are read.
 */
export const exportedTransfers = (compat?: Compat): Layout<TransfersExport> => ({
  minSize: transferRun.minSize,
  read(reader) {
    if (reader.peek() !== 3) {
      const [offset, outputs] = transferRun.read(reader);
      return { offset, outputs };
    }
    const [offset, total, outputs] = partOfTransfers.read(reader);
    return { offset, outputs, total };
  },
  write(writer, { offset, outputs, total = offset + outputs.length }) {
    if (compat === undefined) partOfTransfers.write(writer, [offset, total, outputs]);
    else transferRun.write(writer, [offset, outputs]);
  },
});

const txPrefix: Layout<TxPrefix> = { minSize: 5, read: readPrefix, write: writePrefix };

/** An output of the wallet in the older form, with the whole prefix of its transaction. */
export type TransferDetails = ValueOf<typeof transferDetails>;

/** An output of the wallet in its cache and in older files (`transfer_details`, wallet2.h). */
export const transferDetailsLayout = <Prefix>(prefix: Layout<Prefix>) =>
  struct({
    blockHeight: u64,
    prefix,
    txHash: key,
    outputIndex: u64,
    globalIndex: u64,
    spent: bool,
    frozen: bool,
    spentHeight: u64,
    keyImage: key,
    mask: key,
    amount: u64,
    rct: bool,
    keyImageKnown: bool,
    keyImageRequested: bool,
    /** Index of the transaction's public key with which it was found. */
    publicKeyIndex: u64,
    subaddress: struct({ major: u32, minor: u32 }),
    keyImagePartial: bool,
    multisigNonces: list(key),
    multisigInfo: list(outputInfo),
    uses: list(tuple(varint, key)),
  });

const transferDetails = transferDetailsLayout(txPrefix);

/** Position of the first output, and the outputs from there on, in the older form. */
export const detailedTransfers = tuple(position, list(transferDetails));
