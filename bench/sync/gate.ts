/**
 * Lets the bench say when a sync begins. After `/bench/hold` the next request for blocks waits; `/bench/asked` answers once one does;
 * `/bench/go` lets it through, and all that follow; `/bench/tip` answers once the pool is asked for, as a wallet does at the tip.
 */
export class Gate {
  #held: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;
  #asked: Promise<void> = Promise.resolve();
  #noteAsked: () => void = () => undefined;
  #tip: Promise<void> = Promise.resolve();
  #noteTip: () => void = () => undefined;

  /** @returns whether the path was one of the bench's own, done when this resolves */
  async control(path: string): Promise<boolean> {
    if (path === '/bench/hold') this.#hold();
    else if (path === '/bench/asked') await this.#asked;
    else if (path === '/bench/go') this.#release();
    else if (path === '/bench/tip') await this.#tip;
    else return false;
    return true;
  }

  /** A request for blocks waits here while the gate is closed. */
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
