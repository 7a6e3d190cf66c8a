import {
  createScanPool,
  type ScanAccount,
  type ScanPool,
  type ScanPort,
  type ScanResult,
  webPort,
} from '../src/protocol/scan/index.ts';
import scanWorkerUrl from './scan.worker.ts?worker&url';
import { scriptUrl } from './trusted.ts';

/** More scan workers than this wait for the download, not for the processor. */
const MOST = 4;
/** Workers without work for this long are let go, and give their memory back. */
const IDLE_MS = 30_000;

/** One processor is left to the page and the wallet; a phone with one gets one scan worker. */
export const poolWidth = (processors: number): number => Math.min(MOST, Math.max(1, processors - 1));

/** The scan workers of this wallet worker. They are started when there is something to scan. */
export function spawnScanPool(): ScanPool {
  const spawn = (): ScanPort => webPort(new Worker(scriptUrl(scanWorkerUrl), { type: 'module', name: 'nightjar scan' }));
  return new RestingPool(() => createScanPool(spawn, poolWidth(navigator.hardwareConcurrency || 1)), IDLE_MS);
}

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
