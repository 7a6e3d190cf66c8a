/** One HTTP exchange with a daemon: every call is a POST. Implemented on fetch; tests and the embedded daemon have their own. */
export interface DaemonRequest {
  /** Such as `/json_rpc`, `/get_blocks.bin`: starts with a slash, appended to the daemon's base. */
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: 'application/json' | 'application/octet-stream';
  /** Most bytes of the answer's body. @throws DaemonError `too-large` */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the body received so far, whenever more arrives, and the announced length. Throwing ends the exchange. */
  readonly onBytes?: ((body: Uint8Array, total: number | undefined) => void) | undefined;
}

/** An answer with any HTTP status. */
export interface DaemonResponse {
  readonly status: number;
  /** The whole body in a buffer of its own. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A connection to one daemon. */
export interface DaemonTransport {
  /** @throws DaemonError for everything but an HTTP status */
  request(request: DaemonRequest): Promise<DaemonResponse>;
}
