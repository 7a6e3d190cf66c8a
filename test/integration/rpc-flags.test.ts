import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeFlags, readFlags } from '../../src/cli/flags.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { findReference, type ReferenceRelease } from '../support/child.ts';

interface TheirFlag {
  readonly name: string;
  readonly takesValue: boolean;
}

/** What the help of either release lists. */
function theirFlags(): TheirFlag[] {
  const all = [...flagsOf('0.18.0.0'), ...flagsOf('0.18.5.3')];
  return [...new Map(all.map((flag) => [flag.name, flag])).values()];
}

function flagsOf(release: ReferenceRelease): TheirFlag[] {
  const help = execFileSync(findReference('monero-wallet-rpc', release), ['--help'], { encoding: 'utf8' });
  return [...help.matchAll(/^ {2}--([a-z0-9-]+)( arg)?/gm)].map(([, name, arg]) => ({
    name: name!,
    takesValue: arg !== undefined,
  }));
}

/** Values that are good by themselves. */
const VALUES: Readonly<Record<string, string>> = {
  'daemon-port': '18081',
  'daemon-ssl': 'autodetect',
  'daemon-ssl-allowed-fingerprints': 'ab'.repeat(32),
  'hw-device': 'Ledger',
  'kdf-rounds': '2',
  'max-concurrency': '1',
  'max-log-file-size': '1000000',
  'max-log-files': '3',
  proxy: '127.0.0.1:9050',
  'rpc-bind-ip': '127.0.0.1',
  'rpc-bind-port': '1',
  'rpc-login': 'name:password',
  'rpc-max-connections': '10',
  'rpc-max-connections-per-private-ip': '5',
  'rpc-max-connections-per-public-ip': '5',
  'rpc-ssl': 'autodetect',
  'rpc-ssl-allowed-fingerprints': 'ab'.repeat(32),
};

/** Flags that another one has to go with. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  proxy: ['--daemon-ssl-allow-any-cert'],
  'daemon-ssl-private-key': ['--daemon-ssl-certificate', 'x'],
  'daemon-ssl-certificate': ['--daemon-ssl-private-key', 'x'],
  'rpc-ssl-private-key': ['--rpc-ssl-certificate', 'x'],
  'rpc-ssl-certificate': ['--rpc-ssl-private-key', 'x'],
};

const WALLETS = ['wallet-file', 'wallet-dir', 'generate-from-json'];

function settingsWith({ name, takesValue }: TheirFlag) {
  const given = [`--${name}`, ...(takesValue ? [VALUES[name] ?? 'x'] : []), ...(COMPANIONS[name] ?? [])];
  const wallet = WALLETS.includes(name) ? [] : ['--wallet-file', 'w'];
  const port = name === 'rpc-bind-port' ? [] : ['--rpc-bind-port', '1'];
  return readSettings(readFlags('wallet-rpc', FLAGS, [...port, ...wallet, ...given]));
}

describe("monero-wallet-rpc's flags", () => {
  it('are all known: honoured, said to be without effect, or refused by name with a reason', () => {
    const flags = theirFlags();
    expect(flags.length).toBeGreaterThan(60);
    const refused: string[] = [];
    for (const flag of flags.filter(({ name }) => name !== 'help')) {
      const ours = FLAGS[flag.name];
      expect(ours, flag.name).toBeDefined();
      expect(ours?.value !== undefined, `${flag.name} takes a value`).toBe(flag.takesValue);
      if (ours?.text.startsWith('not supported')) {
        expect(() => settingsWith(flag)).toThrow(new RegExp(`^--${flag.name} is not supported: \\w`));
        refused.push(flag.name);
      } else {
        expect(ours?.text, flag.name).toMatch(/^(?!no effect$)./);
        expect(() => settingsWith(flag), flag.name).not.toThrow();
      }
    }
    expect(refused).toEqual(['hw-device-deriv-path', 'rpc-client-secret-key']);
  });

  it('are in our help, each on its line with what it does', () => {
    const help = describeFlags(FLAGS);
    for (const { name } of theirFlags()) {
      if (name !== 'help') expect(help).toMatch(new RegExp(`^ {2}--${name}( <\\S+>)? +\\S`, 'm'));
    }
  });
});
