import { release } from '../../protocol/release.ts';

/** Below this many bytes the collector is left to do it. */
const LARGE = 4 * 1024 * 1024;

/** Gives a large reply's memory back at once. Nobody may use the buffer afterwards; it is detached. */
export function discard(buffer: ArrayBuffer): void {
  if (buffer.byteLength >= LARGE) release(buffer);
}
