import { readFileSync } from 'node:fs';
import { hasFusedMultiplyAdd } from '../src/crypto/field-module.ts';
import { type Timed, timeKernel } from './derivations-time.ts';

// One process of `derivations.ts`: node … derivations-node.ts <fma|ext> <what>; prints µs per element.
const [field, timed] = process.argv.slice(2) as ['fma' | 'ext', Timed];
// In Node 20 this enables the module's instructions.
if (field === 'fma' && !hasFusedMultiplyAdd()) throw new Error('expected an engine with a fused multiply-add');
const wasm = readFileSync(new URL(`../wasm/build/nightjar-${field}.wasm`, import.meta.url)).toString('base64');
process.stdout.write(String(await timeKernel({ wasm, timed, batch: 32, samples: 300 })));
