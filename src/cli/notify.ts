import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from './errors.ts';

/** Runs the command with placeholders replaced, as `{ '%s': hash }`. */
export type Notify = (placeholders: Readonly<Record<string, string>>) => void;

/**
 * The command of a flag such as `--block-notify`: words separated by spaces, with placeholders. It is run without a shell, an environment
 * or an input, as in the reference (common/notify.cpp, spawn.cpp), and not waited for.
 * @throws CliError when there is no such file
 */
export function notifier(flag: string, command: string): Notify {
  const words = command.split(/[ \t]+/);
  const file = resolve(words[0] ?? '');
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new CliError(`--${flag}: file not found: ${words[0]}`);
  return (placeholders) => {
    const filled = (word: string) =>
      Object.entries(placeholders).reduce((text, [name, value]) => text.replaceAll(name, () => value), word);
    const [name, ...args] = words.map(filled);
    const child = spawn(file, args, { argv0: name!, env: {}, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => console.error(`--${flag}: ${error.message}`));
    child.unref();
  };
}
