import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWalletRpc } from './programs.ts';
import { callRpc } from './rpc.ts';
import { startOurs } from './three-services.ts';

/** One member of a group: anything that answers the RPC methods of an open wallet. */
export interface Seat {
  /** @throws RpcFailure */
  rpc<T = Record<string, unknown>>(method: string, params?: unknown): Promise<T>;
}

/** The same with a separate wallet service, ours or theirs, and a fresh wallet open in it. */
export interface OwnSeat extends Seat {
  readonly kind: 'ours' | 'theirs';
  readonly url: string;
  /** Of the process in which its service runs. */
  readonly pid: number;
  stop(): Promise<void>;
}

export async function takeSeat(kind: OwnSeat['kind'], daemon: { readonly url: string }): Promise<OwnSeat> {
  const seat = kind === 'ours' ? await ourSeat(daemon) : await theirSeat(daemon);
  await seat.rpc('auto_refresh', { enable: false });
  await seat.rpc('create_wallet', { filename: 'member', password: '', language: 'English' });
  return seat;
}

async function ourSeat(daemon: { readonly url: string }): Promise<OwnSeat> {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-seat-'));
  const flags = ['--wallet-dir', folder, '--daemon-address', daemon.url, '--trusted-daemon', '--max-concurrency', '1'];
  const service = await startOurs([...flags, '--log-file', '/dev/null']);
  const url = `http://127.0.0.1:${service.port}`;
  const stop = async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { kind: 'ours', url, pid: process.pid, rpc: (method, params) => callRpc(url, method, params), stop };
}

async function theirSeat(daemon: { readonly url: string }): Promise<OwnSeat> {
  const program = await startWalletRpc({ daemon: daemon.url });
  const { url, pid } = program;
  return { kind: 'theirs', url, pid, rpc: (method, params) => program.rpc(method, params), stop: () => program.stop() };
}

interface Round {
  readonly address?: string;
  readonly multisig_info: string;
}

const others = (messages: readonly string[], i: number) => messages.filter((_, j) => j !== i);

/** Makes a group of fresh wallets, one open in each seat. Returns its address. */
export async function makeGroup(seats: readonly Seat[], threshold: number): Promise<string> {
  let messages: string[] = [];
  for (const seat of seats) {
    const { multisig_info } = await seat.rpc<Round>('prepare_multisig', { enable_multisig_experimental: true });
    messages.push(multisig_info);
  }
  let answers: Round[] = [];
  for (const [i, seat] of seats.entries()) {
    const params = { multisig_info: others(messages, i), threshold, password: '' };
    answers.push(await seat.rpc<Round>('make_multisig', params));
  }
  while (!(await isReady(seats[0]!))) {
    messages = answers.map(({ multisig_info }) => multisig_info);
    answers = [];
    for (const [i, seat] of seats.entries()) {
      answers.push(await seat.rpc<Round>('exchange_multisig_keys', { multisig_info: others(messages, i), password: '' }));
    }
  }
  return (await seats[0]!.rpc<{ address: string }>('get_address')).address;
}

async function isReady(seat: Seat): Promise<boolean> {
  return (await seat.rpc<{ ready: boolean }>('is_multisig')).ready;
}

/** Exchanges between all members the data that a spend needs. */
export async function exchangeInfo(seats: readonly Seat[]): Promise<void> {
  const infos: string[] = [];
  for (const seat of seats) infos.push((await seat.rpc<{ info: string }>('export_multisig_info')).info);
  for (const [i, seat] of seats.entries()) await seat.rpc('import_multisig_info', { info: others(infos, i) });
}

/** Lets signers sign in turn what a proposer made, and the last of them or another seat submit it. Returns the hashes. */
export async function signAndSubmit(set: string, signers: readonly Seat[], submitter: Seat): Promise<readonly string[]> {
  return submit(await signInTurn(set, signers), submitter);
}

/** Lets signers sign in turn what a proposer made. Returns the set. */
export async function signInTurn(set: string, signers: readonly Seat[]): Promise<string> {
  let passed = set;
  for (const signer of signers) {
    passed = (await signer.rpc<{ tx_data_hex: string }>('sign_multisig', { tx_data_hex: passed })).tx_data_hex;
  }
  return passed;
}

/** Submits a set with enough signatures. Returns the hashes. */
export async function submit(passed: string, submitter: Seat): Promise<readonly string[]> {
  return (await submitter.rpc<{ tx_hash_list: string[] }>('submit_multisig', { tx_data_hex: passed })).tx_hash_list;
}
