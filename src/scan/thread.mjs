// Begins a thread of `pool-node.ts`. Threads of Node 20 do not inherit the loader of TypeScript, so this fetches it first.
import { tsImport } from 'tsx/esm/api';

await tsImport('./worker-node.ts', import.meta.url);
