/** One HTTP exchange with a daemon. Implemented on fetch; tests and the embedded daemon may bring their own. */
export interface DaemonRequest {
  /** As `/json_rpc`, `/get_blocks.bin`: starts with a slash, joined to the daemon's base. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly contentType?: 'application/json' | 'application/octet-stream';
  /** The answer's body may be at most this many bytes. @throws DaemonError `too-large` */
  readonly maxBytes: number;
  /** Milliseconds until the first byte of the answer; the transport's own when absent. */
  readonly firstByteTimeout?: number;
  readonly signal?: AbortSignal;
  /** Called with the body as far as it has come, whenever more has, and the announced length. What it throws ends the exchange. */
  readonly onBytes?: (body: Uint8Array, total: number | undefined) => void;
}

export interface DaemonResponse {
  /** HTTP status. */
  readonly status: number;
  /** The whole body in a buffer of its own. */
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface DaemonTransport {
  /** @throws DaemonError for everything but an HTTP status */
  request(request: DaemonRequest): Promise<DaemonResponse>;
}

/** Time as the transport needs it. */
export interface DaemonClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Where the jitter of retries and the client nonces come from. */
export interface RandomSource {
  bytes(n: number): Uint8Array;
}

export const systemClock: DaemonClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
