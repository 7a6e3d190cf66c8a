// Loaded into a service under test before its own code: reports memory use when asked over the channel. Requires --expose-gc.
process.on('message', (question) => {
  const collect = globalThis.gc;
  if (question !== 'memory' || collect === undefined) return;
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed, rss });
});
