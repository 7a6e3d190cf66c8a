import { bytesToHex, hexToBytes } from '../base/index.ts';
import { type AddressKeys, blockHashingBlob, serializeBlock } from '../protocol/index.ts';
import { RejectedError } from './errors.ts';
import { HashThread } from './hash-thread.ts';
import type { Template } from './miner.ts';
import type { DevnetNode } from './node.ts';

/** How fast it mines: a block every so many seconds, or by a number of test hashes per second and thread. */
export type MiningPace = { readonly seconds: number } | { readonly hashesPerSecond: number };

/** Milliseconds after which the hashed block includes new transactions. */
const REFRESH = 5_000;

/** Settings of a miner. */
export interface MinerOptions {
  readonly threads: number;
  /** Whether it was told to give way to other programs: only reported. */
  readonly inBackground: boolean;
  /** Whether to do so on battery too: only reported. */
  readonly ignoresBattery: boolean;
}

const PLAIN: MinerOptions = { threads: 1, inBackground: false, ignoresBattery: false };

/** A running miner. */
interface Running extends MinerOptions {
  readonly address: AddressKeys;
  /** Measured hashes per second; 0 when it makes blocks by timer. */
  readonly speed: () => number;
  stop(): void;
}

/** Mines blocks while it runs: by timer, or by hashing in a thread. */
export class MinerTimer {
  readonly #node: DevnetNode;
  readonly #pace: MiningPace;
  #running: Running | undefined;

  constructor(node: DevnetNode, pace: MiningPace) {
    this.#node = node;
    this.#pace = pace;
  }

  /** Undefined when it is stopped. */
  get running(): Running | undefined {
    return this.#running;
  }

  /** Mines to an address from now on, replacing earlier settings. */
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

  /** The reference uses several threads; here one hashes for all of them. */
  #hashing(pace: { readonly hashesPerSecond: number }, address: AddressKeys, threads: number): Pick<Running, 'speed' | 'stop'> {
    const node = this.#node;
    let template: Template;
    let number = 0;
    const thread = new HashThread(
      (found, nonce) => {
        // Otherwise it belongs to earlier work: the next work is on its way there.
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

  /** Stops mining; does nothing if it is stopped. */
  stop(): void {
    this.#running?.stop();
    this.#running = undefined;
  }
}

/** After the id of the previous block. */
function nonceIn(blob: Uint8Array, { parsed: { block } }: Template): number {
  return Buffer.from(blob).indexOf(Buffer.from(block.prevId)) + block.prevId.length;
}

/** A block that came too late is not an error. */
function handIn(node: DevnetNode, { parsed }: Template, nonce: number): void {
  try {
    node.submitBlock(serializeBlock({ ...parsed.block, nonce }));
  } catch (error) {
    if (!(error instanceof RejectedError) || bytesToHex(parsed.block.prevId) === node.chain.top.id) throw error;
  }
}

/** A block that cannot be stored (a full disk) is tried again at the next tick. */
function keepOn(step: () => void): void {
  try {
    step();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
