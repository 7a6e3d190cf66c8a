/** One HTTP exchange with a daemon: every call is a POST. Implemented on fetch; tests and the embedded daemon may bring their own. */
export interface DaemonRequest {
  /** As `/json_rpc`, `/get_blocks.bin`: starts with a slash, joined to the daemon's base. */
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: 'application/json' | 'application/octet-stream';
  /** The answer's body may be at most this many bytes. @throws DaemonError `too-large` */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the body as far as it has come, whenever more has, and the announced length. What it throws ends the exchange. */
  readonly onBytes?: ((body: Uint8Array, total: number | undefined) => void) | undefined;
}

/** An answer, whatever its HTTP status. */
export interface DaemonResponse {
  readonly status: number;
  /** The whole body in a buffer of its own. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A way to one daemon. */
export interface DaemonTransport {
  /** @throws DaemonError for everything but an HTTP status */
  request(request: DaemonRequest): Promise<DaemonResponse>;
}
