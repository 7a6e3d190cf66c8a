// `npm run gallery`: every component in every state, from its sources, on a page of its own that is never shipped.
// `npm run gallery -- --pictures FOLDER` draws all of it in both sizes, both themes, English and Arabic, and ends with an error where
// one is wider than its screen or says something in the console; `--only settings.*phone` draws those whose names it matches.
import { checkNode, installPackages, run } from './setup.mjs';

checkNode();
await installPackages();
run(process.execPath, ['scripts/build-kernels.mjs']);

const { register } = await import('tsx/esm/api');
register();
await import('./gallery-server.ts');
