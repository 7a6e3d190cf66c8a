/** Categories of each level (mlog.cpp, get_default_categories). */
const LEVELS: readonly string[] = [
  '*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO,verify:FATAL,serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO',
  '*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG',
  '*:DEBUG',
  '*:TRACE,*.dump:DEBUG',
  '*:TRACE',
];

/**
 * The log's categories after a change in the reference's notation: a level by its number (more categories may follow a comma), `+` adds,
 * `-` removes, anything else replaces them.
 */
export function changedCategories(current: string, change: string): string {
  const [, level, more = ''] = /^([0-9]+)(,.*)?$/.exec(change) ?? [];
  if (level !== undefined) {
    const named = LEVELS[Number(level)];
    return named === undefined ? current : named + more;
  }
  if (change.startsWith('+')) return [current, change.slice(1)].filter((part) => part !== '').join(',');
  if (!change.startsWith('-')) return change;
  return change
    .slice(1)
    .split(',')
    .reduce((left, category) => left.replace(category, () => ''), current);
}
