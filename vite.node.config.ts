import { chmodSync, cpSync } from 'node:fs';
import { mergeConfig, type UserConfig } from 'vite';
import { forNode } from './scripts/for-node.ts';

const kernels = ['nightjar-fma', 'nightjar-ext', 'nightjar-cryptonight', 'nightjar-argon2'];

const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The command line: one bundle, packages left to node_modules.
 * Kernels are read from `wasm/build`, two folders above the bundles as they are above `src/crypto`.
 */
export default mergeConfig(forNode, {
  build: {
    outDir: 'dist/node/bin',
    minify: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        cli: 'src/cli/main.ts',
        // In place of the source's .mjs of these names, which load TypeScript.
        thread: 'src/scan/worker-node.ts',
        'hash-thread': 'src/devnet/hash-worker.ts',
        'password-thread': 'src/storage/password-worker-node.ts',
      },
      output: {
        entryFileNames: ({ name }) => (name.endsWith('thread') ? '[name].mjs' : '[name].js'),
        chunkFileNames: '[name]-[hash].js',
        // An engine keeps the text of what it runs.
        comments: false,
      },
    },
  },
  plugins: [
    {
      name: 'ascii',
      // One character beyond Latin-1 doubles the memory that an engine keeps a whole file in.
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = inAscii(file.code);
      },
    },
    {
      name: 'kernels-beside-the-bundles',
      closeBundle() {
        chmodSync('dist/node/bin/cli.js', 0o755);
        for (const name of kernels) cpSync(`wasm/build/${name}.wasm`, `dist/wasm/build/${name}.wasm`);
      },
    },
  ],
} satisfies UserConfig);
