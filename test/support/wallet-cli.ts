import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findReference, type ReferenceRelease, referenceEnv } from './child.ts';

/** One wallet of monero-wallet-cli in a separate folder, from which it reads files and to which it writes them. */
export interface WalletCli {
  /** Runs one command in a separate process and returns its output after the greeting. @throws Error if it prints "Error" */
  run(command: readonly string[], answers?: string): Promise<string>;
  read(file: string): Uint8Array;
  write(file: string, bytes: Uint8Array): void;
  /** Removes the folder. */
  remove(): void;
}

export interface WalletCliOptions {
  /** Hex; view-only without a spend key. */
  readonly keys: { readonly address: string; readonly viewKey: string; readonly spendKey?: string };
  /** Base URL of the daemon; none if absent. */
  readonly daemon?: string;
  readonly release?: ReferenceRelease;
}

/** Milliseconds for one command. */
const PATIENCE = 120_000;
/** The last line of its greeting. */
const GREETED = '*'.repeat(70);

/** Creates a wallet from keys, without a password and without being asked for one. */
export async function makeWalletCli({ keys, daemon, release }: WalletCliOptions): Promise<WalletCli> {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-wallet-cli-'));
  const { address, viewKey: viewkey, spendKey } = keys;
  const held = spendKey === undefined ? { viewkey, address } : { viewkey, spendkey: spendKey };
  const described = { version: 1, filename: 'wallet', scan_from_height: 0, password: '', ...held };
  writeFileSync(join(folder, 'wallet.json'), JSON.stringify(described));
  const reached = daemon === undefined ? ['--offline'] : daemonFlags(daemon, release);
  const start = async (flags: readonly string[], answers: string) => {
    const always = ['--log-file', join(folder, 'cli.log'), '--shared-ringdb-dir', join(folder, 'ringdb'), '--password', ''];
    return collect(findReference('monero-wallet-cli', release), [...reached, ...always, ...flags], folder, answers);
  };
  await start(['--generate-from-json', 'wallet.json', 'wallet_info'], '\n');
  const run = async (command: readonly string[], answers = '') => {
    const said = await start(['--wallet-file', 'wallet', ...command], answers);
    const answer = said.slice(said.lastIndexOf(GREETED) + GREETED.length).trim();
    if (/^Error:|: Error:/m.test(answer)) throw new Error(answer);
    return answer;
  };
  await run(['set', 'ask-password', '0'], '\n');
  return {
    run,
    read: (file) => new Uint8Array(readFileSync(join(folder, file))),
    write: (file, bytes) => writeFileSync(join(folder, file), bytes),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function daemonFlags(daemon: string, release: ReferenceRelease | undefined): string[] {
  const flags = ['--daemon-address', daemon.replace(/^http:\/\//, ''), '--daemon-ssl', 'disabled', '--trusted-daemon'];
  return release === '0.18.0.0' ? flags : [...flags, '--allow-mismatched-daemon-version'];
}

function collect(command: string, args: readonly string[], folder: string, answers: string): Promise<string> {
  return new Promise((done, fail) => {
    const env = referenceEnv(folder);
    const child = spawn(command, args, {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
      });
    }
    child.once('error', fail);
    child.once('close', (code, signal) => {
      if (signal === null) done(said);
      else fail(new Error(`monero-wallet-cli ended by ${signal} (${code}): ${said.slice(-500)}`));
    });
    child.stdin.end(answers);
  });
}
