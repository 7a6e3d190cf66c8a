import { DeviceError } from './errors.ts';

/** Status words that mean more than "the app stopped". */
export const STATUS_OK = 0x9000;
const REFUSED = 0x6982;
/** A screen waits for its owner, and no request is accepted meanwhile. */
const BUSY = 0x6601;

const LOCKED: readonly number[] = [0x5515, 0x6910, 0x69ee, 0x6804, 0x6b0c];
/** Statuses of the dashboard and other apps for an unknown class or instruction. */
const FOREIGN: readonly number[] = [0x6e00, 0x6e01, 0x6d00, 0x6d02, 0x6511];
const VERSION_REFUSED: readonly number[] = [0x6a30, 0x6a31];

/** Whether the status means that the owner refused on the device. */
export const isRefusal = (status: number): boolean => status === REFUSED;

/** Error for a status other than 9000. @param status 0 … 0xffff */
export function statusError(status: number): DeviceError {
  const data = { status: status.toString(16).padStart(4, '0') };
  if (isRefusal(status)) return new DeviceError('refused', 'expected a yes on the device', data);
  if (status === BUSY)
    return new DeviceError('in-use', 'expected a device that waits for nobody: answer what is on its screen', {
      ...data,
      waiting: true,
    });
  if (LOCKED.includes(status)) return new DeviceError('locked', 'expected an unlocked device', data);
  if (FOREIGN.includes(status)) return new DeviceError('other-app', 'expected the Monero app to be open on the device', data);
  if (VERSION_REFUSED.includes(status)) {
    return new DeviceError('app-too-new', 'expected an app that speaks to this version of the program', data);
  }
  return new DeviceError('app-stopped', `expected status 9000, got ${data.status}`, data);
}
