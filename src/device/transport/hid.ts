import { DeviceError } from '../errors.ts';
import { PacketReader, toPackets } from '../framing.ts';
import type { DeviceTransport } from './port.ts';

/** Ledger's vendor id, and the usage page of the interface that takes requests: the other interface is for FIDO. */
export const LEDGER_VENDOR = 0x2c97;
export const LEDGER_USAGE_PAGE = 0xffa0;

/** An open HID device: reports of 64 bytes in both directions. */
export interface HidPipe {
  readonly label: string;
  /** @throws when the device is gone */
  send(report: Uint8Array): Promise<void>;
  /** Reports each incoming report, and the end. Called once. */
  listen(onReport: (report: Uint8Array) => void, onGone: (cause?: unknown) => void): void;
  close(): Promise<void>;
}

/** A pending reply, and its bytes so far. */
interface Waiting {
  reader: PacketReader;
  isIts(reply: Uint8Array): boolean;
  resolve(reply: Uint8Array): void;
  reject(error: unknown): void;
}

/** Requests over HID reports. */
export class HidTransport implements DeviceTransport {
  readonly label: string;
  readonly #pipe: HidPipe;
  #waiting: Waiting | undefined;
  #gone: DeviceError | undefined;

  constructor(pipe: HidPipe) {
    this.label = pipe.label;
    this.#pipe = pipe;
    pipe.listen(
      (report) => this.#take(report),
      (cause) => this.#end(cause),
    );
  }

  get ended(): boolean {
    return this.#gone !== undefined;
  }

  exchange(apdu: Uint8Array, isIts: Waiting['isIts'] = () => true): Promise<Uint8Array> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#waiting = { reader: new PacketReader(), isIts, resolve, reject };
      void sendAll(this.#pipe, toPackets(apdu)).catch((cause: unknown) => this.#end(cause));
    });
  }

  async close(): Promise<void> {
    this.#end();
    await this.#pipe.close().catch(() => {});
  }

  #take(report: Uint8Array): void {
    const waiting = this.#waiting;
    // An unexpected report is left over from somebody else's request.
    if (waiting === undefined) return;
    try {
      const reply = waiting.reader.take(report);
      if (reply === undefined) return;
      if (!waiting.isIts(reply)) {
        waiting.reader = new PacketReader();
        return;
      }
      this.#waiting = undefined;
      waiting.resolve(reply);
    } catch (error) {
      this.#waiting = undefined;
      waiting.reject(error);
    }
  }

  #end(cause?: unknown): void {
    this.#gone ??= new DeviceError('disconnected', 'expected the device to stay connected', {}, cause);
    this.#waiting?.reject(this.#gone);
    this.#waiting = undefined;
  }
}

async function sendAll(pipe: HidPipe, packets: readonly Uint8Array[]): Promise<void> {
  for (const packet of packets) await pipe.send(packet);
}
