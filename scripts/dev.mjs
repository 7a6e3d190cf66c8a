// `npm run dev`: sets up what is missing, then serves the page from its sources, with hot reload, beside a devnet. Takes the flags of `npm start`.
import { checkNode, installPackages, run } from './setup.mjs';

checkNode();
await installPackages();
run(process.execPath, ['scripts/build-kernels.mjs']);

// In this process, so that one signal ends everything; imported only now, since the packages may have been missing.
const { register } = await import('tsx/esm/api');
register();
await import('./dev-server.ts');
