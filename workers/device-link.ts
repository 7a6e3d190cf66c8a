import { DeviceError } from '../src/device/errors.ts';
import { type HidPipe, HidTransport } from '../src/device/transport/hid.ts';
import type { DeviceTransport } from '../src/device/transport/port.ts';
import { browserHid, openWebHid, permitWebHid } from '../src/device/transport/webhid.ts';
import type { DeviceLink, DeviceWork } from './host.ts';
import { RemoteError, toWireError } from './wire.ts';

/** One tab of this page at a time has a device: the system would let two, and each would get the other's replies. */
const ONE_TAB = 'nightjar device';

/** Events at the page's end, for the person. */
export interface LinkWatcher {
  /** A request begins, with what it has the device do. */
  asked(work: DeviceWork): void;
  /** It was answered, one way or the other. */
  answered(): void;
  /** The device was let go, or went away. */
  ended(): void;
}

/**
 * The page's end of the way to a device (ADR 8): WebHID answers the page's thread alone, so that the requests of the wallet's worker go through here.
 * All that passes is sealed by the device or public, except the view key, once, when a wallet is made, and masks of amounts.
 */
export class WebDeviceLink implements DeviceLink {
  readonly #watcher: LinkWatcher;
  #open: OpenDevice | undefined;
  /** A device that was let go while its owner had yet to answer it: until they have, nothing may be asked of it. */
  #draining: Promise<void> | undefined;

  constructor(watcher: LinkWatcher) {
    this.#watcher = watcher;
  }

  /** Makes sure that there is a device the person allowed; the browser asks them, so this belongs in a click. @throws RemoteError of DeviceError */
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

  /** A device that goes away by itself is let go: it may come back in another tab. */
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

/** A device that is open, and this tab's turn with it. */
class OpenDevice {
  readonly #transport: DeviceTransport;
  readonly #letOthers: () => void;
  /** Settles, and never rejects, when the last request was answered. */
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

  /** Ends with the answer, or with {@link letGo}. */
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

  /** Closes it once the last request was answered, or it went away; whoever waits for that answer is told at once. */
  async letGo(): Promise<void> {
    this.#stop(new DeviceError('disconnected', 'expected a device that is open'));
    await this.#answer;
    await this.#transport.close();
    this.#letOthers();
  }
}

/** @returns what ends the turn @throws DeviceError `in-use` while another tab has it */
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

/** Errors as they cross between threads, and as the page has words for them. */
async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new RemoteError(toWireError(error));
  }
}
