import { changedCategories, type Log, type LogLevel, logFilter } from '../base/index.ts';
import type { LogFile } from './log-file.ts';

/** Colours of the reference's console for each level (easylogging++). */
const COLOUR: Readonly<Record<LogLevel, string>> = {
  FATAL: '\u001b[1;31m',
  ERROR: '\u001b[0;31m',
  WARNING: '\u001b[0;33m',
  INFO: '\u001b[0;36m',
  DEBUG: '\u001b[0;32m',
  TRACE: '\u001b[0;35m',
};
/** Values of `TERM` for which it uses colours. */
const COLOURED = /^(xterm|screen|linux|cygwin)$|-(256)?color$/;
const PLAIN = '\u001b[0m';

/** The service's log: on standard output in the reference's format, one write for each line, and in a file. */
export class ServiceLog {
  readonly #print: (text: string) => void;
  readonly #file: LogFile | undefined;
  #categories: string;
  #wants: ReturnType<typeof logFilter>;

  /** @param print writes to standard output */
  constructor(categories: string, print: (text: string) => void, file?: LogFile) {
    this.#print = print;
    this.#file = file;
    this.#categories = changedCategories('', categories);
    this.#wants = logFilter(this.#categories);
  }

  /** Level 0 … 4 or categories; returns the categories in force. */
  change(levelOrCategories: string): string {
    this.#categories = changedCategories(this.#categories, levelOrCategories);
    this.#wants = logFilter(this.#categories);
    this.write('INFO', 'logging', `New log categories: ${this.#categories}`);
    return this.#categories;
  }

  /** Writes a line for the person who started the program, without level and time. */
  say(text: string): void {
    this.#print(`${text}\n`);
    for (const line of text.split('\n')) this.#record('INFO', 'msgwriter', line);
  }

  /** Whether a line of a category is written at a level. */
  shows(level: LogLevel, category: string): boolean {
    return this.#wants(level, category);
  }

  readonly write: Log = (level, category, line) => {
    if (!this.#wants(level, category)) return;
    const text = printable(typeof line === 'string' ? line : line());
    const [colour, plain] = COLOURED.test(process.env.TERM ?? '') ? [COLOUR[level], PLAIN] : ['', ''];
    this.#print(`${colour}${timeNow()}\t${level[0]} ${colour}${text}\n${plain}`);
    this.#record(level, category, text);
  };

  #record(level: LogLevel, category: string, text: string): void {
    this.#file?.write(`${timeNow()}\t${String(process.pid).padStart(16)}\t${level}\t${category}\tnightjar\t${text}\n`);
  }
}

/** Words of daemons and clients stay on one line, and cannot control a terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

/** In local time, as in the reference. */
function timeNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 23).replace('T', ' ');
}
