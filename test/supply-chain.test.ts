import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unhashedFor } from '../scripts/setup.mjs';
import { asObject, asText, parseJson } from '../src/base/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Everything a module imports at run time, itself and its own imports included: files of this program, and packages by name. */
function reach(entry: string, later = true): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const open = [join(root, entry)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    if (!path.endsWith('.ts')) continue;
    for (const name of importsOf(readFileSync(path, 'utf8'), later)) {
      if (name.startsWith('node:')) continue; // Types, or what only Node's build reaches.
      if (!name.startsWith('.')) packages.add(name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
      else open.push(fileOf(path, name));
    }
  }
  return { files: new Set([...files].map((path) => path.slice(root.length))), packages };
}

function fileOf(from: string, name: string): string {
  const path = resolve(dirname(from), name.replace(/\?.*$/, ''));
  if (!existsSync(path)) throw new Error(`expected ${name}, imported by ${from}, to be a file`);
  return path;
}

/** Imports that are more than types: at once, and, where asked for, those that come later. */
function* importsOf(source: string, later: boolean): Generator<string> {
  const statements =
    /^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
  for (const [, fixed, dynamic] of source.matchAll(statements)) if (fixed !== undefined || later) yield (fixed ?? dynamic)!;
}

/** Development tools with builds for each platform. Those of other platforms than the lockfile's stand in it without their hash. */
const UNHASHED = ['node_modules/@biomejs/cli', 'node_modules/@oxc-parser/binding', 'node_modules/@rollup/rollup'];

describe('T14 supply chain', () => {
  it('few packages at run time, exact versions, no scripts of packages when installing', () => {
    const manifest = asObject(parseJson(read('package.json')));
    const dependencies = asObject(manifest.dependencies);
    const optional = asObject(manifest.optionalDependencies);
    // What only the page has is bundled into it, and is not installed with the library.
    expect(Object.keys(dependencies)).toEqual(['@noble/ciphers', '@noble/hashes', 'idb', 're2js']);
    // Of the devnet alone, which does without.
    expect(Object.keys(optional)).toEqual(['lmdb', 'zeromq']);
    for (const [name, version] of Object.entries({ ...dependencies, ...optional, ...asObject(manifest.devDependencies) }))
      expect(asText(version), name).toMatch(/^(npm:typescript@)?\d+\.\d+\.\d+$/);
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    const lock = asObject(asObject(parseJson(read('package-lock.json'))).packages);
    const unhashed: string[] = [];
    for (const [path, entry] of Object.entries(lock)) {
      if (path === '') continue;
      const { integrity, optional, dev, cpu } = asObject(entry);
      if (integrity !== undefined) expect(asText(integrity), path).toMatch(/^sha512-/);
      else
        unhashed.push(
          optional === true && dev === true && cpu !== undefined
            ? path.replace(/-(?:android|darwin|freebsd|linux|openbsd|openharmony|win32)-.*/, '')
            : path,
        );
    }
    // Builds of development tools for platforms that the lockfile was not made on: no more than these.
    expect([...new Set(unhashed)].sort()).toEqual(UNHASHED);
    expect(unhashed.length).toBeLessThanOrEqual(53);
  });

  it('tells who installs packages that no hash is held against', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    expect(unhashedFor(packages, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toEqual([]);
    const others = unhashedFor(packages, { os: 'darwin', cpu: 'arm64', libc: undefined });
    expect(others).toContain('@rollup/rollup-darwin-arm64');
    expect(others.filter((name) => !name.includes('darwin-arm64') && !name.includes('darwin-universal'))).toEqual([]);
  });

  it('the worker that holds the keys imports what it needs of the core and four packages, nothing of the page', () => {
    const { files, packages } = reach('workers/wallet.worker.ts', false);
    expect(files.size).toBeGreaterThan(80);
    expect(
      [...files].filter((file) => !/^(workers|src\/(base|crypto|protocol|scan|wallet2|daemon|wallet|storage))\//.test(file)),
    ).toEqual([]);
    const needed = ['@noble/ciphers', '@noble/hashes', 'comlink', 'idb'];
    expect([...packages].filter((name) => !needed.includes(name))).toEqual([]);
    expect(packages).toContain('comlink');
    // When somebody opens the console the wallet service: its own room, the schemas' package, and the one of patterns. When a Ledger is used, its room.
    const all = reach('workers/wallet.worker.ts');
    const laterFiles = [...all.files].filter((file) => !files.has(file));
    expect(laterFiles).toContain('workers/rpc.ts');
    expect(
      laterFiles.filter(
        (file) => !/^(workers|src\/(rpc|device|base|protocol|scan|wallet2|wallet|daemon|storage|crypto))\//.test(file),
      ),
    ).toEqual([]);
    expect([...all.packages].filter((name) => !packages.has(name))).toEqual(['valibot', 're2js']);
  });

  it('a scan worker, which holds the view key, imports the kernels and hashes', () => {
    const { files, packages } = reach('workers/scan.worker.ts');
    expect([...files].filter((file) => !/^(workers\/scan|src\/(base|crypto|protocol|scan))/.test(file))).toEqual([]);
    expect([...packages].filter((name) => name !== '@noble/hashes')).toEqual([]);
  });

  it('a worker that hashes a password imports its kernel, and no package', () => {
    const { files, packages } = reach('workers/password.worker.ts');
    expect([...files].filter((file) => !/^(workers\/(password|trusted)|src\/(base|crypto))/.test(file))).toEqual([]);
    expect([...packages]).toEqual([]);
  });
});
