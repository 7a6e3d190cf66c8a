/**
 * Biome on wasm/. It cannot parse AssemblyScript only because of the decorators: they are turned into comments and back.
 *
 *   node scripts/kernel-style.mjs            checks format and lint
 *   node scripts/kernel-style.mjs --write    formats
 *
 * Lines stay in place, so that reported line numbers are correct.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './setup.mjs';

const kernels = join(root, 'wasm');
const built = join(kernels, 'build');
const copy = mkdtempSync(join(tmpdir(), 'nightjar-kernels-'));

const hidden = (source) => source.replace(/^(\s*)@(\w+)$/gm, '$1//@$2');
const shown = (source) => source.replace(/^(\s*)\/\/@(\w+)$/gm, '$1@$2');

/**
 * The project's rules, less three: `==` of AssemblyScript compares numbers by value, its literals have 64 bits, and the order of imports determines
 * the order of a kernel's data and functions.
 */
function settings() {
  const { $schema, formatter, javascript, linter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const { rules } = linter;
  const suspicious = { ...rules.suspicious, noDoubleEquals: 'off' };
  const correctness = { ...rules.correctness, noPrecisionLoss: 'off' };
  const assist = { actions: { source: { organizeImports: 'off' } } };
  return {
    $schema,
    root: true,
    formatter,
    javascript,
    assist,
    linter: { enabled: true, rules: { ...rules, suspicious, correctness } },
  };
}

cpSync(kernels, join(copy, 'wasm'), { recursive: true, filter: (path) => path !== built && !path.endsWith('.md') });
writeFileSync(join(copy, 'biome.json'), JSON.stringify(settings()));
const files = readdirSync(join(copy, 'wasm'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name));
for (const file of files) writeFileSync(file, hidden(readFileSync(file, 'utf8')));

const write = process.argv.includes('--write') ? ['--write'] : [];
const biome = join(root, 'node_modules', '.bin', 'biome');
const { status } = spawnSync(biome, ['check', '--error-on-warnings', ...write, 'wasm'], { cwd: copy, stdio: 'inherit' });
if (write.length > 0) {
  for (const file of files) {
    const text = shown(readFileSync(file, 'utf8'));
    const original = join(root, relative(copy, file));
    if (text !== readFileSync(original, 'utf8')) writeFileSync(original, text);
  }
}
rmSync(copy, { recursive: true, force: true });
process.exit(status ?? 1);
