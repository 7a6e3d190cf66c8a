import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FILES } from './scripts/suites.mjs';
import { texts } from './scripts/texts.ts';

/** They take long for their size: none of them is to begin when the others are done. */
const LONG_FILES =
  /(soak|native-wallet|rpc-(client|files|fuzz|kill|process|start)|multisig-(files|keys|nonces)|exchange-(cold|keys)|api-examples|daemon-client|device-day|devnet-calls)\.test\.ts$/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG_FILES.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Not among the packages, which copies of the checkout share (`npm run mutants`): two runs that begin at once would move theirs to one place. */
const CACHE = '.cache/vite';

/** For the page's managers, whose state is runes. */
const plugins = [svelte(), texts({ whole: true })];

const unit = {
  environment: 'node',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
};

// Unit tests are pure and quick: files of `unit` share a process, those of `unit-apart` have one each. `integration` drives
// monerod, monero-wallet-rpc and the devnet, six files at a time, which wait for each other's programs about half of the time.
export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      { cacheDir: CACHE, plugins, test: { ...unit, ...FILES.unit, name: 'unit', isolate: false } },
      { cacheDir: CACHE, plugins, test: { ...unit, ...FILES['unit-apart'], name: 'unit-apart' } },
      {
        cacheDir: CACHE,
        test: {
          ...FILES.integration,
          name: 'integration',
          environment: 'node',
          testTimeout: 600_000,
          hookTimeout: 300_000,
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
