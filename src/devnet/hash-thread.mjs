// Starts the thread of `hash-thread.ts`. Threads of Node 20 do not inherit the TypeScript loader, so this registers it first.
import { tsImport } from 'tsx/esm/api';

await tsImport('./hash-worker.ts', import.meta.url);
