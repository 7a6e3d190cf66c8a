import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { keysFromSeed, loadCrypto, scalarMulBase } from '../../src/crypto/index.ts';
import {
  type Block,
  blockId,
  encodeAddress,
  encodePortableStorage,
  parseBlock,
  type StorageObject,
  serializeBlock,
  serializeTransaction,
  storage,
  transactionHash,
} from '../../src/protocol/index.ts';
import { FatTransactions } from './fat.ts';
import { SeededRandom } from './seeded.ts';
import { type BuiltTransaction, type Received, type Recipient, syntheticCoinbase, syntheticTransaction } from './transactions.ts';

const { bool, byteStrings, bytes, object, objects, u64, u64s } = storage;

/** The parameters of a synthetic chain: the same parameters give the same bytes. */
export interface ChainParameters {
  readonly transactions: number;
  readonly transactionsPerBlock: number;
  /** Share of the blocks, from the start, from before view tags (version 14). */
  readonly untaggedShare: number;
  /** Share of the transactions that pay the recipient. */
  readonly ownedShare: number;
  /** How many subaddresses of the first account are paid, beginning with its own address; a few if absent. */
  readonly subaddresses?: number;
  /** All transactions pruned, as large as possible, and nobody's: for replies of maximum size. */
  readonly fat?: boolean;
  /** Instead of all these: this many blocks with only a coinbase, each the recipient's. */
  readonly mined?: number;
}

/** Blocks as the daemon serves them: portable storage objects without their document header, ready to be spliced. */
export interface ServedBlock {
  readonly id: Uint8Array;
  readonly pruned: Uint8Array;
  readonly whole: Uint8Array;
  readonly outputIndices: Uint8Array;
}

export interface SyntheticChain {
  readonly blocks: readonly ServedBlock[];
  /** The balance that a wallet of the recipient must find. */
  readonly owned: { readonly count: number; readonly total: bigint; readonly unspent: bigint };
}

/** The genesis block of mainnet, which regtest shares. */
const GENESIS = [
  '010000',
  '00'.repeat(32),
  '10270000',
  '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd0880712101',
  '7767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1',
  '00',
].join('');

const SEED = 20_261_120;
const FEW_MINORS = [0, 1, 7];
const NEWEST_UNTAGGED = 14;
const NEWEST = 16;
const BLOCK_SECONDS = 120;
const DOCUMENT_HEADER_BYTES = 9;
/** Two days before the newest block, a wallet spends what it received; a share of its outputs is spent again. */
const SPEND_AFTER = 200;

export const recipient = (): Recipient => {
  const { spendKey, viewKey } = keysFromSeed(new SeededRandom(1).bytes(32));
  return { spendKey, viewKey, spendPublic: scalarMulBase(spendKey), viewPublic: scalarMulBase(viewKey) };
};

export const recipientAddress = (): string => {
  const { spendPublic, viewPublic } = recipient();
  return encodeAddress({ network: 'mainnet', kind: 'standard', spendKey: spendPublic, viewKey: viewPublic });
};

const spliceable = (value: StorageObject): Uint8Array => encodePortableStorage(value).subarray(DOCUMENT_HEADER_BYTES);

function served(block: Block, txs: readonly BuiltTransaction[], firstOutput: bigint): ServedBlock {
  const blob = serializeBlock(block);
  const prunedTxs = txs.map((tx) => object({ blob: bytes(tx.pruned), prunable_hash: bytes(new Uint8Array(32)) }));
  let next = firstOutput;
  const indices = [block.minerTx.outputs.length, ...txs.map((tx) => tx.outputs)].map((count) => {
    const own = Array.from({ length: count }, (_, i) => next + BigInt(i));
    next += BigInt(count);
    return object({ indices: u64s(own) });
  });
  return {
    id: blockId(block),
    pruned: spliceable(
      object({ block: bytes(blob), block_weight: u64(blob.length), pruned: bool(true), txs: objects(prunedTxs) }),
    ),
    whole: spliceable(
      object({ block: bytes(blob), block_weight: u64(0), pruned: bool(false), txs: byteStrings(txs.map((tx) => tx.whole)) }),
    ),
    outputIndices: spliceable(object({ indices: objects(indices) })),
  };
}

/** Builds the chain block by block. This takes a while: see {@link loadChain} for the cached form. */
function buildChain(parameters: ChainParameters, now: number): SyntheticChain {
  const random = new SeededRandom(SEED);
  const to = recipient();
  const { mined } = parameters;
  const count = mined ?? Math.ceil(parameters.transactions / parameters.transactionsPerBlock);
  const genesis = parseBlock(Uint8Array.from(Buffer.from(GENESIS, 'hex')));
  const blocks = [served(genesis, [], 0n)];
  const minerWallet: Received[] = [];
  const owned = { count: 0, total: 0n, unspent: 0n };
  const minors =
    parameters.subaddresses === undefined ? FEW_MINORS : Array.from({ length: parameters.subaddresses }, (_, minor) => minor);
  const fat = parameters.fat ? new FatTransactions(random) : undefined;
  let nextOutput = 1n;
  for (let height = 1; height <= count; height++) {
    const tagged = height > count * parameters.untaggedShare;
    const txs: BuiltTransaction[] = [];
    for (let i = 0; mined === undefined && i < parameters.transactionsPerBlock; i++) {
      if (fat) {
        txs.push(fat.next());
        continue;
      }
      const spend = minerWallet.length > 0 && random.fraction() < 1 / SPEND_AFTER ? minerWallet.shift() : undefined;
      const { tx, received } = syntheticTransaction(random, to, {
        tagged,
        owned: random.fraction() < parameters.ownedShare,
        minors,
        spend,
      });
      txs.push({
        whole: serializeTransaction(tx),
        pruned: serializeTransaction({ ...tx, prunable: undefined }),
        hash: transactionHash(tx),
        outputs: tx.outputs.length,
      });
      if (spend) owned.unspent -= spend.amount;
      if (!received) continue;
      minerWallet.push(received);
      owned.count++;
      owned.total += received.amount;
      owned.unspent += received.amount;
    }
    const major = tagged ? NEWEST : NEWEST_UNTAGGED;
    const block: Block = {
      majorVersion: major,
      minorVersion: major,
      timestamp: BigInt(now - (count - height) * BLOCK_SECONDS),
      prevId: blocks[height - 1]!.id,
      nonce: 0,
      minerTx: syntheticCoinbase(random, height, tagged, mined === undefined ? undefined : to),
      txHashes: txs.map((tx) => tx.hash),
    };
    if (mined !== undefined) {
      const { amount } = block.minerTx.outputs[0]!;
      owned.count++;
      owned.total += amount;
      owned.unspent += amount;
    }
    blocks.push(served(block, txs, nextOutput));
    nextOutput += BigInt(1 + txs.reduce((sum, tx) => sum + tx.outputs, 0));
  }
  return { blocks, owned };
}

const PARTS = ['id', 'pruned', 'whole', 'outputIndices'] as const;

function saveChain(path: string, chain: SyntheticChain): void {
  const head = new TextEncoder().encode(
    [chain.owned.count, chain.owned.total, chain.owned.unspent, chain.blocks.length].join(' '),
  );
  const lengths = new Uint32Array([head.length, ...chain.blocks.flatMap((block) => PARTS.map((part) => block[part].length))]);
  mkdirSync(dirname(path), { recursive: true });
  const chunks = [new Uint8Array(lengths.buffer), head, ...chain.blocks.flatMap((block) => PARTS.map((part) => block[part]))];
  const prefix = new Uint8Array(Uint32Array.of(lengths.length).buffer);
  // Not as arguments of a call: a long chain has more chunks than a call can have arguments.
  writeFileSync(`${path}.part`, Buffer.concat([prefix, ...chunks]));
  renameSync(`${path}.part`, path);
}

function readChain(path: string): SyntheticChain {
  const file = readFileSync(path);
  const lengthCount = file.readUInt32LE(0);
  let at = 4 + 4 * lengthCount;
  const take = (i: number): Uint8Array => {
    const length = file.readUInt32LE(4 + 4 * i);
    const part = file.subarray(at, at + length);
    at += length;
    return part;
  };
  const [count, total, unspent, blockCount] = new TextDecoder().decode(take(0)).split(' ') as [string, string, string, string];
  const blocks = Array.from({ length: Number(blockCount) }, (_, b): ServedBlock => {
    const [id, pruned, whole, outputIndices] = PARTS.map((_, p) => take(1 + b * PARTS.length + p)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    return { id, pruned, whole, outputIndices };
  });
  return { blocks, owned: { count: Number(count), total: BigInt(total), unspent: BigInt(unspent) } };
}

/** The chain from `.cache/bench`, built first if missing. Timestamps end at the moment it was built. */
export async function loadChain(parameters: ChainParameters): Promise<SyntheticChain> {
  const name = Object.values(parameters).join('-');
  const path = `.cache/bench/chain-${name}.bin`;
  if (!existsSync(path)) {
    await loadCrypto();
    saveChain(path, buildChain(parameters, Math.floor(Date.now() / 1000)));
  }
  return readChain(path);
}
