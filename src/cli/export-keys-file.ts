import { constants, copyFile, link, open, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { codeOf, messageOf } from '../base/index.ts';
import { createInlineScanPool } from '../scan/index.ts';
import { FileJournalStore } from '../storage/file-store.ts';
import { environment, Wallet } from '../wallet/index.ts';
import type { Command } from './command.ts';
import { CliError } from './errors.ts';
import { type FlagValues, numberFlag, textFlag } from './flags.ts';
import { passwordFlags, passwordOf } from './password.ts';

const SUFFIX = /\.nightjar$/;
const MOST_ROUNDS = 1_000_000;

async function run(values: FlagValues): Promise<void> {
  const path = textFlag(values, 'wallet-file');
  if (path === undefined) throw new CliError('--wallet-file must say which wallet');
  const output = textFlag(values, 'output') ?? `${path.replace(SUFFIX, '')}.keys`;
  const rounds = numberFlag(values, 'kdf-rounds', 1, 1, MOST_ROUNDS);
  const password = (await passwordOf(passwordFlags(values))) ?? '';
  const file = await keysFileOf(path, password, rounds);
  try {
    await writeNewFile(output, file);
  } catch (error) {
    const exists = codeOf(error) === 'EEXIST';
    throw new CliError(
      exists
        ? `${output} is there already: choose another file with --output`
        : `${output} cannot be written: ${messageOf(error)}`,
    );
  }
  console.log(`Wrote ${output}`);
}

/**
 * Writes a temporary file, syncs it and moves it into place, which must be free: a killed process or a full disk leaves no partial file.
 */
async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const aside = `${path}.new`;
  await rm(aside, { force: true });
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(aside, path).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error;
      // Not every file system has links.
      return copyFile(aside, path, constants.COPYFILE_EXCL);
    });
  } finally {
    await rm(aside, { force: true });
  }
}

async function keysFileOf(path: string, password: string, rounds: number): Promise<Uint8Array> {
  const env = environment({ store: new FileJournalStore(dirname(path)), scanPool: createInlineScanPool });
  try {
    const wallet = await Wallet.open(env, basename(path).replace(SUFFIX, ''), password);
    try {
      return await wallet.exportKeysFile(password, rounds);
    } finally {
      await wallet.close();
    }
  } catch (error) {
    throw new CliError(`cannot open ${path}: ${messageOf(error)}`);
  }
}

export const exportKeysFileCommand: Command = {
  summary: "writes a wallet's keys as a file that monero-wallet-cli opens with the same password",
  flags: {
    'wallet-file': { value: 'path', text: 'the wallet, with or without .nightjar' },
    password: { value: 'text', text: "the wallet's password" },
    'password-file': { value: 'file', text: 'a file with the password' },
    output: { value: 'path', text: 'the file to write (default: beside the wallet, with .keys)' },
    'kdf-rounds': { value: 'number', text: 'hashes of the password, as the programs that open the file are told (default 1)' },
  },
  run,
};
