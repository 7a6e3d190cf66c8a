import { readFile } from 'node:fs/promises';
import { CliError } from './errors.ts';
import { type Flags, type FlagValues, readFlags, textFlag } from './flags.ts';

/**
 * Adds the flags in `--config-file`: a line `name=value` or `name=1` for each flag; `#` begins a comment. Flags of the command line take
 * precedence, as in the reference. @throws CliError
 */
export async function withConfigFile(values: FlagValues, command: string, flags: Flags): Promise<FlagValues> {
  const path = textFlag(values, 'config-file');
  if (path === undefined) return values;
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CliError(`Can't find config file ${path}`);
  });
  const args = text.split(/\r?\n/).flatMap((line) => argumentOf(line, path, flags));
  return { ...readFlags(command, flags, args), ...values };
}

function argumentOf(line: string, path: string, flags: Flags): string[] {
  const bare = line.replace(/#.*/, '').trim();
  if (bare === '') return [];
  const equals = bare.indexOf('=');
  const name = (equals < 0 ? bare : bare.slice(0, equals)).trim();
  const value = equals < 0 ? '1' : bare.slice(equals + 1).trim();
  const flag = flags[name];
  // A line without its = may contain a password.
  if (flag === undefined || name === 'config-file') throw new CliError(`unknown option "${name.split(/\s/)[0]}" in ${path}`);
  if (flag.value !== undefined) return [`--${name}=${value}`];
  return ['1', 'true', 'yes', 'on'].includes(value) ? [`--${name}`] : [];
}
