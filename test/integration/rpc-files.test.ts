import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceLog } from '../../src/cli/log.ts';
import type { MoneroWalletRpc } from '../support/programs.ts';
import type { Comparable } from '../support/rpc-both.ts';
import { answerTo, callOver, send } from '../support/rpc-wire.ts';
import { type Row, startOurs, ThreeServices, testEach } from '../support/three-services.ts';

// Requests that are no calls, and those that make, open and close wallets: over HTTP, beside the reference, the same requests.
let services: ThreeServices;
let theirs: MoneroWalletRpc;
let old: MoneroWalletRpc;
let ourUrl: string;
let address: string;
let viewKey: string;
let spendKey: string;
let seed: string;
let stranger: string;

beforeAll(async () => {
  services = await ThreeServices.start();
  ({ theirs, old, url: ourUrl, stranger } = services);
  ({ address, seed, viewKey, spendKey } = services.keys);
});

afterAll(() => services?.stop());

const everywhere = (method: string, params: unknown): Promise<[Comparable, Comparable, Comparable]> =>
  services.everywhere(method, params);
const each = (rows: readonly Row[]): void => testEach(() => services, rows);
const all = (rows: readonly Row[]): Promise<void> => services.expectAll(rows);

describe('requests that are no calls', () => {
  const bodies: readonly string[] = [
    '',
    ' \n\t',
    '{}',
    '[]',
    '[{"id":1,"method":"get_version"}]',
    'null',
    '5',
    '"x"',
    '{"id":7}',
    '{"id":"z","method":null}',
    '{"id":"x","method":"nope"}',
    '{"id":3,"method":"nope","params":{"a":1}}',
    '{"method":"nope"}',
    '{"id":null,"method":"nope"}',
    '{"id":"x","method":""}',
    '{"id":"x","method":"GET_VERSION"}',
    '{"method":"get_version"}',
    '{"id":null,"method":"get_version"}',
    '{"id":5,"method":"get_version"}',
    '{"id":-5,"method":"get_version"}',
    '{"id":5.5,"method":"get_version"}',
    '{"id":true,"method":"get_version"}',
    '{"id":18446744073709551615,"method":"get_version"}',
    '{"id":18446744073709551616,"method":"get_version"}',
    '{"id":{"a":[1,2]},"method":"get_version"}',
    '{"id":["a","b"],"method":"get_version"}',
    '{"id":"ünï \\u2713 \\" \\\\","method":"get_version"}',
    '{"id":1,"id":2,"method":"get_version"}',
    '{"id":1,"id":null,"method":"get_version"}',
    '{"id":{"a":[1],"b":{"c":1}},"id":{"a":[],"b":{"d":2}},"method":"get_version"}',
    '{"id":{"a":1},"id":"x","id":{"b":1},"method":"get_version"}',
    '{"id":[1,-1],"method":"get_version"}',
    '{"id":[1,1.5],"method":"get_version"}',
    '{"id":[-2,-1],"method":"get_version"}',
    '{"id":1,"method":"nope","method":"get_version"}',
    '{"id":1,"jsonrpc":"1.0","method":"get_version"}',
    '{"id":1,"jsonrpc":null,"method":"get_version"}',
    '{"id":1,"jsonrpc":2,"method":"get_version"}',
    '{"id":1,"jsonrpc":2.0,"method":"nope"}',
    '{"id":1,"method":"get_version","params":null}',
    '{"id":1,"method":"get_version","params":[1,2]}',
    '{"id":[],"jsonrpc":[],"method":"get_version","params":[]}',
    '{"id":{"a":[]},"method":"get_version"}',
    '{"id":{"a":null,"b":{"":1,"c":null}},"method":"get_version"}',
    '{"id":{"":[],"a":{"":{"b":1}}},"method":"get_version"}',
    '{"id":{"":[1]},"method":"get_version"}',
    '{"id":"x","method":[]}',
    '{"id":[],"method":"nope"}',
    '{"id":1,"method":"get_version","params":[1,"a"]}',
    '{"id":1,"method":"get_version","params":[[1]]}',
    '{"id":1,"method":"get_version","params":"x"}',
    '{"id":1,"method":"get_balance","params":{"account_index":99999999999999999999}}',
    '{"id":1,"method":"get_balance","params":{"account_index":-99999999999999999999}}',
    '{"id":1,"method":"get_balance","params":{"address_indices":[1,"a"]}}',
    '{"id":1,"method":"get_balance","params":{"address_indices":[[1]]}}',
    '{"id":1,"method":"get_balance","params":{"address_indices":[{"a":1}]}}',
    '{"id":1,"method":"get_height"}',
    ' \n\t{ "id" : 1 , "method" : "get_height" } \n',
    `{"id":1,"method":"get_version","params":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
    `{"id":1,"method":"get_version","params":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    '{"id":1,"method":"get_version"',
    '{"id":1 "method":"get_version"}',
    '{"id":1,"method":get_version}',
    '{"id":01,"method":"get_version"',
    '\u0000{"id":1,"method":"get_version"}',
  ];
  /** Where the reference reads what is no JSON, or breaks off; see docs/rpc-differences.md. */
  const better = new Map<string, number>([
    ['{"id":1,"method":"get_version"', -32700],
    ['{"id":01,"method":"get_version"', -32700],
  ]);
  for (const body of bodies) {
    it(`answers ${body.slice(0, 70)}`, async () => {
      const answer = await answerTo(ourUrl, body);
      const code = better.get(body);
      if (code !== undefined) expect(answer).toMatchObject({ error: { code: String(code) } });
      else expect(answer).toEqual(await answerTo(theirs.url, body));
      if (code === undefined && body.includes('get_version')) return;
      if (code === undefined) expect(answer, '0.18.0.0').toEqual(await answerTo(old.url, body));
    });
  }

  it('a method that is no text is an invalid request, where the reference fails with status 500', async () => {
    const body = '{"id":"z","method":5}';
    expect(await answerTo(ourUrl, body)).toMatchObject({ error: { code: '-32600' } });
    expect(await answerTo(theirs.url, body)).toEqual({ status: '500' });
  });

  it('bytes that are no UTF-8 are a parse error', async () => {
    const body = Buffer.from([...Buffer.from('{"id":"'), 0xff, 0xfe, ...Buffer.from('","method":"get_version"}')]);
    expect((await send(ourUrl, { body })).body).toContain('-32700');
  });

  it.each([
    { method: 'GET' },
    { method: 'PUT', body: '{"id":1,"method":"get_version"}' },
    { method: 'OPTIONS' },
    { path: '/', body: '{"id":1,"method":"get_version"}' },
    { path: '/json_rpc?x=1', body: '{"id":1,"method":"get_version"}' },
    { path: '/json_rpc/', body: '{"id":1,"method":"get_version"}' },
    { path: '/get_height', body: '{}' },
    { headers: { 'Content-Type': 'text/plain' }, body: '{"id":1,"method":"get_version"}' },
  ])('answers %o with the status of the reference', async (request) => {
    const [a, b] = [await send(ourUrl, request), await send(theirs.url, request)];
    expect(a.status).toBe(b.status);
    expect(a.headers['content-type'] ?? '').toBe(b.headers['content-type'] ?? '');
  });

  it('a page of another origin is turned away, where the reference would do what it says', async () => {
    const request = { headers: { Origin: 'https://evil.example' }, body: '{"id":1,"method":"get_version"}' };
    expect((await send(ourUrl, request)).status).toBe(403);
    expect((await send(theirs.url, request)).status).toBe(200);
  });
});

describe('wallet files', () => {
  each([
    ['create_wallet', { filename: 'made', password: 'p', language: 'English' }],
    ['create_wallet', { filename: 'made', password: 'p', language: 'English' }],
    ['create_wallet', { filename: 'x/y', language: 'English' }],
    ['create_wallet', { filename: 'z', language: 'Klingon' }],
    ['create_wallet', { filename: 'z' }],
    ['create_wallet', { filename: 5 }],
    ['open_wallet', { filename: 'nobody', password: '' }],
    ['open_wallet', { filename: 'made', password: 'wrong' }],
    ['open_wallet', { filename: 'x/y' }],
    ['open_wallet', { filename: '' }],
    ['open_wallet', { filename: 5 }],
    ['open_wallet', { filename: 'made', autosave_current: 'x' }],
    ['change_wallet_password', { old_password: 'wrong', new_password: 'q' }],
    ['change_wallet_password', { old_password: 'p', new_password: 'q' }],
    ['change_wallet_password', {}],
    ['close_wallet', { autosave_current: 5 }],
    ['close_wallet', {}],
    ['close_wallet', {}],
    ['get_balance', {}],
    ['get_height', {}],
    ['get_languages', {}],
    ['validate_address', { address: 'x' }],
    ['validate_address', { address: 'x', any_net_type: true }],
    ['query_key', { key_type: 'mnemonic' }],
    ['transfer', {}],
    ['get_transfers', { in: true }],
    ['is_multisig', {}],
    ['set_daemon', { address: 'x' }],
    ['refresh', {}],
    ['store', {}],
    ['open_wallet', { filename: 'made', password: 'p' }],
    ['open_wallet', { filename: 'made', password: 'q' }],
    ['open_wallet', { filename: 'made', password: 'q' }],
    ['open_wallet', { filename: 'made', password: 'p' }],
    ['label_account', { account_index: 0, label: 'still open' }],
    ['open_wallet', { filename: 'made.keys', password: 'q' }],
    ['open_wallet', { filename: 'made.keys', password: 'p' }],
    ['open_wallet', { filename: 'unmade.keys' }],
    ['create_wallet', { filename: 'made.keys', language: 'English' }],
    ['generate_from_keys', {}],
    ['generate_from_keys', { viewkey: 'ab' }],
    ['generate_from_keys', { viewkey: 'ab', address: 'x', filename: 'a/b' }],
    ['generate_from_keys', { viewkey: 'ab', address: 'x', filename: 'made' }],
    ['generate_from_keys', { viewkey: 'ab', address: 'x', filename: 'k1' }],
    ['restore_deterministic_wallet', {}],
    ['restore_deterministic_wallet', { seed: 'a b c', filename: 'r1' }],
    ['restore_deterministic_wallet', { seed: 'zz', filename: 'r1', enable_multisig_experimental: true }],
    ['restore_deterministic_wallet', { seed: '00', seed_offset: 'x', filename: 'r1', enable_multisig_experimental: true }],
    ['restore_deterministic_wallet', { seed: 'raven '.repeat(16).trim(), filename: 'r1' }],
    ['restore_deterministic_wallet', { seed: 'a b c', filename: 'r/1' }],
    ['restore_deterministic_wallet', { seed: 'a b c', filename: 'made' }],
    ['restore_deterministic_wallet', { seed: 5 }],
    ['restore_deterministic_wallet', { seed: 'x', restore_height: -1 }],
  ]);

  it('wallets from keys and from words', async () => {
    const words = seed.split(' ');
    const parts = { standard_address: address, payment_id: '1122334455667788' };
    const { integrated_address: integrated } = await theirs.rpc('make_integrated_address', parts);
    await all([
      ['generate_from_keys', { filename: 'k2', address, viewkey: 'ab' }],
      ['generate_from_keys', { filename: 'k2', address, viewkey: viewKey, spendkey: 'zz' }],
      ['generate_from_keys', { filename: 'k3', address, viewkey: viewKey, restore_height: 5 }],
      ['get_address', {}],
      ['query_key', { key_type: 'view_key' }],
      ['query_key', { key_type: 'spend_key' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['generate_from_keys', { filename: 'k4', address, viewkey: viewKey, spendkey: spendKey, language: 'German' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['get_address', {}],
      ['generate_from_keys', { filename: 'k5', address: integrated, viewkey: viewKey }],
      ['generate_from_keys', { filename: 'k6', address: integrated, viewkey: viewKey, spendkey: spendKey }],
      ['restore_deterministic_wallet', { filename: 'k4', seed }],
      ['restore_deterministic_wallet', { filename: 'r2', seed, restore_height: 440, seed_offset: 'a passphrase' }],
      ['query_key', { key_type: 'mnemonic' }],
      ['restore_deterministic_wallet', { filename: 'r3', seed, language: 'German' }],
      ['restore_deterministic_wallet', { filename: 'r4', seed: words.slice(0, 24).join(' ') }],
      ['restore_deterministic_wallet', { filename: 'r5', seed: [...words.slice(0, 24), 'abbey'].join(' ') }],
      ['restore_deterministic_wallet', { filename: 'r6', seed: words.map((word) => word.slice(0, 3)).join(' ') }],
      ['get_address', {}],
      ['restore_deterministic_wallet', { filename: 'r7.keys', seed }],
      ['open_wallet', { filename: 'r7' }],
      ['restore_deterministic_wallet', { filename: 'r7', seed }],
    ]);
  });

  it('keys that are not of the address make no wallet, where the reference makes one that sees nothing', async () => {
    const wrong = [
      ['view', { address, viewkey: spendKey }],
      ['view', { address, viewkey: spendKey, spendkey: spendKey }],
      ['spend', { address, viewkey: viewKey, spendkey: viewKey }],
      ['view', { address: stranger, viewkey: viewKey, spendkey: spendKey }],
    ] as const;
    for (const [i, [which, keys]] of wrong.entries()) {
      const [a, b] = await everywhere('generate_from_keys', { filename: `wrong${i}`, ...keys });
      expect(a).toEqual({ code: '-1', message: `${which} key does not match standard address` });
      expect(b).toMatchObject({ address: keys.address });
    }
  });

  it("opens the reference's own file, by its name, with its password", async () => {
    const keys = readFileSync(join(theirs.walletDir, 'one.keys'));
    const other = mkdtempSync(join(tmpdir(), 'nightjar-rpc-keys-'));
    writeFileSync(join(other, 'mine.keys'), keys);
    const service = await startOurs(['--wallet-dir', other, '--offline']);
    try {
      const url = `http://127.0.0.1:${service.port}`;
      expect(await callOver(url, 'open_wallet', { filename: 'mine', password: 'wrong' })).toMatchObject({ code: '-1' });
      expect(await callOver(url, 'open_wallet', { filename: 'mine' })).toEqual({});
      expect(await callOver(url, 'query_key', { key_type: 'mnemonic' })).toEqual({ key: seed });
    } finally {
      await service.stop();
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('does not open a wallet whose .keys file has become that of another, and opens one whose file is its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-replaced-'));
    let logged = '';
    const put = (name: string) => copyFileSync(join(theirs.walletDir, `${name}.keys`), join(folder, 'mine.keys'));
    put('one');
    await theirs.rpc('create_wallet', { filename: 'another', language: 'English' });
    await theirs.rpc('generate_from_keys', { filename: 'watching', address, viewkey: viewKey });
    await theirs.rpc('generate_from_keys', { filename: 'again', address, viewkey: viewKey, spendkey: spendKey });
    const log = new ServiceLog('0', (text) => {
      logged += text;
    });
    const service = await startOurs(['--wallet-dir', folder, '--offline'], log);
    const call = (method: string, params: object = {}) => callOver(`http://127.0.0.1:${service.port}`, method, params);
    const open = (password: string) => call('open_wallet', { filename: 'mine', password });
    const refused = (why: string) => ({ code: '-1', message: `Failed to open wallet : ${why}` });
    try {
      expect(await open('')).toEqual({});
      await call('close_wallet');
      for (const other of ['another', 'watching']) {
        put(other);
        expect(await open(''), other).toEqual(
          refused('mine.keys is not the wallet of mine.nightjar, which has the name here: move one of them away'),
        );
        expect(await call('get_address')).toMatchObject({ code: '-13' });
      }
      put('again');
      expect(await open(''), 'the same keys, written anew').toEqual({});
      await call('change_wallet_password', { old_password: '', new_password: 'new' });
      await call('close_wallet');
      expect(await open('new'), 'a known file').toEqual({});
      await call('close_wallet');
      expect(logged).not.toContain('is not read');
      put('another');
      expect(await open('')).toEqual(
        refused('mine.keys has this password, and mine.nightjar, which has the name here, another: move one of them away'),
      );
      expect(await open('neither')).toEqual(refused('Invalid password.'));
      expect(await open('new'), 'whose file it is cannot be told').toEqual({});
      expect(logged).toContain('is not read');
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('T16 a name whose two files of the reference were deleted is not given to another wallet, and the log names the file that has it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-deleted-'));
    let logged = '';
    const log = new ServiceLog('0', (text) => {
      logged += text;
    });
    for (const file of ['one', 'one.keys']) copyFileSync(join(theirs.walletDir, file), join(folder, file));
    const service = await startOurs(['--wallet-dir', folder, '--offline'], log);
    const call = (method: string, params: object) => callOver(`http://127.0.0.1:${service.port}`, method, params);
    try {
      expect(await call('open_wallet', { filename: 'one' })).toEqual({});
      await call('close_wallet', {});
      for (const file of ['one', 'one.keys']) rmSync(join(folder, file));
      for (const [method, code, params] of [
        ['create_wallet', '-21', { language: 'English' }],
        ['restore_deterministic_wallet', '-1', { seed }],
        ['generate_from_keys', '-1', { address, viewkey: viewKey }],
      ] as const) {
        logged = '';
        expect(await call(method, { filename: 'one', ...params }), method).toMatchObject({ code });
        expect(logged, method).toContain('one.nightjar in the wallet folder has this name');
      }
      expect(await call('open_wallet', { filename: 'one' })).toEqual({});
      expect(await call('query_key', { key_type: 'mnemonic' })).toEqual({ key: seed });
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('a keys file that is none is refused in the same words', async () => {
    const { theirs: their, folder } = services;
    const whole = readFileSync(join(their.walletDir, 'one.keys'));
    const broken = { nothing: new Uint8Array(), short: whole.subarray(0, 40), other: new TextEncoder().encode('x'.repeat(500)) };
    for (const [filename, bytes] of Object.entries(broken)) {
      for (const walletDir of [join(folder, 'wallets'), their.walletDir])
        writeFileSync(join(walletDir, `${filename}.keys`), bytes);
      const [mine, reference] = await everywhere('open_wallet', { filename, password: '' });
      expect(mine, filename).toEqual(reference);
      expect(reference, filename).toMatchObject({ message: expect.stringContaining('keys buffer') });
    }
  });

  it('a name whose keys file exists alone is taken, which is checked after all other errors', async () => {
    const { theirs: their, old: older, folder } = services;
    for (const walletDir of [join(folder, 'wallets'), their.walletDir, older.walletDir])
      for (const file of ['lone.keys', '.keys']) writeFileSync(join(walletDir, file), 'x');
    await all([
      ['restore_deterministic_wallet', { filename: 'lone', seed: 'x' }],
      ['restore_deterministic_wallet', { filename: 'lone', seed }],
      ['generate_from_keys', { filename: 'lone', address, viewkey: '0' }],
      ['generate_from_keys', { filename: 'lone', address, viewkey: viewKey }],
      ['generate_from_keys', { filename: 'lone', address, viewkey: viewKey, spendkey: spendKey }],
      ['create_wallet', { filename: 'lone', language: 'English' }],
      ['restore_deterministic_wallet', { filename: '', seed }],
    ]);
    expect(readFileSync(join(folder, 'wallets', 'lone.keys'), 'utf8')).toBe('x');
  });
});

it('sixteen words of a Polyseed are restored, as later releases of the reference take them', async () => {
  const [sample] = JSON.parse(readFileSync(new URL('../fixtures/vectors/polyseed.json', import.meta.url), 'utf8')).cases;
  const params = { filename: 'sixteen', seed: sample.phrases.Spanish };
  const restored = (await callOver(ourUrl, 'restore_deterministic_wallet', params)) as { address: string };
  expect(restored).toMatchObject({ seed: sample.phrases.Spanish, was_deprecated: false });
  const { key } = (await callOver(ourUrl, 'query_key', { key_type: 'mnemonic' })) as { key: string };
  expect(key.split(' ')).toHaveLength(25);
  await theirs.rpc('close_wallet', {});
  await theirs.rpc('restore_deterministic_wallet', { filename: 'sixteen', seed: key });
  expect(await theirs.address()).toBe(restored.address);
});
