// `npm run dev`: sets up what is missing, then serves the page from its sources, with hot reload, beside a devnet. Takes the flags of `npm start`.
import { setFlagsFromString } from 'node:v8';
import { checkNode, installPackages, run } from './setup.mjs';

checkNode();
await installPackages();
run(process.execPath, ['scripts/build-kernels.mjs']);

// The devnet's kernels, as in src/cli/main.ts.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
// In this process, so that one signal ends all of it; only now, since what is imported may have been missing.
const { register } = await import('tsx/esm/api');
register();
await import('./dev-server.ts');
