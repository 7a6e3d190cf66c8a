import { bytesToHex, hexToBytes, varintBytes } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import { ByteReader, type ByteWriter, writeBytes } from './bytes.ts';
import { ProtocolError } from './errors.ts';
import type { Block, BlockHeader } from './model.ts';
import { type ParseTransactionOptions, readTransaction, writeTransaction } from './transaction.ts';
import { transactionHash } from './transaction-hash.ts';
import { treeHash } from './tree-hash.ts';

/** CRYPTONOTE_MAX_TX_PER_BLOCK. */
const MAX_TXS_PER_BLOCK = 0x1000_0000;

/** Height of the block whose id was computed with a bug in the tree hash. The chain keeps that id, for this blob only. */
export const ODD_BLOCK_HEIGHT = 202_612;
const ODD_BLOCK_ID = 'bbd604d2ba11ba27935e006ed39c9bfdd99b76bf4a50654bc1e1e61217962698';
const ODD_BLOCK_BLOB_HASH = '3a8a2b3a29b50fc86ff73dd087ea43c6f0d6b8f936c849194d5c84c737903966';

/**
 * Reads a block. Writing the result gives the same bytes.
 * @param options `asNode` as in {@link parseTransaction}
 * @throws ProtocolError as {@link parseTransaction}
 */
export function parseBlock(bytes: Uint8Array, options: Pick<ParseTransactionOptions, 'asNode'> = {}): Block {
  const reader = new ByteReader(bytes, 0, bytes.length, options.asNode);
  const header = readHeader(reader);
  const minerTx = readTransaction(reader, options);
  const count = reader.count(32);
  if (count > MAX_TXS_PER_BLOCK)
    throw new ProtocolError('bad-length', `expected at most ${MAX_TXS_PER_BLOCK} transactions a block`);
  const txHashes = reader.keys(count);
  reader.expectEnd('the block');
  return { ...header, minerTx, txHashes };
}

function readHeader(reader: ByteReader): BlockHeader {
  return {
    majorVersion: reader.varintNumber(8),
    minorVersion: reader.varintNumber(8),
    timestamp: reader.varint(),
    prevId: reader.key(),
    nonce: reader.u32(),
  };
}

function writeHeader(writer: ByteWriter, header: BlockHeader): void {
  writer.varint(header.majorVersion).varint(header.minorVersion).varint(header.timestamp).key(header.prevId).u32(header.nonce);
}

/** Serializes a block. @throws ProtocolError `bad-structure`, `bad-length` for inconsistent parts */
export function serializeBlock(block: Block): Uint8Array<ArrayBuffer> {
  return writeBytes(1024, (writer) => {
    writeHeader(writer, block);
    writeTransaction(writer, block.minerTx);
    writer.varint(block.txHashes.length).keys(block.txHashes);
  });
}

/** Header ‖ tree hash ‖ number of transactions: the bytes that are mined. */
export function blockHashingBlob(block: Block): Uint8Array<ArrayBuffer> {
  return writeBytes(128, (writer) => {
    writeHeader(writer, block);
    writer.key(treeHash([transactionHash(block.minerTx), ...block.txHashes])).varint(block.txHashes.length + 1);
  });
}

/**
 * The id of a block, 32 bytes: Keccak of the hashing blob with its length before it; block 202612 has a hard-coded id
 * (cryptonote_format_utils.cpp, calculate_block_hash).
 * @throws `bad-structure` for a block that poses as 202612
 */
export function blockId(block: Block): Uint8Array {
  const blob = blockHashingBlob(block);
  const id = keccak256(varintBytes(blob.length), blob);
  const input = block.minerTx.inputs[0]!;
  if (block.minerTx.inputs.length === 1 && input.type === 'gen' && input.height !== ODD_BLOCK_HEIGHT) return id;
  if (bytesToHex(keccak256(serializeBlock(block))) === ODD_BLOCK_BLOB_HASH) return hexToBytes(ODD_BLOCK_ID);
  if (bytesToHex(id) === ODD_BLOCK_ID) {
    throw new ProtocolError('bad-structure', `expected the known bytes of block ${ODD_BLOCK_HEIGHT} behind its id`);
  }
  return id;
}
