import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { behaviours } from '../test/storage/contract.ts';
import { expect, test } from './support/wallet.ts';

// The behaviours that every journal store has, on this browser's IndexedDB and Web Locks.

let script = '';

test.beforeAll(async () => {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: {
        entry: fileURLToPath(new URL('./support/storage-harness.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'harness',
      },
    },
  });
  const [result] = Array.isArray(output) ? output : [output];
  if (!result || !('output' in result)) throw new Error('expected a bundle');
  script = result.output[0].code;
});

for (const [index, { name }] of behaviours.entries()) {
  test(`IndexedDB ${name}`, async ({ page }) => {
    await page.route('**/storage-harness.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
    await page.goto('/');
    const problem = await page.evaluate(async (at) => {
      const path = '/storage-harness.js';
      const harness = (await import(path)) as typeof import('./support/storage-harness.ts');
      return harness.run(at);
    }, index);
    expect(problem).toBe('');
  });
}
