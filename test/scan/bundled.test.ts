import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'nightjar-bundled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a pool of threads that was bundled without them says so, and starts nothing that would be waited for', async () => {
  const rolldownOptions = { input: join(import.meta.dirname, '../../src/scan/pool-node.ts') };
  await build({ configFile: false, logLevel: 'silent', build: { ssr: true, outDir: folder, rolldownOptions } });
  const { createNodeScanPool } = await import(pathToFileURL(join(folder, 'pool-node.js')).href);
  expect(() => createNodeScanPool(1)).toThrow(
    expect.objectContaining({ name: 'ScanError', code: 'no-thread', message: expect.stringContaining('--packages=external') }),
  );
});
