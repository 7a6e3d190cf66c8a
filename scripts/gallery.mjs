// `npm run gallery`: every component in every state, from the sources, on a page of its own that is never shipped.
// `npm run gallery -- --pictures FOLDER` draws all of them in both sizes, both themes, English and Arabic, and fails if one is wider than its
// screen or logs an error in the console; `--only settings.*phone` draws those whose names match.

import { checkNode, installPackages, run } from './setup.mjs';

checkNode();
await installPackages();
run(process.execPath, ['scripts/build-kernels.mjs']);

const { register } = await import('tsx/esm/api');
register();
await import('./gallery-server.ts');
