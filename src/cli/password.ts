import { readFile } from 'node:fs/promises';
import { CliError } from './errors.ts';
import { type FlagValues, isUtf8, textFlag } from './flags.ts';

/** A wallet's password, or the file whose first line contains it. */
export interface PasswordSource {
  readonly password: string | undefined;
  readonly passwordFile: string | undefined;
}

/** `--password` and `--password-file`, not read yet: {@link passwordOf} refuses both together. */
export const passwordFlags = (values: FlagValues): PasswordSource => ({
  password: textFlag(values, 'password'),
  passwordFile: textFlag(values, 'password-file'),
});

/** Undefined when neither was given. @throws CliError when both were, or the file cannot be read */
export async function passwordOf({ password, passwordFile }: PasswordSource): Promise<string | undefined> {
  if (password !== undefined && passwordFile !== undefined)
    throw new CliError("can't specify more than one of --password and --password-file");
  if (password !== undefined) return password;
  if (passwordFile === undefined) return undefined;
  const text = await readFile(passwordFile, 'utf8').catch(() => {
    throw new CliError('the password file specified could not be read');
  });
  if (!isUtf8(text)) throw new CliError('expected the password file to be UTF-8 text');
  return text.replace(/[\r\n]+$/, '');
}
