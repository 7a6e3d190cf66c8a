import { bytesToHex, hexToBytes, U64_MAX } from '../base/index.ts';
import { type BlockHash, ByteReader, ByteWriter, parseBlock } from '../protocol/index.ts';
import { minerTransaction, type ParsedBlock, type ParsedTransaction, parseWholeTransaction } from './parsed.ts';
import type { Database, Table } from './store/database.ts';

/** A block that follows a known one but not the newest, with its transactions. */
export interface AlternativeBlock {
  readonly parsed: ParsedBlock;
  readonly parentId: string;
  readonly minerTx: ParsedTransaction;
  readonly transactions: readonly ParsedTransaction[];
  readonly height: number;
  readonly generatedCoins: bigint;
  readonly difficulty: bigint;
  /** Sum of its difficulty and all before it. */
  readonly cumulativeDifficulty: bigint;
}

function encode(block: AlternativeBlock): Uint8Array {
  const { parsed, parentId, height, generatedCoins, difficulty, cumulativeDifficulty, transactions } = block;
  const writer = new ByteWriter(parsed.blob.length + 128);
  writer.key(hexToBytes(parentId)).u32(height).u64(generatedCoins);
  for (const wide of [difficulty, cumulativeDifficulty]) writer.u64(wide & U64_MAX).u64(wide >> 64n);
  for (const blob of [parsed.blob, ...transactions.map((tx) => tx.blob)]) writer.varint(blob.length).bytes(blob);
  return writer.finish();
}

/** A block that is parsed on first access to more than its place. */
function stored(id: string, bytes: Uint8Array): AlternativeBlock {
  const reader = new ByteReader(bytes);
  const wide = (): bigint => reader.u64() | (reader.u64() << 64n);
  const head = { parentId: bytesToHex(reader.key()), height: reader.u32(), generatedCoins: reader.u64() };
  const [difficulty, cumulativeDifficulty] = [wide(), wide()];
  const [blob, ...others] = blobsIn(reader);
  let parsed: ParsedBlock | undefined;
  let transactions: readonly ParsedTransaction[] | undefined;
  const block: AlternativeBlock = {
    ...{ ...head, difficulty, cumulativeDifficulty },
    get parsed() {
      parsed ??= { id: id as BlockHash, blob: blob!, block: parseBlock(blob!) };
      return parsed;
    },
    get minerTx() {
      return minerTransaction(block.parsed);
    },
    get transactions() {
      transactions ??= others.map(parseWholeTransaction);
      return transactions;
    },
  };
  return block;
}

function blobsIn(reader: ByteReader): Uint8Array[] {
  const blobs: Uint8Array[] = [];
  while (reader.remaining > 0) blobs.push(reader.bytes(reader.count(1)));
  return blobs;
}

/** Blocks on branches off the main chain, by id. Change them within a transaction of the database. */
export class Alternatives {
  readonly #table: Table;
  #size = 0;

  constructor(database: Database) {
    this.#table = database.table('alternatives');
    this.refresh();
  }

  /** Counts again, after a transaction that was rolled back. */
  refresh(): void {
    this.#size = 0;
    for (const _ of this.#table.range()) this.#size++;
  }

  /** Number of blocks. */
  get size(): number {
    return this.#size;
  }

  /** A block by its id, 64 hex digits; parsed on access. */
  get(id: string): AlternativeBlock | undefined {
    const bytes = this.#table.get(hexToBytes(id));
    return bytes && stored(id, bytes);
  }

  /** Whether a block of this id, 64 hex digits, is on a branch. */
  has(id: string): boolean {
    return this.#table.get(hexToBytes(id)) !== undefined;
  }

  /** Adds a new block. */
  add(block: AlternativeBlock): void {
    this.#table.put(hexToBytes(block.parsed.id), encode(block));
    this.#size++;
  }

  /** Removes a block; does nothing if it is missing. */
  delete(id: string): void {
    if (!this.has(id)) return;
    this.#table.delete(hexToBytes(id));
    this.#size--;
  }

  /** The branch that ends in a block: the blocks up to it that the main chain lacks, the oldest first. */
  branchTo(tip: AlternativeBlock | undefined): AlternativeBlock[] {
    const branch: AlternativeBlock[] = [];
    for (let at = tip; at !== undefined; at = this.get(at.parentId)) branch.push(at);
    return branch.reverse();
  }

  /** The newest block of each branch. */
  get tips(): AlternativeBlock[] {
    const parents = new Set<string>();
    for (const { value } of this.#table.range()) parents.add(bytesToHex(value.subarray(0, 32)));
    const ids = Array.from(this.#table.range(), ({ key }) => bytesToHex(key)).filter((id) => !parents.has(id));
    return ids.map((id) => this.get(id)!);
  }
}
