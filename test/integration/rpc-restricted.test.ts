import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { METHODS } from '../../src/rpc/method-table.ts';
import { jsonSchemaOf } from '../../src/rpc/openrpc.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import type { Comparable } from '../support/rpc-both.ts';
import { callOver } from '../support/rpc-wire.ts';

// Every method of the table, under each of its names, with both services: restricted, and over a view-only wallet. No daemon.

/** Not of the reference, or no more. */
const OURS_ALONE = ['rpc.discover', 'finalize_multisig'];
/** Ends the reference over a view-only wallet; and what ours answers. */
const ENDS_REFERENCE_VIEW_ONLY = { sign: '-29' };
/** Different on purpose (docs/rpc-differences.md), or because no daemon is there: ours says so before it reads a set, and trusts none. */
const DIFFERENT_VIEW_ONLY = {
  submit_transfer: '-41',
  import_key_images: '-1',
};
/** These go last, one by one: they end what the others need. */
const LAST = ['close_wallet', 'stop_wallet'];

const NAMES = METHODS.flatMap(({ name, aliases = [] }) => [name, ...aliases]).filter((name) => !OURS_ALONE.includes(name));
const MOST = NAMES.filter((name) => !LAST.includes(name));

interface Both {
  readonly ours: RunningService;
  readonly url: string;
  readonly theirs: MoneroWalletRpc;
}

let folder: string;
let restricted: Both;
let restrictedOpen: Both;
let viewOnly: Both;

async function startBoth(name: string, flags: readonly string[], walletFile?: string): Promise<Both> {
  const place = walletFile === undefined ? ['--wallet-dir', join(folder, name)] : ['--wallet-file', walletFile, '--password', ''];
  const settings = ['--rpc-bind-port', '0', '--disable-rpc-login', '--offline', ...place, ...flags];
  // One after the other: they may open the same file.
  const ours = await startService(readSettings(readFlags('wallet-rpc', FLAGS, settings)));
  const theirs = await startWalletRpc({ extraArgs: flags, ...(walletFile === undefined ? {} : { walletFile }) });
  return { ours, url: `http://127.0.0.1:${ours.port}`, theirs };
}

type Side = 'ours' | 'theirs';

const ask = ({ url, theirs }: Both, side: Side, method: string, params: unknown): Promise<Comparable> =>
  callOver(side === 'ours' ? url : theirs.url, method, params).catch((error: Error) => {
    throw new Error(`${side} at ${method}: ${error.message}`, { cause: error });
  });

/** What a service makes of a request to each method, by the method's name. */
async function verdicts(
  services: Both,
  side: Side,
  methods: readonly string[],
  paramsOf: (method: string) => unknown,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const method of methods) found[method] = verdict(await ask(services, side, method, paramsOf(method)));
  return found;
}

/** `done`, or the code; a denial with its words. */
function verdict(answer: Comparable): string {
  const { code, message } = answer as { readonly code?: string; readonly message?: string };
  return code === undefined ? 'done' : code === '-7' ? `${code} ${message}` : code;
}

/** Denied or let in: what a method that is let in says then is the other suites' matter. */
const denials = (found: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(found).map(([method, said]) => [method, said.startsWith('-7 ') ? said : 'let in']));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-restricted-'));
  [restricted, viewOnly] = await Promise.all([startBoth('restricted', ['--restricted-rpc']), startBoth('view-only', [])]);
  await viewOnly.theirs.createWallet('whole');
  const key = async (key_type: string) => (await viewOnly.theirs.rpc<{ key: string }>('query_key', { key_type })).key;
  const viewkey = await key('view_key');
  const address = await viewOnly.theirs.address();
  const view = { filename: 'view', password: 'pw', address, viewkey };
  for (const side of ['ours', 'theirs'] as const) await ask(viewOnly, side, 'generate_from_keys', view);
  restrictedOpen = await startBoth('', ['--restricted-rpc'], join(viewOnly.theirs.walletDir, 'whole'));
});

afterAll(async () => {
  for (const services of [restricted, restrictedOpen, viewOnly]) {
    await services?.ours.stop();
    await services?.theirs.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Every field of a method, of a type that no field has. */
function wrongFields(method: string): Record<string, unknown> {
  const { params } = METHODS.find(({ name, aliases = [] }) => name === method || aliases.includes(method))!;
  const { properties } = jsonSchemaOf(params) as { readonly properties: object };
  return Object.fromEntries(Object.keys(properties).map((name) => [name, { no: 'such' }]));
}

describe('the restricted service denies what the reference denies', () => {
  it('while no wallet is open', async () => {
    const ours = await verdicts(restricted, 'ours', MOST, () => ({}));
    expect(ours).toEqual(await verdicts(restricted, 'theirs', MOST, () => ({})));
  });

  it('of an open wallet', async () => {
    const ours = denials(await verdicts(restrictedOpen, 'ours', MOST, () => ({})));
    expect(ours).toEqual(denials(await verdicts(restrictedOpen, 'theirs', MOST, () => ({}))));
    expect(Object.values(ours).filter((said) => said !== 'let in').length).toBeGreaterThan(50);
  });

  it('when fields are of wrong types', async () => {
    const ours = await verdicts(restrictedOpen, 'ours', MOST, wrongFields);
    expect(ours).toEqual(await verdicts(restrictedOpen, 'theirs', MOST, wrongFields));
    expect(Object.values(ours).filter((said) => said === '-32602').length).toBeGreaterThan(50);
  });

  it('and neither stops nor closes', async () => {
    const last = async (side: Side) => {
      const said: Comparable[] = [];
      for (const method of ['stop_wallet', 'close_wallet', 'get_height']) said.push(await ask(restrictedOpen, side, method, {}));
      return said;
    };
    expect(await last('ours')).toEqual(await last('theirs'));
  });
});

describe('a view-only wallet', () => {
  it('does what that of the reference does, method by method', async () => {
    const own = { ...ENDS_REFERENCE_VIEW_ONLY, ...DIFFERENT_VIEW_ONLY };
    const methods = MOST.filter((name) => !(name in own));
    const ours = await verdicts(viewOnly, 'ours', methods, () => ({}));
    expect(ours).toEqual(await verdicts(viewOnly, 'theirs', methods, () => ({})));
    expect(await verdicts(viewOnly, 'ours', Object.keys(own), () => ({}))).toEqual(own);
  });
});
