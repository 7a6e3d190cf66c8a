import type { ScanAccount, ScanPool, ScanResult } from '../src/protocol/scan/contract.ts';

/** A pool whose workers end when nothing was scanned for a while, and start again when something is. */
export class RestingPool implements ScanPool {
  readonly #make: () => ScanPool;
  readonly #idleMs: number;
  #pool: ScanPool;
  #account: ScanAccount | undefined;
  /** The running pool has been told of the account. */
  #told: Promise<void> | undefined;
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(make: () => ScanPool, idleMs: number) {
    this.#make = make;
    this.#idleMs = idleMs;
    this.#pool = make();
  }

  get width(): number {
    return this.#pool.width;
  }

  async setAccount(account: ScanAccount): Promise<void> {
    this.#account?.viewKey.fill(0);
    this.#account = { ...account, viewKey: account.viewKey.slice() };
    this.#told = this.#pool.setAccount(account);
    await this.#told;
  }

  async scan(reply: ArrayBuffer, signal?: AbortSignal): Promise<ScanResult> {
    clearTimeout(this.#timer);
    this.#running += 1;
    try {
      if (this.#account) this.#told ??= this.#pool.setAccount(this.#account);
      await this.#told;
      return await this.#pool.scan(reply, signal);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#timer = setTimeout(() => this.#rest(), this.#idleMs);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#account?.viewKey.fill(0);
    this.#account = undefined;
    await this.#pool.close();
  }

  #rest(): void {
    if (this.#running > 0 || this.#account === undefined) return;
    void this.#pool.close();
    this.#pool = this.#make();
    this.#told = undefined;
  }
}
