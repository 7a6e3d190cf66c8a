import { fileURLToPath } from 'node:url';
import { asArray, parseJson } from '../src/base/index.ts';
import { median, output, type Row, row } from './rows.ts';
import { prepareColdWork, signCold } from './signing-native.ts';

/**
 * A whole transaction with rings of 16 and two outputs: ours from unsigned to verified bytes (signed and then verified like a node does), against
 * `sign_transfer` of a cold monero-wallet-rpc; and the cost of each further input, as the slope over 2 to 16 inputs.
 */

const INPUTS = [2, 4, 8, 16];
const PROCESSES = 3;
const OTHER = 'monero-wallet-rpc sign_transfer, cold wallet';

/** One fresh process of ours: milliseconds for each number of inputs. */
async function signOurs(): Promise<number[]> {
  const file = fileURLToPath(new URL('./signing-node.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), file, ...INPUTS.map(String)];
  return asArray(parseJson(await output(process.execPath, args)), 'milliseconds').map(Number);
}

const overProcesses = (samples: readonly (readonly number[])[]) =>
  INPUTS.map((_, n) => median(samples.map((times) => times[n]!)));

/** Least squares: milliseconds per input. */
function slope(times: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(INPUTS), mean(times)];
  const covariance = INPUTS.reduce((sum, input, i) => sum + (input - x) * (times[i]! - y), 0);
  return covariance / INPUTS.reduce((sum, input) => sum + (input - x) ** 2, 0);
}

export async function signingRows(): Promise<Row[]> {
  const work = await prepareColdWork(INPUTS);
  const samples: { readonly ours: number[]; readonly theirs: number[] }[] = [];
  for (let i = 0; i < PROCESSES; i++) samples.push({ ours: await signOurs(), theirs: await signCold(work) });
  const ours = overProcesses(samples.map((sample) => sample.ours));
  const theirs = overProcesses(samples.map((sample) => sample.theirs));
  return [
    ...INPUTS.map((inputs, i) => row(`sign and check, ${inputs} in 2 out`, 'Node', ours[i]!, theirs[i]!, OTHER, 'ms')),
    row('sign and check, one more input', 'Node', slope(ours), slope(theirs), OTHER, 'ms'),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await signingRows());
