import { DeviceError } from '../src/device/errors.ts';
import { type HidPipe, HidTransport } from '../src/device/transport/hid.ts';
import type { DeviceTransport } from '../src/device/transport/port.ts';
import { browserHid, openWebHid, permitWebHid } from '../src/device/transport/webhid.ts';
import type { DeviceLink, DeviceWork } from './host.ts';
import { RemoteError, toWireError } from './wire.ts';

/** Web Lock that lets only one tab use the device: otherwise two tabs would get each other's replies. */
const ONE_TAB = 'nightjar device';

/** Events for the user interface. */
export interface LinkWatcher {
  /** A request was sent; `work` is what the device does about it. */
  asked(work: DeviceWork): void;
  /** The request has ended, with or without an answer. */
  answered(): void;
  /** The device was closed or disconnected. */
  ended(): void;
}

/**
 * The page's side of the connection to a device (ADR 8): WebHID is only available in the page's thread, so the wallet worker's requests go through
 * here. The data is public or encrypted by the device, except for the view key when a wallet is created, and amount masks.
 */
export class WebDeviceLink implements DeviceLink {
  readonly #watcher: LinkWatcher;
  #open: OpenDevice | undefined;
  /** Pending while a device that was closed during a request still waits for its owner: no other request may be sent until then. */
  #draining: Promise<void> | undefined;

  constructor(watcher: LinkWatcher) {
    this.#watcher = watcher;
  }

  /** Asks for permission to use a device, if there is none yet. Needs a user gesture. @throws RemoteError of DeviceError */
  async allow(): Promise<void> {
    if (this.#open !== undefined) return;
    await typed(async () => permitWebHid(browserHid()));
  }

  open(): Promise<string> {
    return typed(async () => {
      await this.close();
      if (this.#draining !== undefined) {
        throw new DeviceError('in-use', 'expected the answer of its owner to what was asked before', { waiting: true });
      }
      const letOthers = await takeTurn();
      try {
        const pipe = await openWebHid(browserHid());
        const open = new OpenDevice(new HidTransport(this.#watched(pipe)), letOthers);
        this.#open = open;
        return open.label;
      } catch (error) {
        letOthers();
        throw error;
      }
    });
  }

  exchange(apdu: Uint8Array, work: DeviceWork): Promise<Uint8Array> {
    return typed(async () => {
      if (this.#open === undefined) throw new DeviceError('disconnected', 'expected a device that is open');
      this.#watcher.asked(work);
      try {
        return await this.#open.exchange(apdu);
      } finally {
        this.#watcher.answered();
      }
    });
  }

  async close(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#watcher.ended();
    const drained = open.letGo();
    this.#draining = drained;
    const done = drained.then(() => {
      this.#draining = undefined;
    });
    if (!open.isAsked) await done;
  }

  /** Releases a device that was disconnected, as it may be used by another tab next. */
  #watched(pipe: HidPipe): HidPipe {
    return {
      ...pipe,
      listen: (onReport, onGone) =>
        pipe.listen(onReport, (cause) => {
          onGone(cause);
          void this.close();
        }),
    };
  }
}

/** An open device, with this tab's lock on it. */
class OpenDevice {
  readonly #transport: DeviceTransport;
  readonly #letOthers: () => void;
  /** Resolves, and never rejects, when the last request has ended. */
  #answer: Promise<unknown> = Promise.resolve();
  isAsked = false;
  #stop: (reason: DeviceError) => void = () => undefined;

  constructor(transport: DeviceTransport, letOthers: () => void) {
    this.#transport = transport;
    this.#letOthers = letOthers;
  }

  get label(): string {
    return this.#transport.label;
  }

  /** Settles with the answer, or rejects at {@link letGo}. */
  exchange(apdu: Uint8Array): Promise<Uint8Array> {
    this.isAsked = true;
    const answer = this.#transport.exchange(apdu);
    const answered = () => {
      this.isAsked = false;
    };
    this.#answer = answer.then(answered, answered);
    return new Promise((resolve, reject) => {
      this.#stop = reject;
      answer.then(resolve, reject);
    });
  }

  /** Rejects a pending request at once, and closes the device when that request has really ended. */
  async letGo(): Promise<void> {
    this.#stop(new DeviceError('disconnected', 'expected a device that is open'));
    await this.#answer;
    await this.#transport.close();
    this.#letOthers();
  }
}

/** Takes the lock. @returns a function that releases it @throws DeviceError `in-use` while another tab has it */
function takeTurn(): Promise<() => void> {
  return new Promise((resolve, reject) => {
    void navigator.locks.request(ONE_TAB, { ifAvailable: true }, (lock) => {
      if (lock === null) {
        reject(new DeviceError('in-use', 'expected that no other tab has the device', { tab: true }));
        return;
      }
      return new Promise<void>((done) => resolve(done));
    });
  });
}

/** Converts errors to RemoteErrors, for which the page has texts. */
async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new RemoteError(toWireError(error));
  }
}
