import { closeSync, fstatSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CliError } from './errors.ts';

/** Where a log is written, and when a new file is begun. */
export interface LogFileOptions {
  readonly path: string;
  /** Bytes; 0 for unlimited. */
  readonly maxSize: number;
  /** Number of files, including the current one; 0 for all. */
  readonly maxFiles: number;
}

/**
 * A log in a file for its owner alone; a full one is renamed with the time in its name, and the oldest are deleted (mlog.cpp,
 * mlog_configure).
 */
export class LogFile {
  readonly #options: LogFileOptions;
  #file: number;
  #size: number;

  /** @throws CliError when the file cannot be written */
  constructor(options: LogFileOptions) {
    this.#options = options;
    try {
      this.#file = openSync(options.path, 'a', 0o600);
    } catch (error) {
      throw new CliError(`--log-file: ${(error as Error).message}`);
    }
    this.#size = fstatSync(this.#file).size;
  }

  /** A full disk loses lines but does not end the service. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (this.#isFull(bytes.length)) this.#begin();
      writeSync(this.#file, bytes);
      this.#size += bytes.length;
    } catch {
      // There is no log in which to report it.
    }
  }

  #isFull(more: number): boolean {
    const { maxSize } = this.#options;
    return maxSize > 0 && this.#size > 0 && this.#size + more > maxSize && fstatSync(this.#file).isFile();
  }

  #begin(): void {
    const { path } = this.#options;
    renameSync(path, aside(path));
    closeSync(this.#file);
    this.#file = openSync(path, 'a', 0o600);
    this.#size = 0;
    this.#dropOldest();
  }

  #dropOldest(): void {
    const { path, maxFiles } = this.#options;
    if (maxFiles === 0) return;
    const folder = dirname(path);
    const old = readdirSync(folder)
      .filter((name) => name.startsWith(`${basename(path)}-`))
      .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.time - a.time || (a.path < b.path ? 1 : -1));
    for (const { path: one } of old.slice(maxFiles - 1)) rmSync(one, { force: true });
  }
}

/** The name with the time appended, and a number if that second has one already. */
function aside(path: string): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-');
  for (let n = 0; ; n++) {
    const name = `${path}-${time}${n === 0 ? '' : `.${n}`}`;
    if (statSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
