/** Severities, the most severe first. */
export const LOG_LEVELS = ['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the five levels by number stand for (mlog.cpp). */
const BY_NUMBER = [
  '*:WARNING,net:FATAL,net.http:FATAL,net.ssl:FATAL,net.p2p:FATAL,net.cn:FATAL,daemon.rpc:FATAL,global:INFO,verify:FATAL,' +
    'serialization:FATAL,daemon.rpc.payment:ERROR,stacktrace:INFO,logging:INFO,msgwriter:INFO',
  '*:INFO,global:INFO,stacktrace:INFO,logging:INFO,msgwriter:INFO,perf.*:DEBUG',
  '*:DEBUG',
  '*:TRACE,*.dump:DEBUG',
  '*:TRACE',
] as const;

/** Which categories are logged from which severity on, as a text in the reference's form: `*:WARNING,net:FATAL`. */
export class LogCategories {
  #text: string = BY_NUMBER[0];

  get text(): string {
    return this.#text;
  }

  /** @returns whether it is 0 to 4 */
  setLevel(level: number): boolean {
    const text = BY_NUMBER[level];
    if (text === undefined) return false;
    this.#text = text;
    return true;
  }

  /** Categories, a level by number with categories behind a comma, or a change: `+` adds, `-` takes out. */
  set(text: string): void {
    const level = /^\s*[+-]?\d+/.exec(text)?.[0];
    const rest = level === undefined ? text : text.slice(level.length);
    if (level === undefined || (rest !== '' && !rest.startsWith(','))) this.#setCategories(text);
    else if (rest === '') this.setLevel(Number(level));
    else this.#setCategories((BY_NUMBER[Number(level)] ?? '') + rest);
  }

  #setCategories(text: string): void {
    if (text.startsWith('+')) this.#text = [this.#text, text.slice(1)].filter((part) => part !== '').join(',');
    else if (text.startsWith('-')) {
      for (const single of text.slice(1).split(/,+/)) this.#text = this.#text.replace(single, () => '');
    } else this.#text = text;
  }

  /** Whether a line of this category and severity is written: the last entry that fits decides. */
  allows(category: string, level: LogLevel): boolean {
    let least: string | undefined;
    for (const entry of this.#text.split(',')) {
      const at = entry.lastIndexOf(':');
      if (at > 0 && fits(entry.slice(0, at), category)) least = entry.slice(at + 1);
    }
    const bound = LOG_LEVELS.indexOf(least as LogLevel);
    return bound >= LOG_LEVELS.indexOf(level);
  }
}

function fits(pattern: string, category: string): boolean {
  if (!pattern.includes('*')) return pattern === category || category.startsWith(`${pattern}.`);
  const [before = '', after = ''] = pattern.split('*', 2);
  return category.startsWith(before) && category.endsWith(after);
}
