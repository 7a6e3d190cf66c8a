import type { KernelOptions } from '../crypto/field-module.ts';
import { ScanError } from './errors.ts';
import { copyAccount, ScanKernel } from './kernel.ts';
import type { ReplyLayout } from './layout.ts';
import type { ScanAnswer, ScanPort, ScanRequest } from './port.ts';
import { scanInSlices } from './slices.ts';
import type { ScanAccount, ScanFindings, ScanPool, ScanResult } from './types.ts';

/** A request without its id. */
type Question = ScanRequest extends infer R ? (R extends ScanRequest ? Omit<R, 'id'> : never) : never;

interface Waiting {
  readonly resolve: (answer: ScanAnswer) => void;
  readonly reject: (error: ScanError) => void;
}

/** How long a worker may be idle before it is ended. */
const IDLE_MILLISECONDS = 60_000;
/** A slice takes one or two tenths of a second: small enough for several workers to finish a reply together. */
const SLICE_BYTES = 2 ** 20;
/** Slices assigned to a worker at once: the next one is ready when one is done, however busy this thread is. */
const SLICES_AHEAD = 2;

/** The pool's connection to one worker: sends requests, and matches answers by their id. */
class Line {
  readonly #port: ScanPort;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #ended = false;
  /** Slices assigned to it. */
  load = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(port: ScanPort) {
    this.#port = port;
    port.listen(
      (message) => this.#answered(message as ScanAnswer),
      () => this.end(new ScanError('worker-failed')),
    );
  }

  get ended(): boolean {
    return this.#ended;
  }

  ask(question: Question, transfer: ArrayBuffer[]): Promise<ScanAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new ScanError('closed'));
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ ...question, id }, transfer);
    });
  }

  #answered(answer: ScanAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === 'error') waiting?.reject(new ScanError(answer.code, answer.data));
    else waiting?.resolve(answer);
  }

  /** Calls back once the worker has been idle long enough, unless it is needed before. */
  rest(tired: () => void): void {
    this.#timer = setTimeout(tired, IDLE_MILLISECONDS);
    // In Node, a pending timer would keep the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  wake(): void {
    clearTimeout(this.#timer);
  }

  end(why: ScanError): void {
    this.wake();
    if (this.#ended) return;
    this.#ended = true;
    this.#port.terminate();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}

/**
 * Several workers, each with its own kernel; they share the slices of a reply, in the order of the calls. The first worker starts with the
 * pool and gets the account as soon as there is one, the others when they are needed or about to be; one that has been idle for a while is
 * ended to free its memory. An aborted scan ends the workers that have slices of it (a kernel cannot be interrupted); they are replaced
 * when needed, and their other slices are scanned again.
 */
class WorkerPool implements ScanPool {
  readonly width: number;
  readonly #spawn: () => ScanPort;
  readonly #idle: Line[] = [];
  readonly #busy = new Set<Line>();
  readonly #queue: (() => void)[] = [];
  /** A worker that loads while the account is still being made. */
  #early: Line | undefined;
  #account: ScanAccount | undefined;
  /** Resolves when the first worker has loaded, or failed to. */
  #ready: Promise<void> | undefined;
  #closed = false;

  constructor(spawn: () => ScanPort, width: number) {
    this.#spawn = spawn;
    this.width = width;
    this.#early = new Line(spawn());
  }

  async setAccount(account: ScanAccount): Promise<void> {
    if (this.#closed) throw new ScanError('closed');
    this.#account?.viewKey.fill(0);
    this.#account = copyAccount(account);
    const lines = [...this.#idle, ...this.#busy];
    await Promise.all(lines.map((line) => this.#tell(line, account)));
    if (lines.length === 0) this.#ready = this.#loaded(this.#take());
  }

  warmUp(): void {
    for (let lines = this.#idle.length + this.#busy.size; lines < this.width; lines++) void this.#loaded(this.#start());
  }

  /** A worker loads while the first reply is still on its way. If it fails, the scan will fail too and report it. */
  #loaded(loading: Promise<Line>): Promise<void> {
    return loading.then(
      (line) => this.#give(line),
      () => undefined,
    );
  }

  /** Gives a worker the account. One that ends meanwhile needs none: its successor starts with it. */
  async #tell(line: Line, account: ScanAccount): Promise<void> {
    try {
      await line.ask({ kind: 'account', account: copyAccount(account) }, []);
    } catch (error) {
      if (!line.ended) throw error;
    }
  }

  async scan(reply: ArrayBuffer, signal?: AbortSignal, layout?: ReplyLayout): Promise<ScanResult> {
    try {
      signal?.throwIfAborted();
      return await scanInSlices(reply, SLICE_BYTES, (make) => this.#scanSlice(make, signal), layout);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async #scanSlice(make: () => ArrayBuffer, signal: AbortSignal | undefined): Promise<ScanFindings> {
    await this.#ready;
    for (;;) {
      const line = await this.#take();
      const abort = (): void => line.end(new ScanError('closed'));
      signal?.addEventListener('abort', abort, { once: true });
      try {
        signal?.throwIfAborted();
        const slice = make();
        const answer = await line.ask({ kind: 'scan', slice }, [slice]);
        if (answer.kind !== 'result') throw new ScanError('worker-failed');
        return answer.findings;
      } catch (error) {
        const another = error instanceof ScanError && error.code === 'closed' && !this.#closed && !signal?.aborted;
        if (!another) throw error;
      } finally {
        signal?.removeEventListener('abort', abort);
        this.#give(line);
      }
    }
  }

  /** An idle worker, a new one, one with room for another slice, or the next one that has it. The caller gives it back. */
  async #take(): Promise<Line> {
    while (!this.#closed) {
      const line = this.#idle.pop() ?? (this.#busy.size < this.width ? undefined : this.#roomy());
      if (line !== undefined) return this.#reserve(line);
      if (this.#busy.size < this.width) return this.#start();
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    throw new ScanError('closed');
  }

  #roomy(): Line | undefined {
    return [...this.#busy].find((line) => line.load < SLICES_AHEAD && !line.ended);
  }

  #reserve(line: Line): Line {
    line.wake();
    line.load += 1;
    this.#busy.add(line);
    return line;
  }

  async #start(): Promise<Line> {
    const account = this.#account;
    if (account === undefined) throw new ScanError('no-account');
    const line = this.#reserve(this.#newLine());
    try {
      await line.ask({ kind: 'account', account: copyAccount(account) }, []);
      return line;
    } catch (error) {
      // A worker without an account is of no use.
      line.end(new ScanError('closed'));
      this.#give(line);
      throw error;
    }
  }

  #newLine(): Line {
    const early = this.#early;
    this.#early = undefined;
    return early === undefined || early.ended ? new Line(this.#spawn()) : early;
  }

  #give(line: Line): void {
    line.load -= 1;
    if (line.load === 0) this.#rest(line);
    this.#queue.shift()?.();
  }

  #rest(line: Line): void {
    this.#busy.delete(line);
    if (line.ended || this.#closed) return;
    this.#idle.push(line);
    line.rest(() => void this.#letGo(line));
  }

  async #letGo(line: Line): Promise<void> {
    const at = this.#idle.indexOf(line);
    if (at < 0) return;
    this.#idle.splice(at, 1);
    await line.ask({ kind: 'close' }, []).catch(() => undefined);
    line.end(new ScanError('closed'));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#account?.viewKey.fill(0);
    this.#account = undefined;
    await Promise.allSettled(this.#idle.map((line) => line.ask({ kind: 'close' }, [])));
    for (const line of [this.#early, ...this.#idle, ...this.#busy]) line?.end(new ScanError('closed'));
    for (const resolve of this.#queue.splice(0)) resolve();
  }
}

/**
 * A pool of workers that run `serveScan`. `spawn` starts one, the first at once, and returns its port.
 * @param width number of slices scanned in parallel, at least 1
 */
export function createScanPool(spawn: () => ScanPort, width: number): ScanPool {
  return new WorkerPool(spawn, Math.max(1, width));
}

/** A pool in this thread: width 1, and nothing else runs while it scans. For tests, small tools and single scans. */
export async function createInlineScanPool(options: KernelOptions = {}): Promise<ScanPool> {
  const kernel = await ScanKernel.load(options);
  return {
    width: 1,
    async setAccount(account) {
      kernel.setAccount(account);
    },
    warmUp: () => undefined,
    async scan(reply, signal, layout) {
      signal?.throwIfAborted();
      return scanInSlices(reply, SLICE_BYTES, async (make) => kernel.scan(make()), layout);
    },
    async close() {
      kernel.forget();
    },
  };
}
