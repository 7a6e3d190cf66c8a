import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { texts } from './scripts/texts.ts';

// Two suites: `unit` is pure and quick; `integration` drives monerod, monero-wallet-rpc and the devnet, four files at a time.
export default defineConfig({
  test: {
    projects: [
      {
        // For the page's managers, whose state is runes.
        plugins: [svelte(), texts({ whole: true })],
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/integration/**'],
          environment: 'node',
          testTimeout: 60_000,
          maxWorkers: 2,
          execArgv: ['--experimental-wasm-relaxed-simd'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          environment: 'node',
          testTimeout: 600_000,
          hookTimeout: 300_000,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          execArgv: ['--experimental-wasm-relaxed-simd'],
        },
      },
    ],
  },
});
