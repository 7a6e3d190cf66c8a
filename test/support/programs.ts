import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, findReference, freePort, type ReferenceRelease, startChild } from './child.ts';
import { copyPremined, MINER_ADDRESS, requirePremined } from './premined.ts';
import { type CallOptions, callPath, callRpc, post, RpcFailure, toBigint } from './rpc.ts';

export { RpcFailure, toBigint } from './rpc.ts';

/** A real program of the reference, running for a test. Calls go through the boundary that preserves 64-bit integers. */
export interface Program {
  readonly port: number;
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  /** JSON-RPC. @throws RpcFailure */
  rpc<T = Record<string, unknown>>(method: string, params?: unknown, options?: CallOptions): Promise<T>;
  /** A path call with a JSON body, such as `path('get_height')`. @throws RpcFailure */
  path<T = Record<string, unknown>>(name: string, body?: unknown, options?: CallOptions): Promise<T>;
  /** A path call with raw bytes both ways, such as `binary('get_outs.bin', bytes)`. @throws RpcFailure */
  binary(name: string, body: Uint8Array): Promise<Uint8Array>;
  /** Ends it by its pid and removes its folder. Idempotent; also called when this process ends. */
  stop(): Promise<void>;
}

export interface MonerodOptions {
  /** Which release to run; the current one if absent. */
  readonly release?: ReferenceRelease;
  /** Chain folder to keep between runs; a temporary folder if absent. */
  readonly dataDir?: string;
  /** Begins with a chain whose coins belong to {@link MINER_ADDRESS} instead of an empty one. */
  readonly premined?: boolean;
  /** Fixed difficulty of regtest, 1 if absent. */
  readonly difficulty?: number;
  /** `user:password` for digest login. Calls of the launcher itself then fail: use the client under test. */
  readonly login?: string;
  /** Opens a second, restricted port, like public daemons do. */
  readonly restricted?: boolean;
  /** Address at which it publishes, such as `tcp://127.0.0.1:18083`. */
  readonly zmqPub?: string;
  readonly extraArgs?: readonly string[];
}

export interface Monerod extends Program {
  /** Base URL of the restricted port, if requested. */
  readonly restrictedUrl: string | undefined;
  readonly dataDir: string;
  /** Waits until the pool's transactions have been relayed, except those that never will be. */
  untilRelayed(): Promise<void>;
  /** Mines `count` blocks to an address with mainnet's prefix, the pool in the first; returns the ids in order. */
  generateBlocks(count: number, address: string): Promise<string[]>;
  /**
   * Mines single blocks, at least one, until the pool is empty: a transaction may be kept back from the next block, as if it came from elsewhere
   * (Dandelion++). Returns their number.
   */
  minePool(address: string): Promise<number>;
  /** Removes the top blocks; their transactions may return to the pool. Returns the new height. */
  popBlocks(count: number): Promise<number>;
  /** Empties the pool. */
  flushPool(): Promise<void>;
  /** Number of blocks in the chain. */
  height(): Promise<number>;
  /** Kills it, like a power cut, and restarts it on the same port and folder, with an action in between. */
  restart(whileAway?: () => Promise<void>): Promise<void>;
}

export interface WalletRpcOptions {
  /** Which release to run; the current one if absent. */
  readonly release?: ReferenceRelease;
  /** Base URL of the daemon; none if absent. */
  readonly daemon?: string;
  /** One wallet without a password instead of a folder of them. */
  readonly walletFile?: string;
  /** `user:password` for digest login. Calls of the launcher itself then fail: use the client under test. */
  readonly login?: string;
  readonly extraArgs?: readonly string[];
}

export interface TransferTo {
  readonly address: string;
  readonly amount: bigint;
}

export interface TransferAnswer {
  readonly tx_hash: string;
  readonly tx_key: string;
  readonly amount: number | bigint;
  readonly fee: number | bigint;
  readonly tx_blob: string;
  readonly weight: number;
}

export interface MoneroWalletRpc extends Program {
  readonly walletDir: string;
  /** A new random wallet, opened. Returns its primary address. */
  createWallet(name: string): Promise<string>;
  /** From 25 words, opened; scans from `restoreHeight` (0 if absent) at the next refresh. Returns its primary address. */
  restoreWallet(name: string, seed: string, restoreHeight?: number): Promise<string>;
  /** From keys in hex, opened; view-only without the spend key. Returns its primary address. */
  restoreFromKeys(
    name: string,
    keys: { readonly address: string; readonly viewKey: string; readonly spendKey?: string; readonly restoreHeight?: number },
  ): Promise<string>;
  openWallet(name: string): Promise<void>;
  closeWallet(): Promise<void>;
  address(account?: number): Promise<string>;
  seed(): Promise<string>;
  height(): Promise<number>;
  /** Refreshes until its height is the daemon's (`refresh` alone may lose exceptions). Returns that height. */
  refreshToHeight(daemon: { height(): Promise<number> }): Promise<number>;
  balance(account?: number): Promise<{ readonly total: bigint; readonly unlocked: bigint }>;
  transfer(destinations: readonly TransferTo[], options?: Record<string, unknown>): Promise<TransferAnswer>;
}

const HOST = '127.0.0.1';
const READY_TIMEOUT = 120_000;
const ATTEMPTS = 4;
/** Each may compute a proof of work: a call must end before its caller's timeout, also on a busy machine. */
const BLOCKS_A_CALL = 40;
/** Maximum number of blocks until the pool is empty. */
const POOL_BLOCKS = 30;
/** Checks of the pool, 50 ms apart, before transactions not yet relayed are left out of the next block. */
const RELAY_LOOKS = 200;

/**
 * Starts monerod on a fresh regtest chain (or the chain kept in `dataDir`) and waits until it answers.
 * Give monero-wallet-rpc several hundred outputs before it spends: with 75 to 150 it may pick decoys forever.
 */
export async function startMonerod(options: MonerodOptions = {}): Promise<Monerod> {
  const command = findReference('monerod', options.release);
  const chain = options.premined === true ? await requirePremined(premine) : undefined;
  let lastError: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ports = { rpc: await freePort(), p2p: await freePort(), restricted: await freePort(), zmq: await freePort() };
    try {
      return await launchMonerod(command, options, ports, chain);
    } catch (error) {
      lastError = error; // Most likely another process took the port after we checked it.
    }
  }
  throw lastError;
}

interface MonerodPorts {
  readonly rpc: number;
  readonly p2p: number;
  readonly restricted: number;
  readonly zmq: number;
}

function monerodArgs(options: MonerodOptions, ports: MonerodPorts, dataDir: string, keep: boolean): string[] {
  const args = ['--regtest', '--fixed-difficulty', String(options.difficulty ?? 1), '--offline', '--no-igd'];
  args.push('--disable-dns-checkpoints', '--check-updates', 'disabled', '--rpc-ssl', 'disabled');
  args.push('--non-interactive', '--data-dir', dataDir, '--log-level', '0', '--max-log-file-size', '0');
  args.push(
    '--rpc-bind-ip',
    HOST,
    '--rpc-bind-port',
    String(ports.rpc),
    '--p2p-bind-ip',
    HOST,
    '--p2p-bind-port',
    String(ports.p2p),
  );
  if (options.restricted) args.push('--rpc-restricted-bind-ip', HOST, '--rpc-restricted-bind-port', String(ports.restricted));
  if (options.login !== undefined) args.push('--rpc-login', options.login);
  if (options.zmqPub === undefined) args.push('--no-zmq');
  else args.push('--zmq-rpc-bind-port', String(ports.zmq), '--zmq-pub', options.zmqPub);
  if (keep) args.push('--keep-fakechain');
  return [...args, ...(options.extraArgs ?? [])];
}

async function premine(dataDir: string, runs: readonly number[]): Promise<void> {
  const daemon = await startMonerod({ dataDir });
  for (const blocks of runs) await daemon.generateBlocks(blocks, MINER_ADDRESS);
  await daemon.stop();
}

interface PoolEntry {
  readonly relayed: boolean;
  readonly do_not_relay: boolean;
}

async function launchMonerod(command: string, options: MonerodOptions, ports: MonerodPorts, chain?: string): Promise<Monerod> {
  const url = `http://${HOST}:${ports.rpc}`;
  let dataDir = options.dataDir ?? '';
  const launch = async (keep: boolean): Promise<Child> => {
    const child = startChild('monerod', command, (folder) => {
      if (dataDir === '') dataDir = join(folder, 'chain');
      mkdirSync(dataDir, { recursive: true });
      if (chain !== undefined && !keep) copyPremined(chain, dataDir);
      return monerodArgs(options, ports, dataDir, keep || chain !== undefined);
    });
    await untilReady('monerod', child, () => answers(`${url}/get_height`));
    return child;
  };
  let child = await launch(options.dataDir !== undefined);
  const program = programOf(url, ports.rpc, () => child);
  const height = async () => Number((await program.path<{ height: number }>('get_height')).height);
  // monerod mines transactions, and shows them at its restricted port, once relayed: a moment after accepting them.
  const untilRelayed = async (): Promise<void> => {
    for (let look = 0; look < RELAY_LOOKS; look++) {
      const { transactions = [] } = await program.path<{ transactions?: PoolEntry[] }>('get_transaction_pool');
      if (transactions.every((tx) => tx.relayed || tx.do_not_relay)) return;
      await pause(50);
    }
  };
  return {
    ...program,
    get pid() {
      return child.pid;
    },
    dataDir,
    restrictedUrl: options.restricted ? `http://${HOST}:${ports.restricted}` : undefined,
    height,
    untilRelayed,
    generateBlocks: async (count, address) => {
      await untilRelayed();
      const made: string[] = [];
      for (let left = count; left > 0; left -= BLOCKS_A_CALL) {
        const params = { amount_of_blocks: Math.min(left, BLOCKS_A_CALL), wallet_address: address };
        made.push(...(await program.rpc<{ blocks: string[] }>('generateblocks', params)).blocks);
      }
      return made;
    },
    minePool: async (address) => {
      await untilRelayed();
      for (let mined = 1; mined <= POOL_BLOCKS; mined++) {
        await program.rpc('generateblocks', { amount_of_blocks: 1, wallet_address: address });
        const { tx_hashes } = await program.path<{ tx_hashes?: string[] }>('get_transaction_pool_hashes');
        if (tx_hashes === undefined || tx_hashes.length === 0) return mined;
      }
      throw new Error(`expected the pool to be mined within ${POOL_BLOCKS} blocks`);
    },
    popBlocks: async (count) => Number((await program.path<{ height: number }>('pop_blocks', { nblocks: count })).height),
    flushPool: async () => {
      await program.rpc('flush_txpool', {});
    },
    restart: async (whileAway) => {
      await child.kill();
      await whileAway?.();
      const before = child;
      child = await launch(true);
      const stopNow = child.stop;
      // The chain may be in the first child's folder: that one goes last.
      child = { ...child, stop: () => stopNow().then(() => before.stop()) };
    },
  };
}

/** Starts monero-wallet-rpc with a separate wallet folder and a separate ring database. */
export async function startWalletRpc(options: WalletRpcOptions = {}): Promise<MoneroWalletRpc> {
  const command = findReference('monero-wallet-rpc', options.release);
  let lastError: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await launchWalletRpc(command, options, await freePort());
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

function walletRpcArgs(options: WalletRpcOptions, port: number, folder: string): string[] {
  const { walletFile } = options;
  const args =
    walletFile === undefined ? ['--wallet-dir', join(folder, 'wallets')] : ['--wallet-file', walletFile, '--password', ''];
  args.push('--rpc-bind-ip', HOST, '--rpc-bind-port', String(port));
  args.push(...(options.login === undefined ? ['--disable-rpc-login'] : ['--rpc-login', options.login]));
  args.push('--daemon-ssl', 'disabled', '--rpc-ssl', 'disabled', '--non-interactive');
  // It takes the chain for mainnet: releases after 0.18.0.0 reject regtest's forks, which apply from its first block.
  if (options.release !== '0.18.0.0') args.push('--allow-mismatched-daemon-version');
  args.push('--shared-ringdb-dir', join(folder, 'ringdb'), '--log-file', join(folder, 'wallet-rpc.log'), '--log-level', '0');
  if (options.daemon === undefined) args.push('--offline');
  else args.push('--daemon-address', options.daemon.replace(/^http:\/\//, ''), '--trusted-daemon');
  return [...args, ...(options.extraArgs ?? [])];
}

async function launchWalletRpc(command: string, options: WalletRpcOptions, port: number): Promise<MoneroWalletRpc> {
  const url = `http://${HOST}:${port}`;
  const child = startChild('wallet-rpc', command, (folder) => {
    mkdirSync(join(folder, 'wallets'));
    return walletRpcArgs(options, port, folder);
  });
  await untilReady('monero-wallet-rpc', child, () => answers(`${url}/json_rpc`));
  const program = programOf(url, port, () => child);
  // Before a wallet is open, so that none of them refreshes unnoticed by a test.
  if (options.daemon !== undefined && options.login === undefined) await program.rpc('auto_refresh', { enable: false });
  return { ...program, walletDir: join(child.folder, 'wallets'), ...walletCalls(program) };
}

function walletCalls(program: Program): Omit<MoneroWalletRpc, keyof Program | 'walletDir'> {
  const address = async (account = 0) =>
    (await program.rpc<{ address: string }>('get_address', { account_index: account })).address;
  const height = async () => Number((await program.rpc<{ height: number }>('get_height', {})).height);
  return {
    address,
    height,
    createWallet: async (name) => {
      await program.rpc('create_wallet', { filename: name, password: '', language: 'English' });
      return address();
    },
    restoreWallet: async (name, seed, restoreHeight = 0) => {
      const params = { filename: name, password: '', seed, restore_height: restoreHeight, autosave_current: false };
      await program.rpc('restore_deterministic_wallet', params);
      return address();
    },
    restoreFromKeys: async (name, keys) => {
      await program.rpc('generate_from_keys', {
        filename: name,
        password: '',
        address: keys.address,
        viewkey: keys.viewKey,
        ...(keys.spendKey === undefined ? {} : { spendkey: keys.spendKey }),
        restore_height: keys.restoreHeight ?? 0,
        autosave_current: false,
      });
      return address();
    },
    openWallet: async (name) => {
      await program.rpc('open_wallet', { filename: name, password: '' });
    },
    closeWallet: async () => {
      await program.rpc('close_wallet', {});
    },
    seed: async () => (await program.rpc<{ key: string }>('query_key', { key_type: 'mnemonic' })).key,
    refreshToHeight: (daemon) => refreshToHeight(program, height, daemon),
    balance: async (account = 0) => {
      const answer = await program.rpc('get_balance', { account_index: account });
      return { total: toBigint(answer.balance), unlocked: toBigint(answer.unlocked_balance) };
    },
    transfer: (destinations, options = {}) =>
      program.rpc('transfer', { destinations, get_tx_key: true, get_tx_hex: true, ring_size: 16, ...options }),
  };
}

const REFRESH_ATTEMPTS = 30;

async function refreshToHeight(
  program: Program,
  height: () => Promise<number>,
  daemon: { height(): Promise<number> },
): Promise<number> {
  let reached = 0;
  let wanted = 0;
  for (let attempt = 0; attempt < REFRESH_ATTEMPTS; attempt++) {
    try {
      await program.rpc('refresh', {});
    } catch (error) {
      // -38: no connection. The first call after a daemon's restart uses a stale socket.
      if (!(error instanceof RpcFailure) || error.code !== -38 || attempt > 3) throw error;
    }
    wanted = await daemon.height();
    reached = await height();
    if (reached === wanted) return reached;
    await pause(50);
  }
  throw new Error(`monero-wallet-rpc stays at height ${reached} while its daemon is at ${wanted}`);
}

function programOf(url: string, port: number, child: () => Child): Program {
  return {
    port,
    url,
    pid: child().pid,
    folder: child().folder,
    rpc: (method, params, options) => callRpc(url, method, params, options),
    path: (name, body, options) => callPath(url, name, body, options),
    binary: async (name, body) => {
      const answer = await post(`${url}/${name}`, body, 'application/octet-stream');
      if (answer.status !== 200) throw new RpcFailure(answer.status, `HTTP ${answer.status} from ${url}/${name}`);
      return answer.body;
    },
    stop: () => child().stop(),
  };
}

/** Any HTTP answer counts: a program with a login says 401. */
async function answers(url: string): Promise<void> {
  await post(url, '{}', 'application/json', 5_000);
}

async function untilReady(name: string, child: Child, probe: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT;
  let ended: string | undefined;
  void child.ended.then((how) => {
    ended = how;
  });
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      const late = Date.now() > deadline;
      if (ended === undefined && !late) {
        await Promise.race([pause(50), child.ended]);
        continue;
      }
      const said = child.output().trim().split('\n').slice(-3).join(' | ');
      await child.stop();
      const why = late ? `gave no answer in ${READY_TIMEOUT / 1000} s (${String(error)})` : `ended early (${ended})`;
      throw new Error(`${name} ${why}: ${said}`);
    }
  }
}
