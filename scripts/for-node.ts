import type { UserConfig } from 'vite';

/** Shared settings of the two builds for Node, library and command line. */
export const forNode: UserConfig = {
  publicDir: false,
  // A twentieth of this package is used. The whole of it would be as large as one of our bundles.
  ssr: { noExternal: ['valibot'] },
  build: { ssr: true, target: 'node20', emptyOutDir: true, rolldownOptions: { checks: { pluginTimings: false } } },
};
