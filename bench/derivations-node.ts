import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { type Timed, timeKernel } from './derivations-time.ts';

// One process of `derivations.ts`: node … derivations-node.ts <fma|ext> <what>; prints µs an element.
setFlagsFromString('--experimental-wasm-relaxed-simd');
const [field, timed] = process.argv.slice(2) as [string, Timed];
const wasm = readFileSync(new URL(`../wasm/build/nightjar-${field}.wasm`, import.meta.url)).toString('base64');
process.stdout.write(String(await timeKernel({ wasm, timed, batch: 32, samples: 300 })));
