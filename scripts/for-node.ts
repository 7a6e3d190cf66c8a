import type { UserConfig } from 'vite';

/** What the two builds for Node, library and command line, have in common. */
export const forNode: UserConfig = {
  publicDir: false,
  // Of this package a twentieth is used. Whole, its text alone would take what a bundle of ours does.
  ssr: { noExternal: ['valibot'] },
  build: { ssr: true, target: 'node20', emptyOutDir: true, rolldownOptions: { checks: { pluginTimings: false } } },
};
