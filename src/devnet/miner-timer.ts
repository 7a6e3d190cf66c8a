import { bytesToHex, hexToBytes } from '../base/index.ts';
import { type AddressKeys, blockHashingBlob, serializeBlock } from '../protocol/index.ts';
import { RejectedError } from './errors.ts';
import { HashThread } from './hash-thread.ts';
import type { Template } from './miner.ts';
import type { DevnetNode } from './node.ts';

/** How fast it mines: a block every so many seconds, or so many test hashes a second and thread until one is small enough. */
export type MiningPace = { readonly seconds: number } | { readonly hashesPerSecond: number };

/** Milliseconds after which what is hashed takes up transactions that came meanwhile. */
const REFRESH = 5_000;

/** How a miner is to work. */
export interface MinerOptions {
  readonly threads: number;
  /** Whether it was asked to give way to other programs: it says so, and does nothing else about it. */
  readonly inBackground: boolean;
  /** Whether it is to do so on battery too: said again, and nothing else. */
  readonly ignoresBattery: boolean;
}

const PLAIN: MinerOptions = { threads: 1, inBackground: false, ignoresBattery: false };

/** A miner at work. */
interface Running extends MinerOptions {
  readonly address: AddressKeys;
  /** Hashes a second as measured; 0 when it makes blocks by the clock. */
  readonly speed: () => number;
  stop(): void;
}

/** Mines blocks for as long as it runs: by the clock, or by hashing in a thread of its own. */
export class MinerTimer {
  readonly #node: DevnetNode;
  readonly #pace: MiningPace;
  #running: Running | undefined;

  constructor(node: DevnetNode, pace: MiningPace) {
    this.#node = node;
    this.#pace = pace;
  }

  /** Undefined when it does not run. */
  get running(): Running | undefined {
    return this.#running;
  }

  /** Mines to an address from now on, in place of what it did before. */
  start(address: AddressKeys, options: Partial<MinerOptions> = {}): void {
    this.stop();
    const settings = { ...PLAIN, ...options };
    const work =
      'seconds' in this.#pace ? this.#byClock(this.#pace.seconds, address) : this.#hashing(this.#pace, address, settings.threads);
    this.#running = { ...settings, ...work, address };
  }

  #byClock(seconds: number, address: AddressKeys): Pick<Running, 'speed' | 'stop'> {
    const handle = setInterval(() => keepOn(() => this.#node.mine(address)), seconds * 1000);
    return { speed: () => 0, stop: () => clearInterval(handle) };
  }

  /** The reference has threads of its own; here one hashes for all of them. */
  #hashing(pace: { readonly hashesPerSecond: number }, address: AddressKeys, threads: number): Pick<Running, 'speed' | 'stop'> {
    const node = this.#node;
    let template: Template;
    let number = 0;
    const thread = new HashThread(
      (found, nonce) => {
        // Of work that is over: other work is on its way there.
        if (found === number) keepOn(() => handIn(node, template, nonce));
      },
      (error) => {
        process.emitWarning(error);
        this.stop();
      },
    );
    const renew = () =>
      keepOn(() => {
        template = node.template(address);
        const blob = blockHashingBlob(template.parsed.block);
        const seed = hexToBytes(node.chain.seedIdAt(node.chain.height));
        const rate = pace.hashesPerSecond * threads;
        thread.give({ number: ++number, blob, nonceAt: nonceIn(blob, template), seed, difficulty: node.difficulty, rate });
      });
    const unsubscribe = node.subscribe((event) => {
      if (event.type !== 'transaction') renew();
    });
    const handle = setInterval(renew, REFRESH);
    renew();
    const stop = () => {
      clearInterval(handle);
      unsubscribe();
      thread.stop();
    };
    return { speed: () => thread.speed, stop };
  }

  /** Mines no more; nothing happens when it did not. */
  stop(): void {
    this.#running?.stop();
    this.#running = undefined;
  }
}

/** Behind the id of the block before. */
function nonceIn(blob: Uint8Array, { parsed: { block } }: Template): number {
  return Buffer.from(blob).indexOf(Buffer.from(block.prevId)) + block.prevId.length;
}

/** A block that another was quicker than is no fault. */
function handIn(node: DevnetNode, { parsed }: Template, nonce: number): void {
  try {
    node.submitBlock(serializeBlock({ ...parsed.block, nonce }));
  } catch (error) {
    if (!(error instanceof RejectedError) || bytesToHex(parsed.block.prevId) === node.chain.top.id) throw error;
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
