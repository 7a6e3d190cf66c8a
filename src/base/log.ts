/** Levels of the log, most urgent first. */
export const LOG_LEVELS = ['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE'] as const;
/** Importance of a line, as in the reference's log (easylogging++): from `FATAL` to `TRACE`. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Takes one line of the log. Categories are the reference's (`global`, `net.http`, `wallet.wallet2`, `wallet.rpc`).
 * @param line a function is called only if the line is wanted; never contains a secret
 */
export type Log = (level: LogLevel, category: string, line: string | (() => string)) => void;

interface Rule {
  readonly pattern: string;
  readonly most: number;
}

/**
 * A filter by categories in the reference's notation, `*:WARNING,net.http:DEBUG`: the last one that names a category decides
 * (easylogging++, allowed). Invalid rules are ignored.
 */
export function logFilter(categories: string): (level: LogLevel, category: string) => boolean {
  const rules = categories.split(',').flatMap((text): Rule[] => {
    const [, pattern, level] = /^\s*([^:]+):([A-Z]+)\s*$/.exec(text) ?? [];
    const most = LOG_LEVELS.indexOf(level as LogLevel);
    return pattern === undefined || most < 0 ? [] : [{ pattern, most }];
  });
  rules.reverse();
  const mostOf = (category: string): number => rules.find(({ pattern }) => matches(category, pattern))?.most ?? -1;
  // There are a few dozen categories, and a line for each output that comes.
  const known = new Map<string, number>();
  return (level, category) => {
    const most = known.get(category) ?? mostOf(category);
    known.set(category, most);
    return LOG_LEVELS.indexOf(level) <= most;
  };
}

/** `*` matches any letters, `?` one; in time proportional to the product of both lengths. */
function matches(text: string, pattern: string): boolean {
  let reached = new Set([0]);
  for (const letter of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (letter === '*') for (let to = at; to <= text.length; to++) next.add(to);
      else if (at < text.length && (letter === '?' || letter === text[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}
