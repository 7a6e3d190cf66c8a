import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from './errors.ts';

/** Runs the command with these in the place of its marks, as `{ '%s': hash }`. */
export type Notify = (marks: Readonly<Record<string, string>>) => void;

/**
 * The command of a flag such as `--block-notify`: words between blanks, whose marks are filled in. Run without a shell, an environment or
 * an input, as the reference runs it (common/notify.cpp, spawn.cpp), and not waited for.
 * @throws CliError when there is no such file
 */
export function notifier(flag: string, command: string): Notify {
  const words = command.split(/[ \t]+/);
  const file = resolve(words[0] ?? '');
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new CliError(`--${flag}: file not found: ${words[0]}`);
  return (marks) => {
    const filled = (word: string) =>
      Object.entries(marks).reduce((text, [mark, value]) => text.replaceAll(mark, () => value), word);
    const [name, ...args] = words.map(filled);
    const child = spawn(file, args, { argv0: name!, env: {}, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => console.error(`--${flag}: ${error.message}`));
    child.unref();
  };
}
