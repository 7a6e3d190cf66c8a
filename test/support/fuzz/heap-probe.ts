// Loaded into a service under test before anything of it: says how much memory is in use when asked over the channel. Wants --expose-gc.
process.on('message', (question) => {
  const collect = globalThis.gc;
  if (question !== 'memory' || collect === undefined) return;
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed, rss });
});
