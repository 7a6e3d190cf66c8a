import { readFileSync, writeFileSync } from 'node:fs';

/** Linux's data on a process from /proc. */

const TICKS_A_SECOND = 100;

/** User and system seconds that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function megabytes(pid: number, field: 'VmHWM' | 'VmRSS' | 'RssAnon'): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}

/** Resident megabytes now. */
export const residentMegabytes = (pid: number): number => megabytes(pid, 'VmRSS');

/** The private part of these: without pages of files, which the system reclaims when it needs them. */
export const ownMegabytes = (pid: number): number => megabytes(pid, 'RssAnon');

/** The peak of resident megabytes since the process began, or since {@link forgetPeak}. */
export const peakMegabytes = (pid: number): number => megabytes(pid, 'VmHWM');

/** Resets the peak to the current value. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
