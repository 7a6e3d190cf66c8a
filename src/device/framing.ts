import { concatBytes } from '../base/index.ts';
import { DeviceError } from './errors.ts';

/** Bytes of a HID report, either way. */
export const REPORT_BYTES = 64;
/** Echoed by the device; any value would do. */
const CHANNEL = 0x0101;
const TAG_APDU = 0x05;
/** Channel, tag, sequence number. */
const HEADER = 5;
/** Longest reply: the app's 240 bytes, and space for the system's replies. */
const MOST_REPLY = 1024;

/** The 64-byte packets of a request, the last padded with zeros. */
export function toPackets(apdu: Uint8Array): Uint8Array[] {
  const stream = concatBytes(Uint8Array.of(apdu.length >> 8, apdu.length & 0xff), apdu);
  const packets: Uint8Array[] = [];
  for (let at = 0; at < stream.length; at += REPORT_BYTES - HEADER) {
    const sequence = packets.length;
    const packet = new Uint8Array(REPORT_BYTES);
    packet.set([CHANNEL >> 8, CHANNEL & 0xff, TAG_APDU, sequence >> 8, sequence & 0xff]);
    packet.set(stream.subarray(at, at + REPORT_BYTES - HEADER), HEADER);
    packets.push(packet);
  }
  return packets;
}

/** Assembles a reply from its packets. */
export class PacketReader {
  #sequence = 0;
  #expected = 0;
  #parts: Uint8Array[] = [];
  #have = 0;

  /**
   * Takes the next packet. Packets of other channels are ignored.
   * @returns data and status of the whole reply, once complete
   * @throws DeviceError `bad-answer` for a packet out of order, a wrong length, another tag
   */
  take(packet: Uint8Array): Uint8Array | undefined {
    if (packet.length < HEADER + 2) throw malformed('packets of 64 bytes');
    const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
    if (view.getUint16(0) !== CHANNEL) return undefined;
    if (packet[2] !== TAG_APDU) throw malformed('packets of a reply');
    if (view.getUint16(3) !== this.#sequence) throw malformed('packets in turn');
    let at = HEADER;
    if (this.#sequence === 0) {
      this.#expected = view.getUint16(HEADER);
      if (this.#expected < 2 || this.#expected > MOST_REPLY) throw malformed('a reply of a known length');
      at += 2;
    }
    this.#sequence += 1;
    const part = packet.slice(at, at + this.#expected - this.#have);
    this.#parts.push(part);
    this.#have += part.length;
    return this.#have < this.#expected ? undefined : concatBytes(...this.#parts);
  }
}

function malformed(expected: string): DeviceError {
  return new DeviceError('bad-answer', `expected ${expected}`, { expected });
}
