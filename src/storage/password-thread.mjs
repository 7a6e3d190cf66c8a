// Starts the thread of `password-node.ts`. Threads of Node 20 do not inherit the TypeScript loader, so this registers it first.
import { tsImport } from 'tsx/esm/api';

await tsImport('./password-worker-node.ts', import.meta.url);
