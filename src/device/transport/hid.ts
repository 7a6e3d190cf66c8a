import { DeviceError } from '../errors.ts';
import { PacketReader, toPackets } from '../framing.ts';
import type { DeviceTransport } from './port.ts';

/** Ledger's vendor id, and the usage page of the interface that takes requests: the other interface is for FIDO. */
export const LEDGER_VENDOR = 0x2c97;
export const LEDGER_USAGE_PAGE = 0xffa0;

/** A HID device that is open: reports of 64 bytes both ways. */
export interface HidPipe {
  readonly label: string;
  /** @throws when the device is gone */
  send(report: Uint8Array): Promise<void>;
  /** Tells of each report that comes, and of the end. Called once. */
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
export function hidTransport(pipe: HidPipe): DeviceTransport {
  let waiting: Waiting | undefined;
  let gone: DeviceError | undefined;
  const end = (cause?: unknown): void => {
    gone ??= new DeviceError('disconnected', 'expected the device to stay connected', {}, cause);
    waiting?.reject(gone);
    waiting = undefined;
  };
  pipe.listen((report) => {
    // A report that nobody asked for is left over from a request of somebody else's.
    if (waiting === undefined) return;
    const { reader, isIts, resolve, reject } = waiting;
    try {
      const reply = reader.take(report);
      if (reply === undefined) return;
      if (!isIts(reply)) {
        waiting.reader = new PacketReader();
        return;
      }
      waiting = undefined;
      resolve(reply);
    } catch (error) {
      waiting = undefined;
      reject(error);
    }
  }, end);
  return {
    label: pipe.label,
    get ended() {
      return gone !== undefined;
    },
    exchange(apdu, isIts = () => true) {
      if (gone !== undefined) return Promise.reject(gone);
      return new Promise((resolve, reject) => {
        waiting = { reader: new PacketReader(), isIts, resolve, reject };
        void sendAll(pipe, toPackets(apdu)).catch(end);
      });
    },
    async close() {
      end();
      await pipe.close().catch(() => {});
    },
  };
}

async function sendAll(pipe: HidPipe, packets: readonly Uint8Array[]): Promise<void> {
  for (const packet of packets) await pipe.send(packet);
}
