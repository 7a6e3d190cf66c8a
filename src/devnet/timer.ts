import type { MinerAddress } from './miner.ts';
import type { DevnetNode } from './node.ts';

/** Mines a block every so often, for as long as it runs. */
export class MinerTimer {
  readonly #node: DevnetNode;
  #handle: ReturnType<typeof setInterval> | undefined;
  #address = '';

  readonly #seconds: number;

  /** @param seconds between blocks */
  constructor(node: DevnetNode, seconds: number) {
    this.#node = node;
    this.#seconds = seconds;
  }

  get active(): boolean {
    return this.#handle !== undefined;
  }

  /** As it was given to {@link start}; empty when it does not run. */
  get address(): string {
    return this.active ? this.#address : '';
  }

  /** @param text the address as it was given, for {@link address} */
  start(text: string, address: MinerAddress): void {
    this.stop();
    this.#address = text;
    this.#handle = setInterval(() => this.#mine(address), this.#seconds * 1000);
  }

  /** A block that cannot be kept (a full disk) is tried again at the next turn. */
  #mine(address: MinerAddress): void {
    try {
      this.#node.mine(address);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }

  stop(): void {
    clearInterval(this.#handle);
    this.#handle = undefined;
  }
}
