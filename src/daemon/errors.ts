import { CodedError, codeOf } from '../base/index.ts';

/** Everything that can go wrong between a wallet and a daemon. A closed union: match on it exhaustively. */
export type DaemonErrorCode =
  /** Not an http(s) URL or a path of the page's own origin. */
  | 'bad-url'
  /**
   * No connection: wrong address, daemon down, network down. `data.refused` if nothing can have been sent, because none came about.
   */
  | 'unreachable'
  /** The page is https and the daemon plain http: browsers block that. */
  | 'mixed-content'
  /** The daemon answers, but does not allow pages of this origin to read its answers. */
  | 'cors'
  /** The browser needs, or was denied, permission for pages to reach local addresses. */
  | 'local-network'
  /** No answer, or an answer below the lowest accepted rate. */
  | 'timeout'
  /** The caller's signal aborted the call. */
  | 'aborted'
  /** An HTTP status other than 200, 401 and 404; `data.status`. */
  | 'http-status'
  /** The daemon requires a name and password and was given none. */
  | 'login-needed'
  /** The daemon refused the name and password. */
  | 'login-refused'
  /** The daemon is syncing or overloaded (status BUSY). */
  | 'busy'
  /** A `status` other than "OK"; `data.status`. */
  | 'bad-status'
  /** A JSON-RPC error object; `data.code`. */
  | 'rpc-error'
  /** No such call: a restricted daemon reserves it for its owner, or its release has it no longer or not yet. */
  | 'not-offered'
  /** A restricted daemon answers the call, but not for this much. */
  | 'restricted'
  /** The daemon demands payment for its answers. */
  | 'payment-required'
  /** More bytes, blocks or transactions than the call may bring (T6). */
  | 'too-large'
  /** Not in the format of the call (T6). */
  | 'malformed'
  /** A fee estimate that does not rise with the priority, or rounds excessively (T1). */
  | 'bad-fee'
  /** Not the requested number of outputs (T2). */
  | 'bad-outs'
  /** An output distribution other than the requested one (T4). */
  | 'bad-distribution'
  /** Blocks, headers or ids that do not match the request or do not follow each other (T5). */
  | 'bad-chain'
  /** Transactions other than the requested ones. */
  | 'bad-transactions'
  /** Pool data that does not match the request (T6). */
  | 'bad-pool';

/** A typed failure of this room. `data` holds what a caller needs to act on it; a daemon's own words are text, never markup. */
export class DaemonError extends CodedError<DaemonErrorCode> {
  override readonly name = 'DaemonError';
}

/** No connection was made, so nothing of a request can have been sent. Thrown as the cause by a `fetch` that opens connections itself. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError';
  /** The system's, such as `ECONNRESET`; undefined if it has none. */
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = codeOf(cause) || undefined;
  }
}

/** Whether this is an error of the daemon's client; if `code` is given, one with that code. */
export function isDaemonError(error: unknown, code?: DaemonErrorCode): error is DaemonError {
  return error instanceof DaemonError && (code === undefined || error.code === code);
}

/** Failures that a later try may avoid: the network's and a busy daemon's. A wrong answer stays wrong. */
export function isRetryable(error: unknown): boolean {
  if (!isDaemonError(error)) return false;
  if (error.code === 'http-status') return [408, 429, 503].includes(Number(error.data.status));
  return error.code === 'unreachable' || error.code === 'timeout' || error.code === 'busy';
}

/**
 * Whether a request was certainly not processed: no connection was made, the daemon says that it is busy, which it checks first
 * (core_rpc_server.cpp, CHECK_CORE_READY), or the status is one by which a server rejects a request before it reads the body (RFC 9110,
 * 15.5), except those for a timeout and for too many requests.
 */
export function wasNotProcessed(error: unknown): boolean {
  if (!isDaemonError(error)) return false;
  const status = Number(error.data.status);
  if (error.code === 'http-status') return status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (error.code === 'unreachable') return error.data.refused === true;
  return ['busy', 'login-needed', 'login-refused', 'not-offered'].includes(error.code);
}
