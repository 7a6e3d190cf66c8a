import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../errors.ts';

/** Called for a transaction that brought something: once when it is seen in the pool, once when it is in a block. */
export type Notify = (txHash: string) => void;

/**
 * The command of `--tx-notify`: words between blanks, `%s` in any of them is the transaction's hash. Run without a shell, an environment or
 * an input, as the reference runs it (common/notify.cpp, spawn.cpp), and not waited for.
 * @throws CliError when there is no such file
 */
export function notifier(command: string): Notify {
  const words = command.split(/[ \t]+/);
  const file = resolve(words[0] ?? '');
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CliError(`--tx-notify: file not found: ${words[0]}`);
  return (txHash) => {
    const [name, ...args] = words.map((word) => word.replaceAll('%s', txHash));
    const child = spawn(file, args, { argv0: name!, env: {}, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => console.error(`--tx-notify: ${error.message}`));
    child.unref();
  };
}
