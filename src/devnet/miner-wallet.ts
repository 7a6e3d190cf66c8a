import { bytesToHex, concatBytes, equalBytes, hexToBytes } from '../base/index.ts';
import { keysFromSeed, scalarMulBase } from '../crypto/index.ts';
import { encodeAddress, SPENDABLE_AGE } from '../protocol/index.ts';
import { type Chain, type ChainBlock, type ChainTransaction, commitmentOf, isUnlockTimePast } from './chain.ts';
import type { ChainKeeper, DevnetNode } from './node.ts';
import type { PaymentInput } from './payment.ts';
import { ERA, RING_SIZE } from './rules.ts';
import type { Entry, Table } from './store/database.ts';
import { heightKey, heightOfKey, nameKey, placeKey, viewOf } from './store/records.ts';

/** An output that belongs to the miner's wallet. */
export interface Coin {
  /** Of its record. */
  readonly place: Uint8Array;
  readonly amount: bigint;
  readonly height: number;
  readonly unlockTime: bigint;
  /** Index among the RingCT outputs. */
  readonly index: number;
  readonly key: Uint8Array;
  readonly mask: Uint8Array;
  readonly shared: Uint8Array;
  readonly position: number;
  /** Undefined until it was considered for spending. */
  readonly image: Uint8Array | undefined;
}

/** Whose coins they are, and the last scanned block: a public key, a height and an id. */
const SCANNED = nameKey('scanned');
const MARKED_HEIGHT = 32;
/** Blocks scanned in one transaction when many are missing. */
const BATCH = 1000;

/**
 * The devnet's own coins: it mines to itself and finds payments to its primary address by scanning every block. They are stored in the
 * chain's database, and come and go with its blocks.
 */
export class MinerWallet implements ChainKeeper {
  readonly #node: DevnetNode;
  readonly #spendSecret: Uint8Array;
  readonly viewSecret: Uint8Array;
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  readonly #table: Table;

  /** Scans the current chain, and follows it. @param seed 32 bytes */
  constructor(node: DevnetNode, seed: Uint8Array) {
    const keys = keysFromSeed(seed);
    this.#node = node;
    this.#spendSecret = keys.spendKey;
    this.viewSecret = keys.viewKey;
    this.spendKey = scalarMulBase(keys.spendKey);
    this.viewKey = scalarMulBase(keys.viewKey);
    this.#table = node.database.table('coins');
    this.#goOn();
    node.keep(this);
  }

  /** Scans new blocks; all of them for another seed, or another chain. */
  #goOn(): void {
    const { chain, database } = this.#node;
    const mark = database.table('properties').get(SCANNED);
    let height = mark === undefined ? 0 : viewOf(mark).getUint32(MARKED_HEIGHT, true);
    if (mark === undefined || !equalBytes(mark, this.#mark(chain.blockAt(height)))) {
      height = 0;
      database.transaction(() => this.#forget(0));
    }
    while (height < chain.height - 1)
      database.transaction(() => {
        const to = Math.min(height + BATCH, chain.height - 1);
        while (height < to) this.#scan(chain.blockAt(++height)!);
        this.#markScanned(chain.blockAt(height));
      });
  }

  added(block: ChainBlock): void {
    this.#scan(block);
    this.#markScanned(block);
  }

  removed(block: ChainBlock): void {
    this.#forget(block.height);
    this.#markScanned(this.#node.chain.top);
  }

  #markScanned(block: ChainBlock | undefined): void {
    this.#node.database.table('properties').put(SCANNED, this.#mark(block));
  }

  #mark(block: ChainBlock | undefined): Uint8Array {
    const height = Buffer.alloc(4);
    height.writeUInt32LE(block?.height ?? 0);
    return concatBytes(this.spendKey, height, block === undefined ? new Uint8Array() : hexToBytes(block.id));
  }

  /** Its primary address, 95 characters. */
  get address(): string {
    return encodeAddress({ network: this.#node.network, kind: 'standard', spendKey: this.spendKey, viewKey: this.viewKey });
  }

  #scan(block: ChainBlock): void {
    for (const tx of [block.minerTx, ...block.transactions]) {
      for (const key of ERA.outputs.publicKeys(tx.tx).main) this.#scanTransaction(tx, key);
    }
  }

  #scanTransaction(tx: ChainTransaction, publicKey: Uint8Array): void {
    const shared = ERA.outputs.exchange(publicKey, this.viewSecret);
    if (shared === undefined) return;
    for (let position = 0; position < tx.tx.outputs.length; position++) {
      if (!ERA.outputs.isTagged(tx.tx, position, shared)) continue;
      const receiver = ERA.outputs.receiver(tx.tx, position, shared);
      const coin = receiver && equalBytes(receiver, this.spendKey) ? coinOf(tx, shared, position) : undefined;
      if (coin !== undefined) this.#table.put(coin.place, encodeCoin(coin));
    }
  }

  #forget(fromHeight: number): void {
    const keys = Array.from(this.#table.range({ from: heightKey(fromHeight) }), ({ key }) => key);
    for (const key of keys) this.#table.delete(key);
  }

  #secretOf(coin: Coin): Uint8Array {
    const keys = { spendKey: this.#spendSecret, viewKey: this.viewSecret };
    return ERA.outputs.secretKey(coin.shared, coin.position, keys, { major: 0, minor: 0 });
  }

  /** A key image takes a while to compute, so it is stored. */
  #isSpent(coin: Coin): boolean {
    const { chain, pool, database } = this.#node;
    const image = coin.image ?? ERA.outputs.keyImage(coin.key, this.#secretOf(coin));
    if (coin.image === undefined) database.transaction(() => this.#table.put(coin.place, encodeCoin({ ...coin, image })));
    const text = bytesToHex(image);
    return chain.isSpent(text) || pool.spenderOf(text) !== undefined;
  }

  /** The oldest coin of at least this amount that can be spent now. */
  pick(atLeast: bigint): Coin | undefined {
    const { chain } = this.#node;
    // A few at a time: the table changes when an image is stored.
    for (let from: Uint8Array | undefined = heightKey(0); from !== undefined; ) {
      const coins = Array.from(this.#table.range({ from, limit: PICKED }), decodeCoin);
      const found = coins.find((coin) => coin.amount >= atLeast && isRipe(chain, coin) && !this.#isSpent(coin));
      if (found !== undefined || coins.length < PICKED) return found;
      from = concatBytes(coins.at(-1)!.place, Uint8Array.of(0));
    }
    return undefined;
  }

  /**
   * Prepares a coin for spending, in a ring with other outputs of the chain.
   * @param chance a random number below its argument
   * @returns undefined while the chain has too few outputs
   */
  input(coin: Coin, sampler: (below: number) => number): PaymentInput | undefined {
    const { chain } = this.#node;
    const eligible = (chain.blockAt(chain.height - SPENDABLE_AGE)?.rctOutputs ?? 0) - 1;
    const indices = new Set([coin.index]);
    // Locked outputs are skipped; the number of tries is limited in case nearly all are locked.
    for (let tries = 0; indices.size < RING_SIZE && tries < 1000 && eligible > 0; tries++) {
      const index = sampler(eligible);
      const output = chain.output(0n, index);
      if (output !== undefined && isRipe(chain, output)) indices.add(index);
    }
    if (indices.size < RING_SIZE) return undefined;
    const sorted = [...indices].sort((a, b) => a - b);
    const ring = sorted.map((index) => {
      const output = chain.output(0n, index)!;
      return { key: output.key, commitment: commitmentOf(output), index: BigInt(index) };
    });
    return { amount: coin.amount, secret: this.#secretOf(coin), mask: coin.mask, ring, place: sorted.indexOf(coin.index) };
  }
}

/** Coins considered at a time. */
const PICKED = 64;

/** Undefined when the hidden amount does not open the commitment. */
function coinOf({ tx, height, outputIndices }: ChainTransaction, shared: Uint8Array, position: number): Coin | undefined {
  const opened = ERA.outputs.open(tx, position, shared);
  if (opened === undefined) return undefined;
  const { key } = tx.outputs[position]!;
  const [index, mask] = [outputIndices[position]!, hexToBytes(opened.mask)];
  const place = placeKey(height, index);
  const { amount } = opened;
  return { place, amount, height, unlockTime: tx.unlockTime, index, key, mask, shared, position, image: undefined };
}

const COIN_BYTES = 120;

function encodeCoin({ amount, unlockTime, position, key, mask, shared, image }: Coin): Uint8Array {
  const bytes = Buffer.alloc(COIN_BYTES + (image?.length ?? 0));
  bytes.writeBigUInt64LE(amount);
  bytes.writeBigUInt64LE(unlockTime, 8);
  bytes.writeUInt32LE(position, 16);
  [key, mask, shared, image ?? new Uint8Array()].forEach((part, i) => {
    bytes.set(part, 24 + 32 * i);
  });
  return bytes;
}

function decodeCoin({ key: place, value }: Entry): Coin {
  const view = viewOf(value);
  const part = (i: number): Uint8Array => value.subarray(24 + 32 * i, 56 + 32 * i);
  return {
    place,
    amount: view.getBigUint64(0, true),
    height: heightOfKey(place),
    unlockTime: view.getBigUint64(8, true),
    index: viewOf(place).getUint32(4),
    key: part(0),
    mask: part(1),
    shared: part(2),
    position: view.getUint32(16, true),
    image: value.length > COIN_BYTES ? part(3) : undefined,
  };
}

function isRipe(chain: Chain, output: { readonly height: number; readonly unlockTime: bigint }): boolean {
  return output.height + SPENDABLE_AGE <= chain.height && isUnlockTimePast(chain, output.unlockTime);
}
