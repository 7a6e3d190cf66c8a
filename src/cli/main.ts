#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { version } from '../../package.json';
import type { Command } from './command.ts';
import { daemonCommand } from './daemon.ts';
import { devnetCommand } from './devnet/command.ts';
import { CliError } from './errors.ts';
import { exportKeysFileCommand } from './export-keys-file.ts';
import { describeFlags, readArguments } from './flags.ts';
import { generateFromDeviceCommand } from './generate-from-device.ts';
import { inspectCommand } from './inspect.ts';
import { startCommand } from './start.ts';
import { walletRpcCommand } from './wallet-rpc/command.ts';

// Node 20 has the kernels' fastest instructions behind a flag; later versions have them on.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['start', startCommand],
  ['devnet', devnetCommand],
  ['daemon', daemonCommand],
  ['wallet-rpc', walletRpcCommand],
  ['generate-from-device', generateFromDeviceCommand],
  ['export-keys-file', exportKeysFileCommand],
  ['inspect', inspectCommand],
]);

function usage(): string {
  const width = 22;
  const commands = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
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

function find(name: string): Command {
  const command = COMMANDS.get(name);
  if (command === undefined) throw new CliError(`there is no command "${name}"\n\n${usage()}`);
  return command;
}

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h') return console.log(usage());
  if (name === 'version' || name === '--version') return console.log(version);
  if (name === 'help') return console.log(rest[0] === undefined ? usage() : helpOf(rest[0], find(rest[0])));
  const command = find(name);
  const { values, words } = readArguments(name, command.flags, rest, command.argument?.split(' ').length ?? 0);
  if (values.help === true) return console.log(helpOf(name, command));
  if (values.version === true) return console.log(version);
  await command.run(values, ...words);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`nightjar: ${error instanceof CliError ? error.message : String(error instanceof Error ? error.stack : error)}`);
  process.exitCode = 1;
});
