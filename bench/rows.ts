import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';

/** One line of the table: ours beside the other program, measured in one run on one machine. */
export interface Row {
  readonly name: string;
  /** Where ours ran: "Node", "Chromium", with the field module if it matters. */
  readonly where: string;
  readonly ours: number;
  /** The other's figure; undefined if there is nothing to compare with. */
  readonly other: number | undefined;
  /** The other program: "performance_tests generate_key_derivation", or "goal". */
  readonly otherIs: string;
  /** "µs", "ms", "s", "MB", "kB" (less is better), or "points" and units ending in "/s" (more is better). */
  readonly unit: string;
  /** Above 1: ours is better. */
  readonly ratio: number | undefined;
}

const moreIsBetter = (unit: string): boolean => unit.endsWith('/s') || unit === 'points';

/** Creates a row; the ratio depends on the unit's direction. */
export function row(name: string, where: string, ours: number, other: number | undefined, otherIs: string, unit: string): Row {
  const ratio = other === undefined ? undefined : moreIsBetter(unit) ? ours / other : other / ours;
  return { name, where, ours, other, otherIs, unit, ratio };
}

/** The middle value; the mean of the two middle ones for an even count. @throws RangeError if empty */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('median of nothing');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Runs a program to its end and returns its standard output. @throws Error with its standard error if it fails */
export function output(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: tmpdir() });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${command} ended with ${code}: ${err.slice(-500)}`)),
    );
  });
}

/** Path of the reference's packaged benchmark (Debian package `monero-tests`). */
export const performanceTests = '/usr/lib/monero/tests/bin/performance_tests';

const units: Readonly<Record<string, number>> = { ns: 1e-3, µs: 1, ms: 1e3, s: 1e6 };

/**
 * Microseconds per call of one native benchmark: the median over `runs` processes of each process's median.
 * `test` is its name as the program prints it ("test_sig_clsag<16, 2, 2>"), or a prefix of it.
 * @throws Error if the program does not report that test
 */
export async function nativeMicroseconds(test: string, runs = 3): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < runs; i++) {
    const text = await output(performanceTests, ['--filter', `*${test}*`, '--stats']);
    const line = text.split('\n').find((one) => one.startsWith(test));
    const time = line && /median ([\d.]+) (ns|µs|ms|s)\b/.exec(line);
    if (!time) throw new Error(`performance_tests reported no time for ${test}`);
    samples.push(Number(time[1]) * units[time[2]!]!);
  }
  return median(samples);
}
