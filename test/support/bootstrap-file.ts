import { closeSync, openSync, writeSync } from 'node:fs';
import { hexToBytes } from '../../src/base/index.ts';
import { GENESIS_BLOB_HEX } from '../../src/devnet/rules.ts';
import { ByteWriter } from '../../src/protocol/index.ts';

/** A block with its transactions, except the coinbase. */
export interface MadeBlock {
  readonly blob: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly weight: number;
}

const MAGIC = 0x28721586;
const HEADER_BYTES = 1024;
const REWARD = 600_000_000_000n;
const GENESIS_REWARD = 17_592_186_044_415n;

/** A file that monero-blockchain-import reads (bootstrap_file.cpp), at difficulty 1. It begins with the genesis block. */
export class BootstrapFile {
  readonly #file: number;
  #coins = 0n;
  #work = 0;

  /** @param blocks in addition to the genesis block */
  constructor(path: string, blocks: number) {
    this.#file = openSync(path, 'w');
    const about = new ByteWriter().u8(0).u8(1).varint(HEADER_BYTES).finish();
    const range = new ByteWriter().varint(0).varint(blocks).varint(0).finish();
    const head = new ByteWriter().u32(about.length).bytes(about).u32(range.length).bytes(range).finish();
    writeSync(
      this.#file,
      new ByteWriter()
        .u32(MAGIC)
        .bytes(head)
        .bytes(new Uint8Array(HEADER_BYTES - head.length))
        .finish(),
    );
    this.#put({ blob: hexToBytes(GENESIS_BLOB_HEX.regtest), transactions: [], weight: 80 }, GENESIS_REWARD);
  }

  /** @param reward of the block, without fees */
  add(block: MadeBlock, reward = REWARD): void {
    this.#put(block, reward);
  }

  #put({ blob, transactions, weight }: MadeBlock, reward: bigint): void {
    const body = new ByteWriter(blob.length + 64).bytes(blob).varint(transactions.length);
    for (const tx of transactions) body.bytes(tx);
    this.#coins += reward;
    const bytes = body
      .varint(weight)
      .varint(++this.#work)
      .varint(this.#coins)
      .finish();
    writeSync(this.#file, new ByteWriter(bytes.length + 4).u32(bytes.length).bytes(bytes).finish());
  }

  close(): void {
    closeSync(this.#file);
  }
}
