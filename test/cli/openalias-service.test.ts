import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes, stringifyJson } from '../../src/base/index.ts';
import { loadCrypto, secretKeyToPublicKey } from '../../src/crypto/index.ts';
import { encodeAddress } from '../../src/protocol/index.ts';
import type { Network } from '../../src/protocol/model.ts';
import { certificateFiles } from '../support/certificates.ts';
import { type NightjarService, startWalletService } from '../support/nightjar.ts';
import { callOver } from '../support/rpc-wire.ts';
import { type SocksProxy, startSocksProxy } from '../support/socks-proxy.ts';

/** Answers of a DNS service by name: an object of its JSON form, or a text as it stands. */
const answers = new Map<string, unknown>();
const asked: string[] = [];
let folder: string;
let dns: Server;
let proxy: SocksProxy;
let nightjar: NightjarService;
let mainnet: string;
let stagenet: string;
let subaddress: string;
let integrated: string;

beforeAll(async () => {
  await loadCrypto();
  const spendKey = secretKeyToPublicKey(hexToBytes(`05${'0'.repeat(62)}`))!;
  const viewKey = secretKeyToPublicKey(hexToBytes(`07${'0'.repeat(62)}`))!;
  const on = (network: Network, kind: 'standard' | 'subaddress') => encodeAddress({ network, kind, spendKey, viewKey });
  mainnet = on('mainnet', 'standard');
  stagenet = on('stagenet', 'standard');
  subaddress = on('mainnet', 'subaddress');
  integrated = encodeAddress({ network: 'mainnet', kind: 'integrated', spendKey, viewKey, paymentId: new Uint8Array(8).fill(1) });
  folder = mkdtempSync(join(tmpdir(), 'nightjar-openalias-'));
  const files = certificateFiles(folder, 'dns.example');
  dns = createServer({ key: files.key, cert: files.cert }, (request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'https://dns.example');
    asked.push(`${request.headers.accept} ${pathname} ${searchParams.get('type')} ${searchParams.get('do')}`);
    const answer = answers.get(searchParams.get('name') ?? '') ?? { Status: 3, AD: true };
    response.setHeader('Content-Type', 'application/dns-json');
    response.end(typeof answer === 'string' ? answer : stringifyJson(answer as never));
  });
  dns.listen(0, '127.0.0.1');
  await once(dns, 'listening');
  // The one way to it: whoever asked the system for dns.example would not find it.
  proxy = await startSocksProxy({ 'dns.example': (dns.address() as AddressInfo).port });
  nightjar = await startWalletService(
    [
      '--wallet-dir',
      join(folder, 'wallets'),
      '--disable-rpc-login',
      '--dns-resolver',
      'https://dns.example/dns-query',
      '--proxy',
      `127.0.0.1:${proxy.port}`,
      '--daemon-address',
      'nowhere.onion:18081',
    ],
    { env: { NODE_EXTRA_CA_CERTS: files.certificateFile } },
  );
  await callOver(nightjar.url, 'create_wallet', { filename: 'one', language: 'English' });
});
afterAll(async () => {
  await nightjar?.kill();
  await proxy?.stop();
  dns?.closeAllConnections();
  dns?.close();
  rmSync(folder, { recursive: true, force: true });
});

const record = (address: string) => ({ type: 16, data: `"oa1:xmr recipient_address=${address}; recipient_name=Somebody;"` });
const verified = (...Answer: unknown[]) => ({ Status: 0, AD: true, Answer });
const validate = (address: string, more: Record<string, unknown> = {}) =>
  callOver(nightjar.url, 'validate_address', { address, allow_openalias: true, ...more });
const add = (address: string) => callOver(nightjar.url, 'add_address_book', { address });

const verify = (address: string) => callOver(nightjar.url, 'verify', { data: 'x', address, signature: 'SigV2' });
const none = (name: string) => `WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: ${name}`;

const INVALID = { valid: false, integrated: false, subaddress: false, nettype: '', openalias_address: '' };

describe('OpenAlias over a DNS service with TLS', () => {
  it('finds the address of a name', async () => {
    answers.set('donate.example.org', verified(record(mainnet)));
    const found = { valid: true, integrated: false, subaddress: false, nettype: 'mainnet', openalias_address: mainnet };
    expect(await validate('donate@example.org')).toEqual(found);
    expect(asked.at(-1)).toBe('application/dns-json /dns-query TXT true');
    expect(await add('donate@example.org')).toEqual({ index: '0' });
    const book = await callOver(nightjar.url, 'get_address_book', { entries: [0] });
    expect(book).toMatchObject({ entries: [{ address: mainnet }] });
    // Nobody is asked unless it is wanted, nor for what is an address.
    const before = asked.length;
    expect(await validate('donate@example.org', { allow_openalias: false })).toEqual(INVALID);
    expect(await validate(mainnet)).toMatchObject({ valid: true, openalias_address: '' });
    expect(asked.length).toBe(before);
  });

  it('takes the first of several addresses, and any kind of them', async () => {
    answers.set('many.example.org', verified({ type: 5, data: 'x.' }, record(subaddress), record(mainnet)));
    expect(await validate('many.example.org')).toMatchObject({ subaddress: true, openalias_address: subaddress });
    answers.set('shop.example.org', verified(record(integrated)));
    expect(await validate('shop.example.org')).toMatchObject({ integrated: true, openalias_address: integrated });
  });

  it('does not pay across networks', async () => {
    answers.set('stage.example.org', verified(record(stagenet)));
    expect(await validate('stage.example.org')).toEqual(INVALID);
    expect(await validate('stage.example.org', { any_net_type: true })).toMatchObject({ valid: true, nettype: 'stagenet' });
    expect(await add('stage.example.org')).toEqual({
      code: '-2',
      message: 'WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: stage.example.org',
    });
  });

  it.each([
    ['not verified', () => ({ Status: 0, AD: false, Answer: [record(mainnet)] }), 'Invalid DNSSEC for bad.example.org'],
    ['no JSON', () => 'oa1:xmr', ''],
    ['of another form', () => verified('text'), ''],
    ['huge', () => `"${'x'.repeat(100_000)}"`, ''],
    ['of a name that is not there', () => ({ Status: 3, AD: true }), ''],
    ['of a name that is not there, and not verified', () => ({ Status: 3, AD: false }), ''],
    ['of a mistyped address', () => verified(record(mainnet.replace(/.$/, '1'))), ''],
  ])('an answer that is %s pays nobody', async (_what, answer, message) => {
    answers.set('bad.example.org', answer());
    expect(await validate('bad.example.org')).toEqual(INVALID);
    expect(await add('bad.example.org')).toEqual({ code: '-2', message: message || none('bad.example.org') });
    expect(await verify('bad.example.org')).toEqual({ code: '-2', message });
  });

  it('a mistyped address is no name, with or without a point in it', async () => {
    for (const address of [mainnet.replace(/.$/, '1'), 'nobody', 'nobody.', '']) {
      expect(await add(address)).toEqual({ code: '-2', message: none(address) });
      expect(await verify(address)).toEqual({ code: '-2', message: '' });
    }
  });
});
