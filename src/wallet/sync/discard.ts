/** Below this many bytes the collector is left to do it. */
const LARGE = 4 * 1024 * 1024;

/**
 * Gives a large reply's memory back at once: collectors are in no hurry, and the next reply is on its way. Nobody may use the buffer
 * afterwards; it is detached.
 */
export function discard(buffer: ArrayBuffer): void {
  if (buffer.byteLength < LARGE) return;
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, [buffer]);
  port1.close();
  port2.close();
}
