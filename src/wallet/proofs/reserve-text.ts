import { concatBytes } from '../../base/index.ts';
import {
  ByteReader,
  encodeBase58,
  isProtocolError,
  type KeyImage,
  type TxHash,
  toKeyImage,
  toTxHash,
} from '../../protocol/index.ts';
import { blob, key, type Layout, list, struct, tuple, varint, versioned, writeAll } from '../../wallet2/archive.ts';
import { decodeBase58Field } from './encoding.ts';
import { ProofError } from './errors.ts';

/** An output of a reserve (`reserve_proof_entry`, wallet2.h). Keys and points 32 bytes, signatures 64. */
export interface ReserveEntry {
  readonly txHash: Uint8Array;
  /** Index of the output in its transaction. */
  readonly index: bigint;
  /** a·R. */
  readonly shared: Uint8Array;
  readonly keyImage: Uint8Array;
  readonly sharedSignature: Uint8Array;
  readonly keyImageSignature: Uint8Array;
}

/** A decoded proof of reserve. */
export interface ReserveProof {
  readonly version: 1 | 2;
  readonly entries: readonly ReserveEntry[];
  /** Public spend keys of the subaddresses that received the outputs, with their signatures. */
  readonly owners: readonly (readonly [Uint8Array, Uint8Array])[];
}

const entry: Layout<ReserveEntry> = versioned(0, () =>
  struct<ReserveEntry>({
    txHash: key,
    index: varint,
    shared: key,
    keyImage: key,
    sharedSignature: blob(64),
    keyImageSignature: blob(64),
  }),
);
const entries = list(entry);
const owners = list(tuple(key, blob(64)));
const HEADER = /^ReserveProofV([12])/;

/** @throws ProofError `bad-header`, `bad-encoding`, `bad-structure` */
export function decodeReserveProof(text: string): ReserveProof {
  const header = HEADER.exec(text);
  if (header === null) throw new ProofError('bad-header', 'expected a text that begins with ReserveProof and its version');
  const reader = new ByteReader(decodeBase58Field(text.slice(header[0].length)));
  try {
    const proof = { entries: entries.read(reader), owners: owners.read(reader) };
    reader.expectEnd('the reserve proof');
    return { version: header[1] === '1' ? 1 : 2, ...proof };
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new ProofError('bad-structure', 'expected outputs and their owners', {}, error);
  }
}

/** A reserve proof as text: version and Base58. */
export function encodeReserveProof(proof: ReserveProof): string {
  const bytes = concatBytes(writeAll(entries, proof.entries), writeAll(owners, proof.owners));
  return `ReserveProofV${proof.version}${encodeBase58(bytes)}`;
}

/** The transaction that made the output. */
export const txHashOf = ({ txHash }: ReserveEntry): TxHash => toTxHash(txHash);
/** The key image of the output. */
export const keyImageOf = ({ keyImage }: ReserveEntry): KeyImage => toKeyImage(keyImage);
