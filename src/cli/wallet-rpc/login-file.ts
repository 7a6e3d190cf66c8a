import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import type { Log } from '../../base/index.ts';
import type { Login } from '../../http/index.ts';
import { CliError } from '../errors.ts';
import type { Settings } from './flags.ts';

/** User name of the generated login. */
const DEFAULT_USER = 'monero';

/** The login that clients need. A generated one is written to a file in the working directory, readable by the user alone. @throws CliError */
export async function loginFor({ login, port }: Pick<Settings, 'login' | 'port'>, log: Log): Promise<Login | undefined> {
  if (login !== 'random') return login;
  const made = { name: DEFAULT_USER, password: randomBytes(16).toString('base64') };
  const path = `monero-wallet-rpc.${port}.login`;
  try {
    await writeAnew(path, `${made.name}:${made.password}`);
  } catch {
    throw new CliError(`Failed to create file ${path}. Check permissions or remove file`);
  }
  log('WARNING', 'wallet.rpc', `RPC username/password is stored in file ${path}`);
  return made;
}

/** Writes a new file: an existing one, or one reached through a link, is never written to. */
async function writeAnew(path: string, text: string): Promise<void> {
  await unlink(path).catch(() => undefined);
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
