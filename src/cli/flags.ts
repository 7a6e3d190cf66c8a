import { parseArgs } from 'node:util';
import type { Login } from '../http/index.ts';
import { CliError } from './errors.ts';

/** A flag of a command: the name of its value (none for a switch) and its description. */
export interface Flag {
  readonly value?: string;
  /** Whether it may be given several times: the values are joined with commas. */
  readonly many?: boolean;
  readonly text: string;
}

/** By name, without the two dashes. */
export type Flags = Readonly<Record<string, Flag>>;

/** Flags with a common text. @param lists of names separated by spaces; `name=value` takes a value, `name=value…` several */
export function flagsOf(text: string, ...lists: readonly string[]): Flags {
  const named = lists.flatMap((list) => list.split(' ')).map((one) => one.split('='));
  return Object.fromEntries(
    named.map(([name, value]) => {
      if (value === undefined) return [name, { text }];
      return [name, value.endsWith('…') ? { value: value.slice(0, -1), many: true, text } : { value, text }];
    }),
  );
}

/** A flag's value: a text, or true for a switch. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Reads `--name value`, `--name=value` and `--switch`.
 * @throws CliError for an unknown flag, a repeated one, a missing value, or a stray argument
 */
export const readFlags = (command: string, flags: Flags, args: readonly string[]): FlagValues =>
  readArguments(command, flags, args, 0).values;

/**
 * As {@link readFlags}, with arguments that belong to no flag, as many as the command takes.
 * @throws CliError as {@link readFlags}
 */
export function readArguments(
  command: string,
  flags: Flags,
  args: readonly string[],
  takes: number,
): { readonly values: FlagValues; readonly words: readonly string[] } {
  requireUtf8(args);
  const options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }> = {
    help: { type: 'boolean', multiple: true },
  };
  for (const [name, flag] of Object.entries(flags))
    options[name] = { type: flag.value === undefined ? 'boolean' : 'string', multiple: true };
  try {
    const { values, positionals } = parseArgs({
      args: withNegatives(args, flags),
      options,
      strict: true,
      allowPositionals: takes > 0,
    });
    if (positionals.length > takes)
      throw new CliError(`Unexpected argument '${positionals[takes]}'\nSee: nightjar ${command} --help`);
    const entries = Object.entries(values).map(([name, all]) => [name, oneValue(name, flags[name], all as (string | boolean)[])]);
    return { values: Object.fromEntries(entries) as FlagValues, words: positionals };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const detail = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new CliError(`${detail}\nSee: nightjar ${command} --help`);
  }
}

/** How Node decodes bytes that are not UTF-8: another path would be used, and different passwords would be equal. */
const UNREADABLE = '\ufffd';

export const isUtf8 = (text: string): boolean => !text.includes(UNREADABLE);

function requireUtf8(args: readonly string[]): void {
  const at = args.findIndex((arg) => !isUtf8(arg));
  if (at >= 0) throw new CliError(`argument ${at + 1} is no UTF-8: rename the file, or choose another password`);
}

/** A negative number after a flag is its value; Node takes it for a flag unless it is written `--name=-1`. */
function withNegatives(args: readonly string[], flags: Flags): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1) ?? '';
    if (/^-\d+$/.test(arg) && flags[last.slice(2)]?.value !== undefined && last.startsWith('--'))
      joined[joined.length - 1] = `${last}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function oneValue(name: string, flag: Flag | undefined, values: readonly (string | boolean)[]): string | boolean | undefined {
  if (values.length > 1 && name !== 'help') {
    if (flag?.many !== true) throw new CliError(`option '--${name}' cannot be specified more than once`);
    return values.join(',');
  }
  return values[0];
}

/** A flag's value; undefined if it was not given, or given without value. */
export function textFlag(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** `name:password`, or only a name. */
export function readLogin(text: string): Login {
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text, password: '' } : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The password may be empty, but must be given: nobody is asked for it. @throws CliError unless there are a name and a password */
export function loginFlag(values: FlagValues, name: string): Login | undefined {
  const text = textFlag(values, name);
  if (text === undefined) return undefined;
  if (!text.includes(':')) throw new CliError(`--${name} wants name:password`);
  const login = readLogin(text);
  if (login.name === '') throw new CliError(`Username specified with --${name} cannot be empty`);
  return login;
}

/** Items of a comma-separated flag. */
export const listFlag = (values: FlagValues, name: string): string[] =>
  (textFlag(values, name) ?? '').split(',').flatMap((one) => one.trim() || []);

/** @throws CliError unless the value is a number in the range */
export function numberFlag(
  values: FlagValues,
  name: string,
  fallback: number,
  least: number,
  most: number,
  whole = true,
): number {
  const text = textFlag(values, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value < least || value > most || (whole && !Number.isInteger(value))) {
    throw new CliError(`--${name} wants ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, not "${text}"`);
  }
  return value;
}

/** The lines of a command's help about its flags. */
export function describeFlags(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { value, text }]) => [
    `--${name}${value === undefined ? '' : ` <${value}>`}`,
    text,
  ]);
  const width = Math.max(...rows.map(([left]) => left!.length));
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`).join('\n');
}
