/** The open end of a channel whose other end is closed: what is sent there is gone. (At its first use that takes until the next turn.) */
let drain: MessagePort | undefined;

/**
 * Gives a buffer's memory back at once: collectors are in no hurry, and the next bytes are on their way. Nobody may use the buffer
 * afterwards; it is detached.
 */
export function release(buffer: ArrayBuffer): void {
  if (drain === undefined) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    drain = port1;
  }
  drain.postMessage(undefined, [buffer]);
}
