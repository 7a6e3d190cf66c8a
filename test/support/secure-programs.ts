import { mkdirSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { type Child, findProgram, freePort, startChild } from './child.ts';

/** A program of the reference whose TLS flags the test chooses. */
export interface SecureProgram {
  readonly port: number;
  readonly child: Child;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const READY = 60_000;

/** monero-wallet-rpc without a login; resolves when it listens. @throws Error with its output if it ends before */
export async function startSecureWalletRpc(args: readonly string[]): Promise<SecureProgram> {
  const port = await freePort();
  const child = startChild('wallet-rpc', findProgram('monero-wallet-rpc', 'monero'), (folder) => [
    ...['--rpc-bind-ip', HOST, '--rpc-bind-port', String(port), '--disable-rpc-login', '--non-interactive'],
    ...['--shared-ringdb-dir', join(folder, 'ringdb'), '--log-file', join(folder, 'log')],
    ...args.map((arg) => arg.replace('{folder}', folder)),
  ]);
  return ready(port, child);
}

/** monerod on a fresh regtest chain; resolves when it listens. */
export async function startSecureMonerod(args: readonly string[]): Promise<SecureProgram> {
  const [port, p2p] = [await freePort(), await freePort()];
  const child = startChild('monerod', findProgram('monerod', 'monero'), (folder) => {
    mkdirSync(join(folder, 'chain'));
    return [
      ...['--regtest', '--fixed-difficulty', '1', '--offline', '--no-igd', '--disable-dns-checkpoints', '--non-interactive'],
      ...['--check-updates', 'disabled', '--no-zmq', '--data-dir', join(folder, 'chain'), '--log-level', '0'],
      ...['--rpc-bind-ip', HOST, '--rpc-bind-port', String(port), '--p2p-bind-ip', HOST, '--p2p-bind-port', String(p2p)],
      ...args,
    ];
  });
  return ready(port, child);
}

async function ready(port: number, child: Child): Promise<SecureProgram> {
  let ended: string | undefined;
  void child.ended.then((how) => {
    ended = how;
  });
  const deadline = Date.now() + READY;
  while (!(await accepts(port))) {
    if (ended !== undefined || Date.now() > deadline) {
      const said = child.output();
      await child.stop();
      throw new Error(`${ended ?? 'does not listen'}: ${said}`);
    }
    await Promise.race([pause(50), child.ended]);
  }
  return { port, child, stop: () => child.stop() };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, HOST, () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

/** The certificate that a server presents, DER. */
export function certificateOf(port: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const socket = connectTls({ port, host: HOST, rejectUnauthorized: false }, () => {
      done(socket.getPeerCertificate().raw);
      socket.destroy();
    });
    socket.on('error', fail);
  });
}

export interface Client {
  readonly key: string;
  readonly cert: string;
}

/** `get_version` of a wallet service over plain HTTP or TLS: the status of the answer, or `refused`. */
export function statusOver(port: number, how: 'plain' | 'tls', client?: Client): Promise<number | 'refused'> {
  const body = '{"jsonrpc":"2.0","id":"0","method":"get_version"}';
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const target = { host: HOST, port, path: '/json_rpc', method: 'POST', agent: false as const, headers, timeout: 20_000 };
  return new Promise((done) => {
    const tls = { rejectUnauthorized: false, ...(client === undefined ? {} : { key: client.key, cert: client.cert }) };
    const sent = how === 'tls' ? requestSecure({ ...target, ...tls }) : requestPlain(target);
    sent.on('response', (answer) => {
      answer.on('error', () => done('refused'));
      answer.on('end', () => done(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => done('refused'));
    sent.on('close', () => done('refused'));
    sent.end(body);
  });
}

/** The outcome for each kind of client: without TLS, without a certificate, and with each of these. */
export async function statusesOf<Name extends string>(
  port: number,
  clients: Readonly<Record<Name, Client>>,
): Promise<Readonly<Record<Name | 'plain' | 'nobody', number | 'refused'>>> {
  const statuses: Record<string, number | 'refused'> = {
    plain: await statusOver(port, 'plain'),
    nobody: await statusOver(port, 'tls'),
  };
  for (const [name, client] of Object.entries<Client>(clients)) statuses[name] = await statusOver(port, 'tls', client);
  return statuses as Readonly<Record<Name | 'plain' | 'nobody', number | 'refused'>>;
}
