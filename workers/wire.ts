import { transferHandlers } from 'comlink';

/** An error as it crosses between threads: its code and data survive, so that the page can say it in its own words. */
export interface WireError {
  /** The error class: two rooms may use one code for different things. */
  readonly room: string;
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** The page's side of an error thrown in a worker. */
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

/** Reads a typed error's code; `internal` for errors that carry none. Data that cannot be cloned stays behind. */
export function toWireError(error: unknown): WireError {
  // It goes on to another thread as it came.
  if (error instanceof RemoteError) {
    const { room, code, message, data } = error;
    return { room, code, message, data };
  }
  if (!(error instanceof Error)) return { room: 'unknown', code: 'internal', message: String(error), data: undefined };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : codeOfPlatformError(error);
  return { room: error.name, code, message: error.message, data: 'data' in error ? cloneable(error.data) : undefined };
}

// The browser's own failures that a person can do something about.
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
 * Teaches comlink, on both sides, to carry typed errors. Comlink's own handler keeps name, message and stack only,
 * and a stack has no place on the page.
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
