import { concatBytes } from '../base/index.ts';
import { DeviceError } from './errors.ts';

/** Version of the protocol, first byte of every request: CLSAG is signed only with this one. */
const CLASS = 0x04;
/** Most bytes of data; the option byte counts as one. */
const MOST_DATA = 254;

/** A request to the app. */
export interface Command {
  /** INS, P1 and P2: one byte each. */
  readonly instruction: number;
  readonly p1?: number;
  readonly p2?: number;
  /** First byte of the data of every command. */
  readonly option?: number;
  /** At most 254 bytes. */
  readonly data?: Uint8Array;
}

/** A request as bytes: class, instruction, P1, P2, length, option, data. */
export function encodeCommand({ instruction, p1 = 0, p2 = 0, option = 0, data = new Uint8Array() }: Command): Uint8Array {
  if (data.length > MOST_DATA) throw new DeviceError('not-possible', `expected at most ${MOST_DATA} bytes in a request`);
  return concatBytes(Uint8Array.of(CLASS, instruction, p1, p2, data.length + 1, option), data);
}

/** A reply: its data and the status word. */
export interface RawReply {
  readonly data: Uint8Array;
  /** 0 … 0xffff. */
  readonly status: number;
}

/** @throws DeviceError `bad-answer` for fewer than the two bytes of a status */
export function splitReply(bytes: Uint8Array): RawReply {
  const end = bytes.length - 2;
  if (end < 0) throw new DeviceError('bad-answer', 'expected a reply with a status word', { expected: 'a status word' });
  return { data: bytes.slice(0, end), status: bytes[end]! * 256 + bytes[end + 1]! };
}

/** A 32-bit number, highest byte first. */
export function u32be(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
