import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { digestHeader } from '../support/fuzz/digest.ts';
import { framed, RawConnection } from '../support/fuzz/wire.ts';
import { startWalletRpc } from '../support/programs.ts';

const PATIENCE = 20_000;
const REQUEST = Buffer.from('{"id":1,"method":"get_version"}');
const NAMES = ['ours', 'theirs'] as const;

interface Service {
  readonly port: number;
  stop(): Promise<void>;
}

let folder: string;
let services: Readonly<Record<(typeof NAMES)[number], Service>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-login-'));
  const flags = ['--rpc-bind-port', '0', '--offline', '--wallet-dir', folder, '--rpc-login', 'user:pass'];
  const ours = await startService(readSettings(readFlags('wallet-rpc', FLAGS, flags)));
  services = { ours, theirs: await startWalletRpc({ login: 'user:pass' }) };
});

afterAll(async () => {
  await services?.ours.stop();
  await services?.theirs.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Statuses of answers to one challenge, in turn on one connection. */
async function statuses(port: number, answers: readonly ((challenge: string) => string)[]): Promise<number[]> {
  const line = await RawConnection.open(port);
  const ask = async (headers: readonly string[]) => {
    await line.send(framed(REQUEST, headers));
    return (await line.replies(1, PATIENCE)).replies[0] ?? { status: 0, headers: '' };
  };
  try {
    const { headers: challenge } = await ask([]);
    const found: number[] = [];
    for (const answer of answers) found.push((await ask([`Authorization: ${answer(challenge)}`])).status);
    return found;
  } finally {
    line.reset();
  }
}

const login = (count: number, uri?: string) => (challenge: string) => digestHeader(challenge, 'user', 'pass', count, uri);

describe('both programs let in', () => {
  it.each([
    ['counts from one', [login(1), login(2), login(3)], [200, 200, 200]],
    ['a first count of any number, for clients that count on from one nonce to the next', [login(7), login(2)], [200, 200]],
    ['no count twice', [login(1), login(1)], [200, 401]],
    ['no count left out', [login(1), login(3)], [200, 401]],
    ['any place, for a proxy may have another', [login(1, '/wallet/json_rpc'), login(2, 'http://a.example/')], [200, 200]],
    [
      'the protection’s name in any case',
      [(challenge: string) => digestHeader(challenge, 'user', 'pass', 1, '/json_rpc', 'AUTH'), login(2)],
      [200, 200],
    ],
    [
      'no realm, which is part of what is hashed',
      [(challenge: string) => digestHeader(challenge, 'user', 'pass').replace(/realm="[^"]*", /, ''), login(2)],
      [200, 200],
    ],
    ['no other realm', [(challenge: string) => digestHeader(challenge.replaceAll('monero-rpc', 'other'), 'user', 'pass')], [401]],
    ['no other name', [(challenge: string) => digestHeader(challenge, 'other', 'pass')], [401]],
    ['no other password', [(challenge: string) => digestHeader(challenge, 'user', 'other')], [401]],
  ])('%s', async (_, answers, expected) => {
    for (const name of NAMES) expect(await statuses(services[name].port, answers), name).toEqual(expected);
  });
});
