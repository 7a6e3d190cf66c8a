#!/usr/bin/env node
import { version } from '../../package.json';
import type { Command } from './command.ts';
import { CliError, LoggedCliError } from './errors.ts';
import { describeFlags, readArguments } from './flags.ts';

/** Each command is loaded on demand: a service would keep the others' code in memory as long as it runs. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['start', async () => (await import('./start.ts')).startCommand],
  ['verify-page', async () => (await import('./verify-page.ts')).verifyPageCommand],
  ['devnet', async () => (await import('./devnet/command.ts')).devnetCommand],
  ['daemon', async () => (await import('./daemon.ts')).daemonCommand],
  ['wallet-rpc', async () => (await import('./wallet-rpc/command.ts')).walletRpcCommand],
  ['generate-from-device', async () => (await import('./generate-from-device.ts')).generateFromDeviceCommand],
  ['export-keys-file', async () => (await import('./export-keys-file.ts')).exportKeysFileCommand],
  ['inspect', async () => (await import('./inspect.ts')).inspectCommand],
]);

async function usage(): Promise<string> {
  const width = 22;
  const commands: string[] = [];
  for (const [name, load] of COMMANDS) commands.push(`  ${name.padEnd(width)}${(await load()).summary}`);
  return [
    'Usage: nightjar <command> [flags]',
    '',
    ...commands,
    `  ${'help'.padEnd(width)}shows this, or a command's flags: nightjar help start`,
    `  ${'version'.padEnd(width)}shows the version`,
  ].join('\n');
}

function helpOf(name: string, command: Command): string {
  const words = [name, ...(command.argument === undefined ? [] : [command.argument])].join(' ');
  return [`Usage: nightjar ${words} [flags]`, '', command.summary, '', describeFlags(command.flags)].join('\n');
}

async function find(name: string): Promise<Command> {
  const load = COMMANDS.get(name);
  if (load === undefined) throw new CliError(`there is no command "${name}"\n\n${await usage()}`);
  return load();
}

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h') return console.log(await usage());
  if (name === 'version' || name === '--version') return console.log(version);
  if (name === 'help') return console.log(rest[0] === undefined ? await usage() : helpOf(rest[0], await find(rest[0])));
  const command = await find(name);
  const { values, words } = readArguments(name, command.flags, rest, command.argument?.split(' ').length ?? 0);
  if (values.help === true) return console.log(helpOf(name, command));
  if (values.version === true)
    return console.log([...(command.version === undefined ? [] : [command.version]), version].join('\n'));
  await command.run(values, ...words);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof LoggedCliError))
    console.error(
      `nightjar: ${error instanceof CliError ? error.message : String(error instanceof Error ? error.stack : error)}`,
    );
  process.exitCode = 1;
});
