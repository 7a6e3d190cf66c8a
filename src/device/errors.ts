import { CodedError } from '../base/index.ts';

/** Every state in which work with a device can end. Closed: a user interface says for each what to do. */
export type DeviceErrorCode =
  /** Nothing answers there, or nothing is plugged in. */
  | 'not-found'
  /** More than one device: it is unclear which is meant. */
  | 'several-devices'
  /** This browser, or this installation, cannot access USB devices: `data.missing`. */
  | 'no-transport'
  /** The person closed the browser's prompt, or the system denies access. */
  | 'not-permitted'
  /** Another page or program has it open. */
  | 'in-use'
  /** Unknown name of a device: `data.name`. */
  | 'bad-name'
  /** It was disconnected: unplugged, asleep, or its app was closed. */
  | 'disconnected'
  | 'timed-out'
  | 'locked'
  /** The Monero app is not open: `data.app` is the open one, if known. */
  | 'other-app'
  /** The app is older than this program supports: `data.version`. */
  | 'app-too-old'
  /** The app refuses this program's version: it is newer. */
  | 'app-too-new'
  /** The person refused on the device. */
  | 'refused'
  /** It holds other keys than this wallet's. */
  | 'wrong-device'
  /** It is set to another network: `data.network`. */
  | 'wrong-network'
  /** Its answer is short, malformed, or does not match the request. `data.expected` */
  | 'bad-answer'
  /** The app stopped during a request: `data.status` in hexadecimal. */
  | 'app-stopped'
  /** The app cannot do this. */
  | 'not-possible';

/** A typed end of work with a device. `data` has no secret. Nothing was sent, and the wallet is unchanged. */
export class DeviceError extends CodedError<DeviceErrorCode> {
  override readonly name = 'DeviceError';
}

/** @throws DeviceError `bad-answer` */
export function expectOfDevice(holds: boolean, expected: string): asserts holds {
  if (!holds) throw new DeviceError('bad-answer', `expected the device to answer with ${expected}`, { expected });
}
