import { defineConfig } from '@playwright/test';

/** A real browser on the built page, served by the command line over its own test chain: `npm run build`, then this. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: process.env.SCREENSHOTS === undefined ? '*.spec.ts' : '*.shots.ts',
  outputDir: 'test-results/browser',
  globalSetup: './e2e/support/serve.ts',
  fullyParallel: false,
  workers: 4,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME === undefined ? [['list']] : [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
