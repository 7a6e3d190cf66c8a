import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const shots = process.env.SCREENSHOTS !== undefined;
/** Chromium without windows, which asks a tenth to a fifth less of the processor; the whole of it where there is none. */
const SHELL = '/usr/bin/chromium-headless-shell';
const browser = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');

/** Tests tagged so in their names are run on a wide screen, too. */
const wide = { name: 'wide', grep: /@wide/, use: { viewport: { width: 1440, height: 900 } } };

/** A real browser on the built page, served by the command line over its own test chain: `npm run build`, then this. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: shots ? '*.shots.ts' : '*.spec.ts',
  // The wide screen's, which are long, come first, so that no worker is alone with one at the end.
  projects: [...(shots ? [] : [wide]), { name: 'phone' }],
  outputDir: 'test-results/browser',
  globalSetup: './e2e/support/serve.ts',
  // A file's tests are independent of each other: no worker has a long file for itself at the end.
  fullyParallel: !shots,
  workers: 4,
  retries: 0,
  // Guards against hanging, wide enough for a machine of two slow processors; what is awaited is an event.
  timeout: 600_000,
  expect: { timeout: 40_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME === undefined ? [['list']] : [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    actionTimeout: 120_000,
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: browser,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
