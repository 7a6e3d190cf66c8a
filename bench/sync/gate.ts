/**
 * Lets the bench control when a sync begins. After `/bench/hold` the next request for blocks is held; `/bench/asked` answers once one is;
 * `/bench/go` releases it and all that follow; `/bench/tip` answers once the pool is requested, as a wallet does at the tip.
 */
export class Gate {
  #held: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;
  #asked: Promise<void> = Promise.resolve();
  #noteAsked: () => void = () => undefined;
  #tip: Promise<void> = Promise.resolve();
  #noteTip: () => void = () => undefined;

  /** @returns whether the path was one of the bench's own; its work is done when this resolves */
  async control(path: string): Promise<boolean> {
    if (path === '/bench/hold') this.#hold();
    else if (path === '/bench/asked') await this.#asked;
    else if (path === '/bench/go') this.#release();
    else if (path === '/bench/tip') await this.#tip;
    else return false;
    return true;
  }

  /** Holds a request for blocks while the gate is closed. */
  async pass(path: string): Promise<void> {
    if (path.includes('pool')) this.#noteTip();
    if (!/^\/get_?blocks\.bin$/.test(path)) return;
    this.#noteAsked();
    await this.#held;
  }

  #hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
    this.#asked = new Promise((resolve) => {
      this.#noteAsked = resolve;
    });
    this.#tip = new Promise((resolve) => {
      this.#noteTip = resolve;
    });
  }
}
