// Setup shared by `npm start` and `npm test`: what must be on the machine before our code can run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Held by any process that changes node_modules or build outputs. */
const SETTING_UP = join(root, '.cache', 'setting-up');

/** Does some work while no other process installs or builds in this folder. */
export const aloneHere = (work) =>
  alone(SETTING_UP, work, () => console.error('nightjar: waits for another process that sets up this folder'));

/** Runs a command in the project's folder and shows its output; ends this process if it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Like {@link run}, but in the background: resolves when it has succeeded. */
export function runBeside(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${command} could not be started: ${error.message}`));
    child.on('exit', (status) => (status === 0 ? resolve() : process.exit(status ?? 1)));
  });
}

/** Ends this process with one line that says what is missing. */
export function fail(line) {
  console.error(`nightjar: ${line}`);
  process.exit(1);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node 20.19 or newer is needed, this is ${process.versions.node}`);
}

/**
 * Packages of the lockfile that this platform installs without a hash of their content there: builds of development tools for other platforms than
 * the one on which the lockfile was made (T14).
 */
export function unhashedFor(packages, machine) {
  const fits = (wanted, own) => wanted === undefined || own === undefined || wanted.includes(own);
  return Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    .filter(([, { os, cpu, libc }]) => fits(os, machine.os) && fits(cpu, machine.cpu) && fits(libc, machine.libc))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

function warnOfUnhashed() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { platform: os, arch: cpu } = process;
  const libc = os !== 'linux' ? undefined : process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const names = unhashedFor(packages, { os, cpu, libc });
  if (names.length > 0)
    console.error(`nightjar: package-lock.json has no hash to hold these against, made for ${os} on ${cpu}: ${names.join(', ')}`);
}

function hasPackages() {
  const marker = join(root, 'node_modules', '.package-lock.json');
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** `npm ci` if node_modules is missing or older than the lockfile. */
export async function installPackages() {
  if (!hasPackages()) await aloneHere(() => hasPackages() || install());
}

/** `npm ci` empties the folder first: through a link, that would be another project's. */
function install() {
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail('node_modules is a symbolic link and older than package-lock.json: remove the link, or run npm ci where it leads');
  warnOfUnhashed();
  console.error('nightjar: installs what package-lock.json lists, a minute or two the first time');
  run('npm', ['ci', '--no-audit', '--no-fund']);
}

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function isDebianRoot() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8')) && has('apt-get');
}

/** Programs that `npm test` uses, and the Debian packages that contain them. */
const TESTED = [
  { program: 'monerod', pkg: 'monero' },
  { program: 'monero-wallet-rpc', pkg: 'monero' },
  { program: 'chromium', pkg: 'chromium' },
  { program: 'strace', pkg: 'strace' },
];

/** Headless Chromium: it runs the tests of the page faster; without it they use the full browser. */
const SHELL = 'chromium-headless-shell';

/** Programs that `npm run test:engines` uses. */
export const ENGINES = [
  { program: 'firefox-esr', pkg: 'firefox-esr' },
  { program: 'WebKitWebDriver', pkg: 'webkit2gtk-driver' },
  { program: 'xvfb-run', pkg: 'xvfb' },
];

const ENV = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
const INSTALL = ['install', '-y', '-q', '--no-install-recommends'];

/** The real programs that tests use: installed on Debian if run as root, otherwise listed in one line. */
export function installPrograms(wanted = TESTED) {
  const missing = [...new Set(wanted.filter(({ program }) => !has(program)).map(({ pkg }) => pkg))];
  if (missing.length === 0) return;
  if (!isDebianRoot()) fail(`the tests need ${missing.join(' and ')}: on Debian, apt-get install ${missing.join(' ')}`);
  run('apt-get', ['update', '-q'], { env: ENV });
  run('apt-get', [...INSTALL, ...missing], { env: ENV });
}

/** Installs {@link SHELL} if this release of Debian is known to have it. */
export function installShell() {
  if (has(SHELL) || !isDebianRoot() || spawnSync('apt-cache', ['show', SHELL]).status !== 0) return;
  spawnSync('apt-get', [...INSTALL, SHELL], { stdio: 'inherit', env: ENV });
}
