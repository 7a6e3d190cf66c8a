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
    this.#handle = setInterval(() => this.#node.mine(address), this.#seconds * 1000);
  }

  stop(): void {
    clearInterval(this.#handle);
    this.#handle = undefined;
  }
}
