import { readFile } from 'node:fs/promises';
import { StorageError } from '../storage/errors.ts';
import { type InspectedJournal, type InspectedRecord, inspectJournal } from '../storage/inspect.ts';
import { type DescribeOptions, describeEvent, OutputNames } from '../wallet/index.ts';
import { askPassword } from './ask-password.ts';
import type { Command } from './command.ts';
import { CliError } from './errors.ts';
import type { FlagValues } from './flags.ts';
import { passwordFlags, passwordOf } from './password.ts';

const SUFFIX = '.nightjar';

async function run(values: FlagValues, path: string | undefined): Promise<void> {
  if (path === undefined) throw new CliError('which wallet? nightjar inspect ./wallets/savings');
  const bytes = await fileOf(path);
  const password = (await passwordOf(passwordFlags(values))) ?? (await askPassword('Password of the wallet'));
  const telling = { labels: values.labels === true, amounts: values.amounts === true };
  try {
    for (const line of report(await inspectJournal(bytes, password), telling)) console.log(line);
  } catch (error) {
    if (error instanceof StorageError) throw new CliError(error.message);
    throw error;
  }
}

async function fileOf(path: string): Promise<Uint8Array> {
  const file = path.endsWith(SUFFIX) ? path : `${path}${SUFFIX}`;
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(error.code === 'ENOENT' ? `there is no wallet ${file}` : `${file} cannot be read (${error.code})`);
  });
}

/** The output lines, in the order of the file. */
function* report(journal: InspectedJournal, telling: DescribeOptions): Generator<string> {
  const { header, size, headerSize, torn, records, snapshot, damage } = journal;
  const { memory, passes, lanes } = header.kdf;
  yield `${header.kind} wallet of ${header.network}, ${size} bytes, ${records.length} records`;
  yield `header of ${headerSize} bytes: written anew ${header.generation} times, Argon2id with ${memory} KiB, ${passes} passes, ${lanes} lanes`;
  yield snapshot === 0 ? 'no snapshot' : `snapshot: records 0 to ${snapshot - 1}`;
  const outputs = new OutputNames();
  for (const [position, record] of records.entries()) yield* recordLines(position, record, outputs, telling);
  if (damage !== undefined) yield `damaged: ${damage.message}; what comes after is not read`;
  if (torn > 0) yield `a tail of ${torn} bytes is cut short: a write that was never acknowledged, cut off before the next one`;
  if (damage === undefined && torn === 0) yield 'the end is whole';
}

function* recordLines(
  position: number,
  { offset, bytes, content }: InspectedRecord,
  outputs: OutputNames,
  telling: DescribeOptions,
): Generator<string> {
  yield `record ${position}, ${bytes} bytes at ${offset}`;
  if (content instanceof StorageError) yield `  damaged: ${content.message}`;
  else for (const event of content) yield `  ${event.type} ${describeEvent(event, outputs, telling).replaceAll('\n', '\n  ')}`;
}

export const inspectCommand: Command = {
  summary: "prints a wallet's journal, without its secrets, to look for a fault",
  argument: 'WALLET',
  flags: {
    password: { value: 'text', text: "the wallet's password (default: asked for)" },
    'password-file': { value: 'file', text: 'a file with the password' },
    labels: { text: 'print labels, notes and the names of contacts' },
    amounts: { text: 'print amounts' },
  },
  run,
};
