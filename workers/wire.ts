import { transferHandlers } from 'comlink';

/** An error as it crosses between threads, with its code and data, so that the page can show a text for it. */
export interface WireError {
  /** The error class: two classes may use one code for different things. */
  readonly room: string;
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** An error thrown in a worker, as the page sees it. */
export class RemoteError extends Error {
  readonly room: string;
  readonly code: string;
  readonly data: unknown;

  constructor({ room, code, message, data }: WireError) {
    super(message);
    this.name = 'RemoteError';
    this.room = room;
    this.code = code;
    this.data = data;
  }
}

interface Thrown {
  readonly value: unknown;
}

/** Converts a typed error; `internal` for errors without a code. Data that cannot be cloned is dropped. */
export function toWireError(error: unknown): WireError {
  // Already received from another thread: passed on unchanged.
  if (error instanceof RemoteError) {
    const { room, code, message, data } = error;
    return { room, code, message, data };
  }
  if (!(error instanceof Error)) return { room: 'unknown', code: 'internal', message: String(error), data: undefined };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : codeOfPlatformError(error);
  return { room: error.name, code, message: error.message, data: 'data' in error ? cloneable(error.data) : undefined };
}

// The browser's own errors that a person can do something about.
function codeOfPlatformError(error: Error): string {
  if (error.name === 'QuotaExceededError') return 'disk-full';
  if (error.name === 'AbortError') return 'aborted';
  return 'internal';
}

function cloneable(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/**
 * Makes comlink transfer typed errors, on both sides. Comlink's own handler transfers only name, message and stack, and the page must not show a
 * stack.
 */
export function transferTypedErrors(): void {
  const handler = transferHandlers.get('throw');
  if (!handler) throw new Error('comlink has no handler for thrown values');
  transferHandlers.set('throw', {
    canHandle: handler.canHandle,
    serialize: (thrown: unknown) => [toWireError((thrown as Thrown).value), []],
    deserialize: (wire: unknown) => {
      throw new RemoteError(wire as WireError);
    },
  });
}
