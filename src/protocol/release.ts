/**
 * The open end of a channel whose other end is closed: anything sent there is dropped. (The first time, that takes until the next turn.)
 */
let drain: MessagePort | undefined;

/**
 * Frees a buffer's memory at once: the garbage collector may be late, and the next bytes are already coming. The buffer is detached and
 * cannot be used afterwards.
 */
export function release(buffer: ArrayBuffer): void {
  if (drain === undefined) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    drain = port1;
  }
  drain.postMessage(undefined, [buffer]);
}
