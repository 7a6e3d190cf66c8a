import { timeProof } from './proofs-time.ts';

// The same in a page: the entry of the bundle that `proofs.ts` builds.
Object.assign(globalThis, { timeProof });
