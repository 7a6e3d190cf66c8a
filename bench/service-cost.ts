import { median, type Row, row } from './rows.ts';
import { cpuSeconds } from './sync/process.ts';

/** The cost of a request: milliseconds until the reply, and of the service's processor time. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** Sends requests to a service, and returns their cost for the service. */
export async function costsOf<T>(pid: number, work: () => Promise<T>): Promise<Cost & { readonly result: T }> {
  const [began, used] = [performance.now(), cpuSeconds(pid)];
  const result = await work();
  return { result, wall: performance.now() - began, cpu: 1000 * (cpuSeconds(pid) - used) };
}

/** Two rows, medians of both: wall time, and processor time, which is affected less by other work on the machine. @param costs ours, then theirs */
export function costRows(what: string, costs: readonly [readonly Cost[], readonly Cost[]], otherIs: string): Row[] {
  const medians = (of: keyof Cost) => costs.map((side) => median(side.map((each) => each[of]))) as [number, number];
  return [
    row(`multisig: ${what}`, 'Node', ...medians('wall'), otherIs, 'ms'),
    row(`CPU of multisig: ${what}`, 'Node', ...medians('cpu'), `${otherIs}, CPU`, 'ms'),
  ];
}
