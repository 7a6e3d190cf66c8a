import { codeOf, messageOf } from '../../base/index.ts';
import type { DaemonInfo } from '../../daemon/index.ts';
import type { Height } from '../../protocol/index.ts';
import type { SyncPhase, SyncStatus } from '../api.ts';
import { CatchUp } from './catch-up.ts';
import type { SyncContext, SyncDaemon } from './context.ts';
import { requireNetwork } from './genesis.ts';
import { PoolWatch } from './pool-watch.ts';
import { Progress } from './progress.ts';
import { SentWatch } from './sent-watch.ts';
import { Verifier } from './verify.ts';

/** Intervals and sizes of requests to a daemon. */
export interface SyncOptions {
  /** Milliseconds between two polls of the daemon at its tip. */
  readonly pollEvery: number;
  /** First and longest pause after a failure, in milliseconds; it doubles in between. */
  readonly retryFirst: number;
  readonly retryMost: number;
  /** Most blocks in one request, if the daemon observes it; older ones send up to 1,000 in any case. */
  readonly blocksPerRequest: number;
}

/** Defaults unless `environment` has others. */
export const DEFAULT_SYNC_OPTIONS: SyncOptions = {
  pollEvery: 3000,
  retryFirst: 1000,
  retryMost: 30_000,
  blocksPerRequest: 1000,
};

/** Milliseconds that a reader waits for a poll of the pool. */
const POOL_PATIENCE = 3000;

/** Failures that retrying cannot fix: the person must choose. */
const FINAL: ReadonlySet<string> = new Set([
  'unknown-era',
  'reorg-too-deep',
  'block-mismatch',
  'bad-event',
  'login-refused',
  'login-needed',
  'bad-url',
  'removed',
]);

/** Keeps a wallet at its daemon's tip: connects, catches up, polls pool and chain, and retries after failures. */
export class SyncEngine {
  readonly #deps: SyncContext;
  readonly #options: SyncOptions;
  readonly #onStatus: () => void;
  readonly #progress = new Progress();
  readonly #catchUp: CatchUp;
  readonly #pool: PoolWatch;
  readonly #sent: SentWatch;
  readonly #verifier: Verifier;
  #phase: SyncPhase = 'idle';
  #error: SyncStatus['error'];
  #daemonHeight: number | undefined;
  #daemon: SyncDaemon | undefined;
  #run: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  /** Resolves when the last run has stopped. */
  #atRest: Promise<void> = Promise.resolve();
  /** Aborts polls of the pool that run while no sync does. */
  #resting = new AbortController();
  /** Ends the pause between two polls. */
  #nudge = new AbortController();
  /** Resolved at the end of each poll of pool and chain. */
  #rounds = new Set<() => void>();

  constructor(deps: SyncContext, onStatus: () => void, options: SyncOptions = DEFAULT_SYNC_OPTIONS) {
    this.#deps = deps;
    this.#options = options;
    this.#onStatus = onStatus;
    const listener = { onTip: (height: number) => this.#setTip(height), onBlocks: (count: number) => this.#noteBlocks(count) };
    this.#catchUp = new CatchUp(deps, listener, options.blocksPerRequest);
    this.#pool = new PoolWatch(deps);
    this.#sent = new SentWatch(deps);
    this.#verifier = new Verifier(deps);
  }

  /** Progress of the scan; `timeLeft` is in seconds. */
  get status(): SyncStatus {
    const { height } = this.#deps.state;
    const left = this.#daemonHeight === undefined ? undefined : Math.max(0, this.#daemonHeight - height);
    const rate = this.#progress.rate();
    const timeLeft = left === 0 ? 0 : left === undefined || rate === 0 ? undefined : left / rate;
    return { phase: this.#phase, height, daemonHeight: this.#daemonHeight, rate, timeLeft, error: this.#error };
  }

  /** Starts with a daemon, replacing the earlier one. */
  async start(daemon: SyncDaemon): Promise<void> {
    await this.stop('idle');
    this.#daemonHeight = undefined;
    await this.#pool.clear();
    this.#verifier.clear();
    this.#catchUp.learnImages();
    const stop = new AbortController();
    this.#daemon = daemon;
    this.#run = { stop, done: this.#loop(daemon, stop.signal) };
  }

  /** Stops; nothing applied is lost. */
  async stop(phase: 'idle' | 'paused'): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    this.#resting.abort();
    this.#resting = new AbortController();
    run?.stop.abort();
    if (phase === 'idle') this.#daemon = undefined;
    if (run !== undefined) this.#atRest = run.done;
    await run?.done;
    this.#progress.reset();
    this.#setPhase(phase, undefined);
  }

  /** Polls pool and chain now, and resolves when that is done, even if it failed; when stopping, once it has stopped. */
  refresh(): Promise<void> {
    if (this.#run === undefined) return this.#atRest;
    if (this.#phase === 'stopped') return Promise.resolve();
    const done = new Promise<void>((resolve) => this.#rounds.add(resolve));
    this.#nudge.abort();
    return done;
  }

  /** Fetches and verifies the whole block of a payment, from any daemon; resolves after the attempt, even if it failed. */
  async see(height: Height): Promise<void> {
    this.#verifier.ask(height);
    try {
      // A running poll may be past this step: it is then done in the next one.
      for (let looks = 0; looks < 2 && this.#verifier.isAskedFor(height); looks++) await this.refresh();
    } finally {
      this.#verifier.unask(height);
    }
  }

  /**
   * Polls only the pool, even while the scan is paused, and resolves when that is done, even if it failed or took too long. While blocks
   * are being caught up with or the daemon is unreachable there is nothing to wait for.
   */
  async lookAtPool(): Promise<void> {
    if (this.#phase !== 'live' && this.#phase !== 'paused') return;
    const patience = new AbortController();
    const enough = this.#deps.clock.sleep(POOL_PATIENCE, patience.signal);
    await Promise.race([this.#look(), enough]);
    patience.abort();
  }

  async #look(): Promise<void> {
    const [run, daemon] = [this.#run, this.#daemon];
    if (daemon === undefined) return;
    const { signal } = run?.stop ?? this.#resting;
    try {
      if (run === undefined) (await daemon.getInfo({ signal })).check((info) => this.#requireNetwork(info));
      await this.#pool.poll(daemon, signal);
    } catch {
      // The scan asks the same daemon, and its errors are shown.
    }
  }

  async #loop(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    let failures = 0;
    this.#setPhase('connecting', undefined);
    for (let connected = false; !signal.aborted; ) {
      try {
        if (!connected) await this.#connect(daemon, signal);
        connected = true;
        await this.#round(daemon, signal);
        failures = 0;
        await this.#pause(this.#options.pollEvery, signal);
      } catch (error) {
        if (signal.aborted) break;
        if (this.#fail(error)) break;
        connected = false;
        this.#endRound();
        await this.#pause(Math.min(this.#options.retryFirst * 2 ** failures, this.#options.retryMost), signal);
        failures = Math.min(failures + 1, 30);
      }
    }
    this.#endRound();
  }

  /** One poll: blocks and with them the pool, then our pending transactions, then whole blocks to verify. */
  async #round(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    await this.#pool.begin(daemon, signal);
    await this.#catchUp.run(daemon, signal, this.#pool);
    this.#setPhase('live', undefined);
    await this.#pool.settle(daemon, signal);
    await this.#sent.check(daemon, (txHash) => this.#pool.has(txHash), signal);
    await this.#verifier.step(daemon, signal);
    await this.#deps.atTip();
    this.#endRound();
  }

  async #connect(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    const tip = await (await daemon.getInfo({ signal })).check(async (info) => {
      await this.#deps.settleNetwork(info.nettype);
      this.#requireNetwork(info);
      return info.height;
    });
    this.#setTip(tip);
    this.#pool.reconnected();
    await this.#deps.beforeFirstBlock(daemon, signal);
    this.#setPhase('syncing', undefined);
  }

  #requireNetwork({ nettype }: DaemonInfo): void {
    requireNetwork(nettype, this.#deps.state.description.network);
  }

  /** @returns whether this failure is final */
  #fail(error: unknown): boolean {
    const failure = failureOf(error);
    const final = FINAL.has(failure.code);
    this.#progress.reset();
    this.#setPhase(final ? 'stopped' : 'offline', failure);
    return final;
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#nudge.signal.aborted) this.#nudge = new AbortController();
    await this.#deps.clock.sleep(ms, AbortSignal.any([signal, this.#nudge.signal]));
    if (this.#nudge.signal.aborted) this.#nudge = new AbortController();
  }

  #endRound(): void {
    const rounds = [...this.#rounds];
    this.#rounds.clear();
    for (const resolve of rounds) resolve();
  }

  #setTip(height: number): void {
    this.#daemonHeight = height;
    if (this.#phase === 'live' && height > this.#deps.state.height + 20) this.#setPhase('syncing', undefined);
  }

  #noteBlocks(count: number): void {
    this.#progress.note(this.#deps.clock.now(), count);
    this.#onStatus();
  }

  #setPhase(phase: SyncPhase, error: SyncStatus['error']): void {
    if (phase === this.#phase && error?.code === this.#error?.code) return;
    this.#phase = phase;
    this.#error = error;
    this.#onStatus();
  }
}

/** Code and message of any room's typed error. */
export function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  return { code: codeOf(error) || 'internal', message: messageOf(error) };
}
