import { readFileSync } from 'node:fs';
import { mergeConfig, type Plugin, type UserConfig } from 'vite';
import { forNode } from './scripts/for-node.ts';

const KERNEL = '\0kernel:';

/**
 * In place of src/crypto/kernel-files.ts: a script for each kernel, loaded when it is wanted, its code in base64. A file beside a script is
 * taken along by some bundlers and not by others; a script by all.
 */
const kernelsAsScripts: Plugin = {
  name: 'kernels-as-scripts',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(KERNEL) ? id : null),
  load(id) {
    if (id.startsWith(KERNEL)) {
      const code = readFileSync(`wasm/build/nightjar-${id.slice(KERNEL.length)}.wasm`, 'base64');
      return `export default '${code}';`;
    }
    return id.endsWith('/src/crypto/kernel-files.ts') ? COMPILE : null;
  },
};

const scripts = ['fma', 'ext', 'cryptonight', 'argon2'].map((name) => `${name}: () => import('${KERNEL}${name}'),`);
const COMPILE = `const scripts = { ${scripts.join(' ')} };
export async function compileKernel(name) {
  const { default: text } = await scripts[name]();
  return WebAssembly.compile(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}`;

/** The library: a file for each module, so that a project's bundler takes what the project uses and leaves the rest. */
export default mergeConfig(forNode, {
  build: {
    outDir: 'dist/library',
    minify: false,
    rolldownOptions: {
      input: {
        index: 'src/index.ts',
        node: 'src/node.ts',
        web: 'src/web.ts',
        // In place of the source's .mjs of these names, which load TypeScript.
        'scan/thread': 'src/scan/worker-node.ts',
        'storage/password-thread': 'src/storage/password-worker-node.ts',
      },
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        entryFileNames: ({ name }) => (name.endsWith('thread') ? '[name].mjs' : '[name].js'),
        comments: { legal: true, annotation: true, jsdoc: false },
      },
    },
  },
  plugins: [kernelsAsScripts],
} satisfies UserConfig);
