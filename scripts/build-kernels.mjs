/**
 * Compiles wasm/ into wasm/build/: one entry with two field modules, and the standalone modules.
 *
 *   node scripts/build-kernels.mjs            compiles what changed
 *   node scripts/build-kernels.mjs --force    compiles everything
 *
 * A module is recompiled when a source, this script or the compiler's version changed (a hash beside the module records what it was built from).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc, { version } from 'assemblyscript/asc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'wasm');
const out = join(sources, 'build');

const common = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--use', 'abort=', '--disableWarning', '201'];
const modules = [
  { name: 'nightjar-fma', entry: 'index.ts', flags: ['--enable', 'relaxed-simd'] },
  { name: 'nightjar-ext', entry: 'index.ts', flags: [] },
  { name: 'nightjar-cryptonight', entry: 'cryptonight/index.ts', flags: [] },
  { name: 'nightjar-argon2', entry: 'argon2/index.ts', flags: [] },
];

/** Every source file under a folder, sorted. */
function sourceFiles(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (path !== out && entry.name !== 'node_modules') found.push(...sourceFiles(path));
    } else if (entry.name.endsWith('.ts')) found.push(path);
  }
  return found.sort();
}

function fingerprint(flags) {
  const hash = createHash('sha256')
    .update(version)
    .update(flags.join(' '))
    .update(readFileSync(fileURLToPath(import.meta.url)));
  for (const path of sourceFiles(sources)) hash.update(relative(root, path)).update(readFileSync(path));
  return hash.digest('hex');
}

function readIfThere(path) {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : '';
}

async function build({ name, entry, flags }, force) {
  const wasm = join(out, `${name}.wasm`);
  const mark = join(out, `${name}.sha256`);
  const args = [...common, ...flags];
  const print = fingerprint(args);
  if (!force && statSync(wasm, { throwIfNoEntry: false }) && readIfThere(mark) === print) return;
  // Written beside the target, then renamed: a reader never sees half a module.
  const fresh = `${wasm}.${process.pid}`;
  const { error, stderr } = await asc.main([join('wasm', entry), '--baseDir', root, '-o', relative(root, fresh), ...args]);
  if (error) {
    process.stderr.write(stderr.toString());
    throw error;
  }
  renameSync(fresh, wasm);
  writeFileSync(mark, print);
  process.stdout.write(`wasm/build/${name}.wasm  ${statSync(wasm).size} bytes\n`);
}

mkdirSync(out, { recursive: true });
for (const module of modules) await build(module, process.argv.includes('--force'));
