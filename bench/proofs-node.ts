import type { FieldModule } from '../src/crypto/field-module.ts';
import { type TimedProof, timeProof } from './proofs-time.ts';

// One process of `proofs.ts`: node … proofs-node.ts <clsag|prove|verify> <fma|ext>; prints milliseconds.
const [what, field] = process.argv.slice(2) as [TimedProof, FieldModule];
process.stdout.write(String(await timeProof(what, field)));
