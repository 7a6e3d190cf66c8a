import { chmodSync, cpSync } from 'node:fs';
import { defineConfig } from 'vite';

const kernels = ['nightjar-fma', 'nightjar-ext', 'nightjar-cryptonight', 'nightjar-argon2'];

/**
 * The command line and the library for Node: one bundle each, packages left to node_modules.
 * Kernels are read from `wasm/build`, two folders above the bundles as they are above `src/crypto`.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/node/bin',
    emptyOutDir: true,
    minify: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        cli: 'src/cli/main.ts',
        index: 'src/index.ts',
        node: 'src/node.ts',
        web: 'src/web.ts',
        // In place of the source's .mjs of these names, which load TypeScript.
        thread: 'src/scan/worker-node.ts',
        'hash-thread': 'src/devnet/hash-worker.ts',
      },
      output: {
        entryFileNames: ({ name }) => (name === 'thread' || name === 'hash-thread' ? '[name].mjs' : '[name].js'),
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
  plugins: [
    {
      name: 'kernels-beside-the-bundles',
      closeBundle() {
        chmodSync('dist/node/bin/cli.js', 0o755);
        for (const name of kernels) cpSync(`wasm/build/${name}.wasm`, `dist/wasm/build/${name}.wasm`);
      },
    },
  ],
});
