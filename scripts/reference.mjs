// The reference programs of a newer Debian suite, unpacked into a separate cache: nothing on the system changes.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from './setup.mjs';

/** The releases that tests can use, each with the Debian suite that has it today. */
const SUITES = { '0.18.4.0': 'trixie', '0.18.5.3': 'forky' };

/** The release that determines behaviour and file formats. */
export const NEWEST_REFERENCE = '0.18.5.3';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Folder of a release: `bin/monerod`, `bin/monero-wallet-rpc` and the others. Outside the tree, so that clones share it. */
export function referenceFolder(release = NEWEST_REFERENCE) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'nightjar', 'reference', release);
}

/** Downloads a release into the cache if it is missing; ends this process with a one-line message if it cannot be had. */
export function installReference(release = NEWEST_REFERENCE) {
  const folder = referenceFolder(release);
  if (existsSync(join(folder, 'bin', 'monerod'))) return;
  const suite = SUITES[release];
  for (const program of ['apt-get', 'dpkg']) {
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) {
      fail(
        `the tests need monerod and monero-wallet-rpc ${release} in ${join(folder, 'bin')}: ${program}, which fetches them, is not here`,
      );
    }
  }
  mkdirSync(join(folder, '..'), { recursive: true });
  const fresh = mkdtempSync(`${folder}.`);
  // Also if this process ends here with its own message.
  process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));
  console.log(`fetching the reference programs ${release} from Debian's ${suite}`);
  download(suite, fresh);
  wrapPrograms(fresh);
  expectRelease(release, suite, fresh);
  place(fresh, folder);
}

/** Runs apt with separate lists and packages, and unpacks the download. */
function download(suite, folder) {
  for (const part of ['apt/lists/partial', 'apt/parts', 'apt/cache/archives/partial', 'root', 'bin']) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  writeFileSync(join(folder, 'apt/status'), '');
  const source = ['Types: deb', `URIs: ${debianMirror()}`, `Suites: ${suite}`, 'Components: main', `Signed-By: ${KEYRING}`, ''];
  writeFileSync(join(folder, 'apt/parts/suite.sources'), source.join('\n'));
  const options = {
    'Dir::Etc::SourceParts': join(folder, 'apt/parts'),
    'Dir::Etc::SourceList': '/dev/null',
    'Dir::State::Lists': join(folder, 'apt/lists'),
    'Dir::State::status': join(folder, 'apt/status'),
    'Dir::Cache': join(folder, 'apt/cache'),
    'APT::Sandbox::User': '',
  };
  const apt = (...args) =>
    must('apt-get', [...Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]), '-q', ...args]);
  apt('update');
  apt('-y', '--download-only', '--no-install-recommends', 'install', 'monero');
  const archives = join(folder, 'apt/cache/archives');
  for (const name of readdirSync(archives)) {
    if (name.endsWith('.deb')) must('dpkg', ['-x', join(archives, name), join(folder, 'root')]);
  }
  rmSync(join(folder, 'apt'), { recursive: true });
}

/** The mirror that this system already uses. */
function debianMirror() {
  const named = '/etc/apt/sources.list.d/debian.sources';
  const lines = [named, '/etc/apt/sources.list']
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  for (const line of lines) {
    const found = /^URIs:\s*(\S+)/.exec(line) ?? /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)/.exec(line);
    if (found && !found[1].includes('security')) return found[1];
  }
  return fail(`no Debian mirror is named in ${named} or /etc/apt/sources.list`);
}

/** Programs start with the suite's own loader and libraries, which are newer than this system's. */
function wrapPrograms(fresh) {
  const machine = spawnSync('uname', ['-m'], { encoding: 'utf8' }).stdout.trim();
  const inside = join('root', 'usr', 'lib', `${machine}-linux-gnu`);
  const loader = readdirSync(join(fresh, inside)).find((name) => /^ld-linux.*\.so/.test(name));
  if (loader === undefined) fail(`the fetched packages hold no loader for ${machine}`);
  for (const name of readdirSync(join(fresh, 'root/usr/bin')).filter((one) => one.startsWith('monero'))) {
    const libraries = `$home/${inside}`;
    const script = [
      '#!/bin/sh',
      'home=$(dirname "$(dirname "$(readlink -f "$0")")")',
      `exec "${libraries}/${loader}" --library-path "${libraries}" "$home/root/usr/bin/${name}" "$@"`,
      '',
    ];
    writeFileSync(join(fresh, 'bin', name), script.join('\n'));
    chmodSync(join(fresh, 'bin', name), 0o755);
  }
}

function expectRelease(release, suite, folder) {
  const { stdout } = spawnSync(join(folder, 'bin', 'monerod'), ['--version'], { encoding: 'utf8' });
  const found = /\(v([0-9.]+)/.exec(stdout ?? '')?.[1] ?? 'none that starts';
  if (found !== release)
    fail(`Debian's ${suite} no longer holds monero ${release} but ${found}: name the suite that does in scripts/reference.mjs`);
}

/** Another run may have been faster: its copy is as good. */
function place(fresh, folder) {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'bin', 'monerod'))) throw error;
  }
}

function must(command, args) {
  const { status, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) fail(`${command} failed: ${stderr.trim().split('\n').at(-1)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installReference(process.argv[2]);
