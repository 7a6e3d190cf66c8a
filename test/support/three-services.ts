import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type JsonInput, stringifyJson } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import type { ServiceLog } from '../../src/cli/log.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { answerOfOld } from './old-release.ts';
import { MINER_SEED } from './premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from './programs.ts';
import { type Comparable, unordered, without } from './rpc-both.ts';
import { callOver } from './rpc-wire.ts';

/** A request by name and parameters; `own words` if our error has its own wording, `random` if values are random. */
export type Row = readonly [method: string, params: unknown, how?: 'own words' | 'random'];

/** Our service, by the reference's flags. */
export const startOurs = (flags: readonly string[], log?: ServiceLog): Promise<RunningService> =>
  startService(readSettings(readFlags('wallet-rpc', FLAGS, ['--rpc-bind-port', '0', '--disable-rpc-login', ...flags])), log);

/** One wallet, its secrets in hex. */
interface Keys {
  readonly address: string;
  readonly seed: string;
  readonly viewKey: string;
  readonly spendKey: string;
}

/**
 * Our service over HTTP beside the current release and the old one: one chain, and one seed that all three have open. Its wallet mined the first
 * blocks.
 */
export class ThreeServices {
  private constructor(
    readonly daemon: Monerod,
    readonly theirs: MoneroWalletRpc,
    /** The release that the specification was written for: it gets every request that the current reference gets. */
    readonly old: MoneroWalletRpc,
    readonly ours: RunningService,
    /** Has the chain's money. */
    readonly payer: MoneroWalletRpc,
    /** The payer's address. */
    readonly stranger: string,
    readonly keys: Keys,
    readonly folder: string,
  ) {}

  static async start(): Promise<ThreeServices> {
    const folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-'));
    // That release allows locking money until a height: later ones do not accept such transactions into their pool.
    const daemon = await startMonerod({ release: '0.18.0.0', premined: true });
    const [payer, theirs, old] = await Promise.all([
      startWalletRpc({ daemon: daemon.url, release: '0.18.0.0' }),
      startWalletRpc({ daemon: daemon.url }),
      startWalletRpc({ daemon: daemon.url, release: '0.18.0.0' }),
    ]);
    const daemonFlags = ['--daemon-address', daemon.url, '--trusted-daemon', '--max-concurrency', '1'];
    const ours = await startOurs(['--wallet-dir', join(folder, 'wallets'), ...daemonFlags]);
    const stranger = await payer.restoreWallet('payer', MINER_SEED);
    const address = await theirs.createWallet('one');
    const seed = await theirs.seed();
    await old.restoreWallet('one', seed);
    const key = async (key_type: string) => (await theirs.rpc<{ key: string }>('query_key', { key_type })).key;
    const keys = { address, seed, viewKey: await key('view_key'), spendKey: await key('spend_key') };
    await daemon.generateBlocks(3, address);
    await daemon.generateBlocks(60, stranger);
    const services = new ThreeServices(daemon, theirs, old, ours, payer, stranger, keys, folder);
    await callOver(services.url, 'auto_refresh', { enable: false });
    await callOver(services.url, 'restore_deterministic_wallet', { filename: 'one', password: 'pw', seed });
    return services;
  }

  /** Of our service. */
  get url(): string {
    return `http://127.0.0.1:${this.ours.port}`;
  }

  async stop(): Promise<void> {
    await this.ours.stop();
    await Promise.all([this.theirs.stop(), this.payer.stop(), this.old.stop()]);
    await this.daemon.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Our answer, that of the current release, and that of the old one. */
  everywhere(method: string, params: unknown): Promise<[Comparable, Comparable, Comparable]> {
    const { url, theirs, old } = this;
    return Promise.all([callOver(url, method, params), callOver(theirs.url, method, params), callOver(old.url, method, params)]);
  }

  async expectSame([method, params, how]: Row): Promise<void> {
    const answers = await this.everywhere(method, params);
    const dropped = how === 'own words' ? ['message'] : ['time_to_unlock'];
    const compared = answers.map((answer) => unordered(without(withoutFolders(answer), dropped)));
    const [a, b, c] = how === 'random' ? compared.map(shapeOf) : compared;
    expect(a).toEqual(b);
    const other = answerOfOld(method, params);
    if (other === undefined) expect(a, '0.18.0.0').toEqual(c);
    else expect(c, '0.18.0.0').toMatchObject(other.answer);
    for (const request of other?.instead ?? []) await callOver(this.old.url, method, request);
  }

  /** Rows that need values known only once the services run. */
  async expectAll(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      await this.expectSame(row).catch((error: Error) => {
        throw new Error(`${row[0]} ${stringifyJson(row[1] as JsonInput)}: ${error.message}`, { cause: error });
      });
    }
  }
}

/** One test per row. */
export function testEach(services: () => ThreeServices, rows: readonly Row[]): void {
  for (const row of rows) it(`${row[0]} ${stringifyJson(row[1] as JsonInput)}`, () => services().expectSame(row));
}

/** Files are named by their folder, and each side has a different one. */
function withoutFolders(answer: Comparable): Comparable {
  const { code, message } = answer as { readonly code?: string; readonly message?: string };
  return code === undefined || message === undefined ? answer : { code, message: message.replace(/"\/.*\//, '"') };
}

/** A value with each string replaced by its length: for random values. */
export function shapeOf(value: Comparable): Comparable {
  if (typeof value === 'string') return `text of ${value.length}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shapeOf);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field as Comparable)]));
}
