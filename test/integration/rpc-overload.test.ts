import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { callOver, send } from '../support/rpc-wire.ts';

// One client sends what costs most; another is served meanwhile, and the service lives on.

/** Milliseconds in which the other client has its answer, however busy the machine is. */
const SERVED = 20_000;
const MEGABYTE = 1 << 20;
const OPEN = ['--offline', '--disable-rpc-login'];

let folder: string;
/** One that may do all, and one in restricted mode, each with a wallet whose account has a tag of many letters. */
const services: Partial<Record<'usual' | 'restricted', NightjarService>> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-overload-'));
  const flags = ['--rpc-bind-port', '0', ...OPEN, '--wallet-dir', folder];
  const maker = await startService(readSettings(readFlags('wallet-rpc', FLAGS, flags)));
  const modes = ['usual', 'restricted'] as const;
  for (const filename of modes) {
    const url = `http://127.0.0.1:${maker.port}`;
    await callOver(url, 'create_wallet', { filename, language: 'English' });
    expect(await callOver(url, 'tag_accounts', { tag: 'a'.repeat(60), accounts: [0] })).toEqual({});
  }
  await maker.stop();
  const started = modes.map(async (mode) => {
    const restricted = mode === 'restricted' ? ['--restricted-rpc'] : [];
    services[mode] = await startWalletService([...OPEN, '--wallet-file', join(folder, mode), '--password', '', ...restricted]);
  });
  await Promise.all(started);
});

afterAll(async () => {
  for (const service of Object.values(services)) await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

const served = (url: string) =>
  Promise.race([
    callOver(url, 'get_address', { account_index: 0 }),
    new Promise((_, fail) => setTimeout(() => fail(new Error(`not served in ${SERVED} ms`)), SERVED).unref()),
  ]);

/** An attack beside another client, who asks until the attacker has its answer. */
async function whileOthersAsk(url: string, attack: string): Promise<string> {
  let done = false;
  const answer = send(url, { body: attack }).then(
    ({ status, body }) => `${status} ${body.slice(0, 300).replace(/\s+/g, ' ')}`,
    // A service that takes no more of a body ends the connection, at times before its answer is read.
    (error: NodeJS.ErrnoException) => `413 ${error.code}`,
  );
  const over = answer.finally(() => {
    done = true;
  });
  do {
    expect(await served(url)).toHaveProperty('address');
  } while (!done);
  return over;
}

const call = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;

function distinctKeys(bytes: number): string {
  const keys: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    const key = `"key${i}":0`;
    keys.push(key);
    length += key.length + 1;
  }
  return `{${keys.join(',')}}`;
}

/** What costs most of its kind, and what is answered. */
const ATTACKS: readonly (readonly [name: string, body: () => string, answer: RegExp])[] = [
  [
    'an alternation repeated, which a matcher that goes back takes for ever for',
    () => call('get_accounts', stringifyJson({ tag: '(a|a)*b', regexp: true })),
    /^200 .*No matches for regex filter/s,
  ],
  [
    'repetitions of repetitions',
    () => call('get_accounts', stringifyJson({ tag: `${'(?:a{0,99}){0,9}'.repeat(15)}b`, regexp: true })),
    /^200 .*"code": -1/s,
  ],
  ['66 MB of indices that are none', () => call('get_address', `{"address_index":[${'-1,'.repeat(22 * MEGABYTE)}-1]}`), /^413/],
  [
    'a megabyte of indices that are none',
    () => call('get_address', `{"address_index":[${'-1,'.repeat(330_000)}-1]}`),
    /^200 .*-32602/s,
  ],
  [
    'more indices than a request may have',
    () => call('get_address', `{"address_index":[${'0,'.repeat(20_000)}0]}`),
    /^200 .*-32602/s,
  ],
  ['60 MB of distinct keys', () => call('get_version', distinctKeys(60 * MEGABYTE)), /^(413|200 .*-32700)/s],
  ['60 MB of one text', () => call('get_version', `{"text":"${'a'.repeat(60 * MEGABYTE)}"}`), /^(413|200 .*-32600)/s],
  ['a megabyte of distinct keys', () => call('get_version', distinctKeys(MEGABYTE - 100)), /^200 .*-32700/s],
];

describe.each(['usual', 'restricted'] as const)('no request holds up others: service %s', (mode) => {
  it.each(ATTACKS)('%s', async (_, body, answer) => {
    expect(await whileOthersAsk(services[mode]!.url, body())).toMatch(answer);
  });
});

describe('no request holds up others: where files travel', () => {
  it('60 MB of distinct keys in the name of a method that takes files', async () => {
    const body = call('import_outputs', distinctKeys(60 * MEGABYTE));
    expect(await whileOthersAsk(services.usual!.url, body)).toMatch(/^200 .*-32700/s);
    expect(await whileOthersAsk(services.restricted!.url, body)).toMatch(/^413/);
  });

  it('a file of 60 MB is read', async () => {
    const params = `{"outputs_data_hex":"${'zz'.repeat(30 * MEGABYTE)}"}`;
    expect(await whileOthersAsk(services.usual!.url, call('import_outputs', params))).toMatch(/^200 .*"code": -26/s);
  });
});
