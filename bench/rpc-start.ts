import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asObject, bytesToHex, parseJsonBytes, stringifyJson } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { findProgram, freePort, startChild } from '../test/support/child.ts';
import { callRpc, toBigint } from '../test/support/rpc.ts';
import { median, type Row, row } from './rows.ts';
import { type ChainParameters, loadChain, recipient, recipientAddress } from './sync/chain.ts';
import { startBenchDaemon } from './sync/launch.ts';

/**
 * From the start of a wallet service to its first answer, ours and monero-wallet-rpc in turn, each time in a separate process: to `get_version`
 * without a wallet, with default settings (in which the reference generates an RSA key for TLS) and without TLS; and to the `get_balance` of a
 * wallet file with 10,000 outputs, offline and without TLS. The latter includes the cost of a password: Argon2id in ours, deliberately far more
 * than the one round of CryptoNight that the reference uses by default.
 */

const PROCESSES = 5;
const HOST = '127.0.0.1';
const OTHER = 'monero-wallet-rpc';
const CLI = fileURLToPath(new URL('../dist/node/bin/cli.js', import.meta.url));
const PASSWORD = 'a password';
const REFRESH_TIMEOUT = 600_000;
/** Milliseconds between two attempts to connect: the resolution of the measurement. */
const TRY_EVERY = 2;

/** Every transaction is ours: 10,000 outputs. */
const ownChain: ChainParameters = { transactions: 10_000, transactionsPerBlock: 25, untaggedShare: 0.25, ownedShare: 1 };

/** A program, and the arguments before a wallet service's flags. */
interface Service {
  readonly command: string;
  readonly words: readonly string[];
  /** A folder for its wallets and other files. */
  readonly folder: string;
}

interface Running {
  readonly url: string;
  /** Milliseconds from its start to the first answer. */
  readonly took: number;
  readonly answer: Uint8Array;
  stop(): Promise<void>;
}

/** Starts a service and asks it until it answers. */
async function start({ command, words, folder }: Service, flags: readonly string[], method: string): Promise<Running> {
  const port = await freePort();
  const bind = ['--rpc-bind-ip', HOST, '--rpc-bind-port', String(port), '--disable-rpc-login', '--non-interactive'];
  const body = stringifyJson({ jsonrpc: '2.0', id: '0', method });
  const began = performance.now();
  const child = startChild('wallet-rpc', command, () => [...words, ...bind, '--log-file', join(folder, 'log'), ...flags]);
  let ended = '';
  void child.ended.then((how) => {
    ended = how;
  });
  for (;;) {
    const answer = await ask(port, body);
    if (answer !== undefined) return { url: `http://${HOST}:${port}`, took: performance.now() - began, answer, stop: child.stop };
    if (ended !== '') throw new Error(`${command} ended (${ended}): ${child.output()}`);
    await pause(TRY_EVERY);
  }
}

/** One request; undefined if nobody listens yet. */
function ask(port: number, body: string): Promise<Uint8Array | undefined> {
  return new Promise((done) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const options = { host: HOST, port, path: '/json_rpc', method: 'POST', headers, agent: false };
    const sent = request(options, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => done(Buffer.concat(parts)));
    });
    sent.on('error', () => done(undefined));
    sent.end(body);
  });
}

/** Creates the wallet that the synthetic chain pays, scanned to the tip and stored. */
async function makeWallet(service: Service, daemon: string): Promise<void> {
  const plain = ['--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled', '--trusted-daemon'];
  const flags = [...plain, '--wallet-dir', service.folder, '--daemon-address', daemon.replace('http://', '')];
  const running = await start(service, flags, 'get_version');
  const { spendKey, viewKey } = recipient();
  try {
    const keys = { spendkey: bytesToHex(spendKey), viewkey: bytesToHex(viewKey), address: recipientAddress() };
    await callRpc(running.url, 'generate_from_keys', { filename: 'bench', password: PASSWORD, restore_height: 0, ...keys });
    await callRpc(running.url, 'refresh', { start_height: 0 }, { timeout: REFRESH_TIMEOUT });
    await callRpc(running.url, 'store', {});
  } finally {
    await running.stop();
  }
}

async function timed(service: Service, flags: readonly string[], method: string, expected?: bigint): Promise<number> {
  const { took, answer, stop } = await start(service, ['--offline', ...flags], method);
  await stop();
  const { result } = asObject(parseJsonBytes(answer));
  const { balance } = asObject(result ?? null);
  if (expected !== undefined && toBigint(balance) !== expected)
    throw new Error(`expected a balance of ${expected}, not ${balance}`);
  return took / 1000;
}

/** Medians of both, measured alternately. */
async function compared(services: readonly Service[], processes: number, measure: (service: Service) => Promise<number>) {
  const seconds: number[][] = services.map(() => []);
  for (let i = 0; i < processes; i++) {
    for (const [side, service] of services.entries()) seconds[side]!.push(await measure(service));
  }
  return seconds.map(median) as [number, number];
}

/** Rows for the first answer, and for the balance. */
export async function rpcStartRows(processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const { owned } = await loadChain(ownChain);
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-bench-start-'));
  const services = [
    { command: process.execPath, words: [CLI, 'wallet-rpc'], folder: join(folder, 'ours') },
    {
      command: findProgram('monero-wallet-rpc', 'monero'),
      words: ['--shared-ringdb-dir', join(folder, 'ringdb')],
      folder: join(folder, 'theirs'),
    },
  ];
  for (const service of services) mkdirSync(service.folder);
  const daemon = await startBenchDaemon(ownChain);
  try {
    for (const service of services) await makeWallet(service, daemon.url);
    const rows: Row[] = [];
    const add = async (name: string, measure: (service: Service) => Promise<number>) => {
      const [ours, theirs] = await compared(services, processes, measure);
      rows.push(row(name, 'Node', ours, theirs, OTHER, 's'));
    };
    const empty = (service: Service) => ['--wallet-dir', service.folder];
    const plain = ['--rpc-ssl', 'disabled'];
    await add('wallet service: start to get_version, by default', (one) => timed(one, empty(one), 'get_version'));
    await add('wallet service: start to get_version, no TLS', (one) => timed(one, [...empty(one), ...plain], 'get_version'));
    const count = owned.count.toLocaleString('en');
    await add(`wallet service: start to get_balance, ${count} outputs in the file, no TLS`, (one) => {
      const file = ['--wallet-file', join(one.folder, 'bench'), '--password', PASSWORD];
      return timed(one, [...file, ...plain], 'get_balance', owned.unspent);
    });
    return rows;
  } finally {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await rpcStartRows());
