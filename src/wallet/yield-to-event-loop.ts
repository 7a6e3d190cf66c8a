/** Resolves after pending timers, messages and input events have been handled. */
export const yieldToEventLoop: () => Promise<void> = afterImmediate() ?? afterMessage();

/** By `setImmediate`, in Node. */
function afterImmediate(): (() => Promise<void>) | undefined {
  const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => unknown };
  return setImmediate === undefined ? undefined : () => new Promise((resolve) => setImmediate(resolve));
}

/** By a message to itself, because nested timers wait at least four milliseconds in a browser. */
function afterMessage(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}
