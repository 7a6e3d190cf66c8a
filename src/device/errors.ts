import { CodedError } from '../base/index.ts';

/** Every state in which work with a device can end. Closed: a door says for each what to do. */
export type DeviceErrorCode =
  /** Reaching it: nothing answers there, nothing is plugged in. */
  | 'not-found'
  /** More than one device: which is meant cannot be told. */
  | 'several-devices'
  /** This browser, or this installation, has no way to a USB device: `data.missing`. */
  | 'no-transport'
  /** The person closed the browser's question, or the system forbids the device. */
  | 'not-permitted'
  /** Another page or program has it open. */
  | 'in-use'
  /** The name of a device is none that is known: `data.name`. */
  | 'bad-name'
  /** It went away: unplugged, asleep, or its app was closed. */
  | 'disconnected'
  | 'timed-out'
  | 'locked'
  /** The Monero app is not open: `data.app` says which one is, where it says it. */
  | 'other-app'
  /** The app is older than this program speaks to: `data.version`. */
  | 'app-too-old'
  /** The app refuses this program's version: it is newer. */
  | 'app-too-new'
  /** The person said no on the device. */
  | 'refused'
  /** It holds other keys than this wallet's. */
  | 'wrong-device'
  /** It is set to another network: `data.network`. */
  | 'wrong-network'
  /** Its answer is short, malformed, or does not follow from the question. `data.expected` */
  | 'bad-answer'
  /** The app stopped over what it was asked: `data.status` in hexadecimal. */
  | 'app-stopped'
  /** The app cannot do this. */
  | 'not-possible';

/** A typed end of work with a device. `data` holds no secret. Nothing was sent, and the wallet is as it was. */
export class DeviceError extends CodedError<DeviceErrorCode> {
  override readonly name = 'DeviceError';
}

/** @throws DeviceError `bad-answer` */
export function expectOfDevice(holds: boolean, expected: string): asserts holds {
  if (!holds) throw new DeviceError('bad-answer', `expected the device to answer with ${expected}`, { expected });
}
