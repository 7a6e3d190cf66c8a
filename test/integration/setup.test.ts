import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asObject, asText, parseJson } from '../../src/base/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-setup-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npx nightjar', () => {
  it('does not install through a node_modules that is a symbolic link', () => {
    const [project, target] = [join(folder, 'project'), join(folder, 'target')];
    cpSync('scripts', join(project, 'scripts'), { recursive: true });
    mkdirSync(join(target, 'precious'), { recursive: true });
    symlinkSync(target, join(project, 'node_modules'));
    writeFileSync(join(project, 'package.json'), '{"name":"p","version":"1.0.0"}');
    writeFileSync(
      join(project, 'package-lock.json'),
      '{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"p","version":"1.0.0"}}}',
    );
    const { status, stderr } = spawnSync(process.execPath, [join(project, 'scripts', 'nightjar.mjs'), 'help'], {
      encoding: 'utf8',
    });
    expect(existsSync(join(target, 'precious'))).toBe(true);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^nightjar: node_modules is a symbolic link .*\n$/);
  });

  it('says its help in less than a second of work when nothing is stale', () => {
    const help = () => {
      // The shell's time of the process and of all that it started; a busy machine changes little in it.
      const words = ['-c', 'TIMEFORMAT="work %U"; time "$0" scripts/nightjar.mjs help', process.execPath];
      return spawnSync('bash', words, { encoding: 'utf8' });
    };
    // What is stale is built first.
    help();
    const { stdout, stderr } = help();
    expect(stdout).toMatch(/^Usage: nightjar <command>/);
    expect(Number(/work ([\d.]+)/.exec(stderr)?.[1])).toBeLessThan(1);
  });

  it('comes packed with all that its command line and its doors load, built', () => {
    // What is stale is built first.
    spawnSync(process.execPath, ['scripts/nightjar.mjs', 'help']);
    const packed = spawnSync('npm', ['pack', '--pack-destination', folder], { encoding: 'utf8' });
    spawnSync('tar', ['-xzf', join(folder, packed.stdout.trim()), '-C', folder]);
    const installed = join(folder, 'package');
    symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
    const run = (...words: string[]) => spawnSync(process.execPath, words, { cwd: installed, encoding: 'utf8' });
    expect(run('scripts/nightjar.mjs', 'help').stdout).toMatch(/^Usage: nightjar <command>/);
    const program = `
      for (const door of ['nightjar', 'nightjar/node', 'nightjar/web']) console.log(Object.keys(await import(door)).length > 0);
      const { createWallet, MemoryJournalStore } = await import('nightjar');
      const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
      await (await createWallet({ store, name: 'one', password: '', network: 'regtest' })).close();`;
    expect(run('--input-type=module', '--eval', program)).toMatchObject({ stdout: 'true\ntrue\ntrue\n', stderr: '' });
    const doors = Object.values(asObject(asObject(parseJson(readFileSync(join(installed, 'package.json'), 'utf8'))).exports));
    for (const types of doors.map((door) => asText(asObject(door).types)))
      expect(existsSync(join(installed, types)), types).toBe(true);
  });

  it('is bundled into scripts that run alone, without the parts that are not used', async () => {
    spawnSync(process.execPath, ['scripts/nightjar.mjs', 'help']);
    const project = join(folder, 'bundled');
    mkdirSync(project);
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(resolve('.'), join(project, 'node_modules', 'nightjar'));
    const bundle = async (program: string, outDir: string): Promise<string> => {
      writeFileSync(join(project, 'main.js'), program);
      const rolldownOptions = { input: join(project, 'main.js'), output: { entryFileNames: 'main.mjs' } };
      const quiet = { configFile: false, logLevel: 'silent', root: project } as const;
      await build({ ...quiet, ssr: { noExternal: true }, build: { ssr: true, minify: true, outDir, rolldownOptions } });
      return join(project, outDir, 'main.mjs');
    };
    const amount = await bundle(`import { formatAmount } from 'nightjar'; console.log(formatAmount(1n));`, 'amount');
    expect(spawnSync(process.execPath, [amount], { encoding: 'utf8' }).stdout).toBe('0.000000000001\n');
    expect(readFileSync(amount).length).toBeLessThan(1000);
    const wallet = await bundle(
      `import { createWallet, MemoryJournalStore } from 'nightjar';
      const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
      const wallet = await createWallet({ store, name: 'one', password: '', network: 'regtest' });
      console.log((await wallet.view()).primaryAddress.length);
      await wallet.close();`,
      'wallet',
    );
    expect(spawnSync(process.execPath, [wallet], { encoding: 'utf8' }).stdout).toBe('95\n');
  });
});
