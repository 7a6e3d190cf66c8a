import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FLAGS } from '../../src/cli/devnet/flags.ts';
import { readSettings } from '../../src/cli/devnet/settings.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { findReference } from '../support/child.ts';
import { type Nightjar, startNightjar } from '../support/nightjar.ts';
import { startMonerod } from '../support/programs.ts';
import { callPath, callRpc } from '../support/rpc.ts';

const ADDRESS = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';
const DOCS = readFileSync(new URL('../../docs/devnet.md', import.meta.url), 'utf8');

const running: Nightjar[] = [];
let folder: string;
beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-flags-'));
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = (...args: string[]) => readSettings(readFlags('devnet', FLAGS, args));

async function devnet(...args: string[]): Promise<Nightjar & { readonly url: string }> {
  const started = startNightjar(['devnet', '--rpc-bind-port', '0', '--block-time', '0', '--empty', ...args]);
  running.push(started);
  const [, url] = await started.line(/(http:\/\/127\.0\.0\.1:\d+)$/);
  return { ...started, url: url! };
}

/** Of the certificate that is shown there. */
const fingerprintAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });

const generate = (url: string, blocks: number, more = {}) =>
  callRpc<{ blocks: string[] }>(url, 'generateblocks', { amount_of_blocks: blocks, wallet_address: ADDRESS, ...more });

describe("monerod's flags", () => {
  /** Name, and whether it takes a value. */
  const theirs = execFileSync(findReference('monerod'), ['--help'], { encoding: 'utf8', env: { HOME: tmpdir() } })
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^ {2}--([a-z0-9-]+)( arg)?/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, takesValue: value !== undefined }];
    });

  it('are all known, each with a value or without as there', () => {
    expect(theirs.length).toBeGreaterThan(110);
    for (const { name, takesValue } of theirs.filter(({ name }) => name !== 'help'))
      expect({ name, takesValue: FLAGS[name] && FLAGS[name].value !== undefined }).toEqual({ name, takesValue });
  });

  it('do what they say, are refused by name, or stand in the docs as without effect', () => {
    for (const { name, takesValue } of theirs) {
      const text = FLAGS[name]?.text ?? '';
      const given = takesValue ? [`--${name}=1`] : [`--${name}`];
      if (text.startsWith('not supported')) {
        expect(() => settings(...given), name).toThrow(`--${name} is not supported`);
        expect(DOCS, name).toContain(`--${name}`);
      } else if (text.startsWith('no effect')) {
        expect(settings(...given), name).toEqual(settings());
        expect(DOCS, name).toContain(`--${name}`);
      }
    }
  });

  it('want an address that others can reach confirmed', () => {
    for (const flag of ['rpc-bind-ip', 'rpc-restricted-bind-ip']) {
      expect(() => settings(`--${flag}`, '0.0.0.0')).toThrow(
        `--${flag} permits inbound unencrypted external connections. Consider SSH tunnel or SSL proxy instead. Override with --confirm-external-bind`,
      );
      expect(settings(`--${flag}`, '0.0.0.0', '--confirm-external-bind').isExternal).toBe(true);
    }
    expect(() => settings('--rpc-bind-ip', 'elsewhere')).toThrow('Invalid IP address given for --rpc-bind-ip');
    expect(settings('--rpc-bind-ip', '127.0.0.2').isExternal).toBe(false);
    expect(() => settings('--rpc-use-ipv6', '--rpc-bind-ipv6-address', '::')).toThrow('--rpc-bind-ipv6-address permits');
  });

  it('name what does not go together', () => {
    expect(() => settings('--testnet', '--stagenet')).toThrow(/more than one of --testnet and --stagenet/);
    expect(() => settings('--testnet', '--network', 'stagenet')).toThrow(/more than one/);
    expect(() => settings('--network', 'mainnet')).toThrow(/--network wants one of regtest, testnet, stagenet/);
    expect(() => settings('--port', '1', '--rpc-bind-port', '2')).toThrow(/the same/);
    expect(() => settings('--offline', '--follow', '127.0.0.1:1')).toThrow(/--offline follows nobody/);
    expect(() => settings('--follow', 'http://')).toThrow(/--follow wants an address/);
    expect(() => settings('--start-mining', 'x')).toThrow(/--start-mining: expected an address/);
    expect(() => settings('--block-notify', join(folder, 'none %s'))).toThrow(/--block-notify: file not found/);
    expect(() => settings('--rpc-max-connections', '5', '--rpc-max-connections-per-public-ip', '6')).toThrow(/bigger than/);
    expect(() => settings('--rpc-ssl', 'perhaps')).toThrow(/--rpc-ssl wants enabled, disabled, autodetect/);
    expect(() => settings('--rpc-ssl-private-key', 'key.pem')).toThrow(/either both given or both empty/);
  });

  it('have the ports of their network', () => {
    expect([settings().port, settings('--testnet').port, settings('--stagenet').port]).toEqual([18_081, 28_081, 38_081]);
    expect([settings().difficulty, settings('--testnet').difficulty]).toEqual([1n, 'adjusted']);
    expect(settings('--fixed-difficulty', '0').difficulty).toBe('adjusted');
    expect(settings('--follow', '127.0.0.1:1', '--follow', '127.0.0.1:2').neighbours.map(({ name }) => name)).toEqual([
      '127.0.0.1:1',
      '127.0.0.1:2',
    ]);
  });
});

describe('a devnet with them', () => {
  it('runs programs for blocks and reorganisations, with their numbers', async () => {
    const told = join(folder, 'told');
    const script = join(folder, 'notify.sh');
    writeFileSync(script, `#!/bin/sh\necho "$@" >> ${told}\n`);
    chmodSync(script, 0o755);
    const { url } = await devnet('--block-notify', `${script} block %s`, '--reorg-notify', `${script} split %s %h %n %d`);
    const { blocks } = await generate(url, 4);
    await generate(url, 4, { prev_block: blocks[1] });
    const lines = () => readFileSync(told, { encoding: 'utf8', flag: 'a+' }).trim().split('\n');
    // Programs are not waited for: ask until the last has written.
    while (lines().length < 4 + 3 + 1 + 1) await callPath(url, 'get_height', {});
    expect(lines().filter((one) => one.startsWith('split'))).toEqual(['split 3 6 3 2']);
    for (const id of blocks) expect(lines()).toContain(`block ${id}`);
  });

  it('speaks TLS and plain HTTP on one port, and writes a log', async () => {
    const log = join(folder, 'devnet.log');
    const { url } = await devnet('--log-level', '1', '--log-file', log);
    const { port } = new URL(url);
    const body = await new Promise<string>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: '/get_height', rejectUnauthorized: false }, (answer) => {
        answer.setEncoding('utf8').on('data', (text: string) => resolve(text));
      });
      asked.on('error', reject).end();
    });
    expect(body).toContain('"status":"OK"');
    expect(await callPath(url, 'get_height', {})).toMatchObject({ height: 1 });
    expect(readFileSync(log, 'utf8')).toContain('calling /get_height');
    await callPath(url, 'set_log_categories', { categories: 'daemon.rpc:FATAL' });
    const before = readFileSync(log, 'utf8').length;
    await callPath(url, 'get_height', {});
    expect(readFileSync(log, 'utf8').length).toBe(before);
  });

  it('keeps the certificate that it made, of the open port alone', async () => {
    const dataDir = join(folder, 'certificate');
    const fingerprints = async () => {
      const args = ['--rpc-ssl', 'enabled', '--rpc-bind-port', '0', '--rpc-restricted-bind-port', '0'];
      const { line, kill } = startNightjar(['devnet', '--block-time', '0', '--empty', '--data-dir', dataDir, ...args]);
      const ports = [await line(/blocks?: http:.*:(\d+)$/), await line(/Restricted: http:.*:(\d+)$/)].map(([, port]) =>
        Number(port),
      );
      const found = await Promise.all(ports.map(fingerprintAt));
      await kill();
      return found;
    };
    const [first, again] = [await fingerprints(), await fingerprints()];
    expect(again[0]).toBe(first[0]);
    expect(first[1]).not.toBe(first[0]);
    expect(again[1]).not.toBe(first[1]);
    expect(statSync(join(dataDir, 'rpc_ssl.key')).mode & 0o777).toBe(0o400);
    rmSync(join(dataDir, 'rpc_ssl.key'));
    const half = startNightjar(['devnet', '--rpc-bind-port', '0', '--empty', '--data-dir', dataDir]);
    expect(await half.ended).toBe(1);
    expect(half.lines.join('\n')).toContain(`both exist or both not exist at path: ${join(dataDir, 'rpc_ssl')}`);
  });

  it('looks like testnet where it is told to', async () => {
    const { url } = await devnet('--testnet');
    expect(await callRpc(url, 'get_info', {})).toMatchObject({
      nettype: 'testnet',
      testnet: true,
      stagenet: false,
      top_block_hash: '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b',
    });
    await expect(generate(url, 1)).rejects.toMatchObject({ code: -13 });
  });

  it.each([
    '--limit-rate 77 --limit-rate-up 50',
    '--limit-rate -1 --limit-rate-down 9',
    '--limit-rate 77 --limit-rate-up 8192 --limit-rate-down -1',
    '--limit-rate=0 --limit-rate-up=50',
  ])('takes %s as monerod does', async (line) => {
    const args = line.split(' ');
    const monerod = await startMonerod({ extraArgs: args });
    try {
      const { url } = await devnet(...args);
      expect(await callPath(url, 'get_limit', {})).toEqual(await monerod.path('get_limit'));
    } finally {
      await monerod.stop();
    }
  });

  it('follows another, mines from the start, and tells what it was set to', async () => {
    const first = await devnet('--limit-rate', '77', '--in-peers', '3', '--out-peers', '4', '--prune-blockchain');
    const second = await devnet('--follow', first.url, '--hash-rate', '20', '--start-mining', ADDRESS, '--mining-threads', '2');
    expect(await callPath(second.url, 'mining_status', {})).toMatchObject({ active: true, threads_count: 2, address: ADDRESS });
    const height = async () => Number((await callPath<{ height: number }>(first.url, 'get_height', {})).height);
    while ((await height()) < 4) await callRpc(second.url, 'get_info', {});
    expect(await callRpc(second.url, 'get_info', {})).toMatchObject({ offline: false });
    expect(await callPath(first.url, 'get_limit', {})).toMatchObject({ limit_up: 77, limit_down: 77 });
    expect(await callPath(first.url, 'in_peers', { set: false })).toMatchObject({ in_peers: 3 });
    expect(await callPath(first.url, 'out_peers', { set: false })).toMatchObject({ out_peers: 4 });
    expect(await callRpc(first.url, 'prune_blockchain', { check: true })).toMatchObject({ pruned: true });
  });
});
