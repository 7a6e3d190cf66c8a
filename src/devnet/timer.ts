import { bytesToHex, hexToBytes } from '../base/index.ts';
import { blockHashingBlob, serializeBlock } from '../protocol/index.ts';
import type { MinerAddress, Template } from './miner.ts';
import type { DevnetNode } from './node.ts';
import { meetsDifficulty, seedHeight, testHash } from './proof.ts';

/** How fast it mines: a block every so many seconds, or so many test hashes a second and thread until one is small enough. */
export type Pace = { readonly seconds: number } | { readonly hashesPerSecond: number };

/** Milliseconds between two slices of hashing. */
const SLICE = 50;
const NONCES = 2 ** 32;

/** What is hashed, and the nonce that comes next. */
interface Work {
  readonly template: Template;
  readonly seed: Uint8Array;
  nonce: number;
}

/** Mines blocks for as long as it runs. */
export class MinerTimer {
  readonly #node: DevnetNode;
  readonly #pace: Pace;
  #handle: ReturnType<typeof setInterval> | undefined;
  #address = '';
  #threads = 0;
  #inBackground = false;
  #work: Work | undefined;
  /** Hashes that are owed for time gone by: fractions of one add up. */
  #owed = 0;

  /** @param pace a number is seconds between blocks */
  constructor(node: DevnetNode, pace: Pace | number) {
    this.#node = node;
    this.#pace = typeof pace === 'number' ? { seconds: pace } : pace;
  }

  get active(): boolean {
    return this.#handle !== undefined;
  }

  /** As it was given to {@link start}; empty when it does not run. */
  get address(): string {
    return this.active ? this.#address : '';
  }

  get threads(): number {
    return this.active ? this.#threads : 0;
  }

  /** Whether it was asked to give way to other programs: it says so, and does nothing else about it. */
  get inBackground(): boolean {
    return this.active && this.#inBackground;
  }

  /** 0 when it does not run, or makes blocks by the clock. */
  get hashesPerSecond(): number {
    return this.active && 'hashesPerSecond' in this.#pace ? this.#pace.hashesPerSecond * this.#threads : 0;
  }

  /** @param text the address as it was given, for {@link address} */
  start(text: string, address: MinerAddress, threads = 1, inBackground = false): void {
    this.stop();
    this.#address = text;
    this.#threads = threads;
    this.#inBackground = inBackground;
    this.#owed = 0;
    const step = 'seconds' in this.#pace ? () => this.#node.mine(address) : () => this.#hash(address);
    const period = 'seconds' in this.#pace ? this.#pace.seconds * 1000 : SLICE;
    this.#handle = setInterval(() => keepOn(step), period);
  }

  #hash(address: MinerAddress): void {
    for (this.#owed += (this.hashesPerSecond * SLICE) / 1000; this.#owed >= 1; this.#owed--) {
      const work = this.#fresh(address);
      const block = { ...work.template.parsed.block, nonce: work.nonce++ };
      if (!meetsDifficulty(testHash(work.seed, blockHashingBlob(block)), this.#node.difficulty)) continue;
      this.#work = undefined;
      this.#node.submitBlock(serializeBlock(block));
    }
  }

  /** The work at hand, or new one when the chain has gone on. */
  #fresh(address: MinerAddress): Work {
    const { chain } = this.#node;
    const parent = this.#work?.template.parsed.block.prevId;
    if (this.#work !== undefined && parent !== undefined && bytesToHex(parent) === chain.top.id && this.#work.nonce < NONCES)
      return this.#work;
    const seed = hexToBytes(chain.blockAt(seedHeight(chain.height))!.id);
    this.#work = { template: this.#node.template(address), seed, nonce: 0 };
    return this.#work;
  }

  stop(): void {
    clearInterval(this.#handle);
    this.#handle = undefined;
    this.#work = undefined;
  }
}

/** A block that cannot be kept (a full disk) is tried again at the next turn. */
function keepOn(step: () => void): void {
  try {
    step();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
