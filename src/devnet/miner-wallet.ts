import { bytesToHex, equalBytes, hexToBytes } from '../base/index.ts';
import { keysFromSeed, scalarMulBase } from '../crypto/index.ts';
import { encodeAddress, SPENDABLE_AGE } from '../protocol/index.ts';
import { type Chain, type ChainBlock, type ChainTransaction, commitmentOf, isUnlockTimePast } from './chain.ts';
import type { DevnetNode } from './node.ts';
import type { PaymentInput } from './payment.ts';
import { ERA, RING_SIZE } from './rules.ts';

/** An output that belongs to the miner's wallet. */
export interface Coin {
  readonly amount: bigint;
  readonly height: number;
  readonly unlockTime: bigint;
  /** Index among the RingCT outputs. */
  readonly index: number;
  readonly key: Uint8Array;
  readonly mask: Uint8Array;
  readonly shared: Uint8Array;
  readonly position: number;
}

/** The devnet's own coins: it mines to itself and finds what is paid to its main address by scanning every block. */
export class MinerWallet {
  readonly #node: DevnetNode;
  readonly #spendSecret: Uint8Array;
  readonly viewSecret: Uint8Array;
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  readonly #coins: Coin[] = [];
  readonly #images = new WeakMap<Coin, string>();

  /** Scans the chain as it is, and follows it. @param seed 32 bytes */
  constructor(node: DevnetNode, seed: Uint8Array) {
    const keys = keysFromSeed(seed);
    this.#node = node;
    this.#spendSecret = keys.spendKey;
    this.viewSecret = keys.viewKey;
    this.spendKey = scalarMulBase(keys.spendKey);
    this.viewKey = scalarMulBase(keys.viewKey);
    for (let height = 1; height < node.chain.height; height++) this.#scan(node.chain.blockAt(height)!);
    node.subscribe((event) => {
      if (event.type === 'block') this.#scan(event.block);
      else if (event.type === 'popped') this.#forget(event.block.height);
    });
  }

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
      if (coin !== undefined) this.#coins.push(coin);
    }
  }

  #forget(fromHeight: number): void {
    while (this.#coins.length > 0 && this.#coins[this.#coins.length - 1]!.height >= fromHeight) this.#coins.pop();
  }

  #secretOf(coin: Coin): Uint8Array {
    const keys = { spendKey: this.#spendSecret, viewKey: this.viewSecret };
    return ERA.outputs.secretKey(coin.shared, coin.position, keys, { major: 0, minor: 0 });
  }

  #isSpent(coin: Coin): boolean {
    let image = this.#images.get(coin);
    if (image === undefined) {
      image = bytesToHex(ERA.outputs.keyImage(coin.key, this.#secretOf(coin)));
      this.#images.set(coin, image);
    }
    return this.#node.chain.isSpent(image) || this.#node.pool.spenderOf(image) !== undefined;
  }

  /** The oldest coin of at least this amount that can be spent now. */
  pick(atLeast: bigint): Coin | undefined {
    const { chain } = this.#node;
    return this.#coins.find((coin) => coin.amount >= atLeast && isRipe(chain, coin) && !this.#isSpent(coin));
  }

  /**
   * A coin made ready to spend, in a ring with other outputs of the chain.
   * @param chance a random number below its argument
   * @returns undefined while the chain has too few outputs
   */
  input(coin: Coin, sampler: (below: number) => number): PaymentInput | undefined {
    const { chain } = this.#node;
    const eligible = (chain.blockAt(chain.height - SPENDABLE_AGE)?.rctOutputs ?? 0) - 1;
    const indices = new Set([coin.index]);
    // Locked ones are passed over; the number of tries keeps a chain of locked outputs from holding this up.
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

/** Undefined when the hidden amount does not open the commitment. */
function coinOf({ tx, height, outputIndices }: ChainTransaction, shared: Uint8Array, position: number): Coin | undefined {
  const opened = ERA.outputs.open(tx, position, shared);
  if (opened === undefined) return undefined;
  const { key } = tx.outputs[position]!;
  const [index, mask] = [outputIndices[position]!, hexToBytes(opened.mask)];
  return { amount: opened.amount, height, unlockTime: tx.unlockTime, index, key, mask, shared, position };
}

function isRipe(chain: Chain, output: { readonly height: number; readonly unlockTime: bigint }): boolean {
  return output.height + SPENDABLE_AGE <= chain.height && isUnlockTimePast(chain, output.unlockTime);
}
