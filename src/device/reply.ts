import { isCanonicalScalar, isPoint } from '../crypto/index.ts';
import { expectOfDevice } from './errors.ts';

/** Reads the data of a reply field by field; nothing may be missing or left over. */
export class Reply {
  readonly #data: Uint8Array;
  readonly #keep: (secret: Uint8Array, mac: Uint8Array) => void;
  readonly #hasMacs: boolean;
  #at = 0;

  /** @param keep called with each secret's HMAC; undefined outside a transaction, where there are none */
  constructor(data: Uint8Array, keep: ((secret: Uint8Array, mac: Uint8Array) => void) | undefined) {
    this.#data = data;
    this.#keep = keep ?? (() => {});
    this.#hasMacs = keep !== undefined;
  }

  /** @throws DeviceError `bad-answer` when there are fewer */
  bytes(length: number): Uint8Array {
    expectOfDevice(this.#at + length <= this.#data.length, `${length} more bytes`);
    this.#at += length;
    return this.#data.slice(this.#at - length, this.#at);
  }

  /** 32 bytes that encode a point. @throws DeviceError `bad-answer` */
  point(): Uint8Array {
    const bytes = this.bytes(32);
    expectOfDevice(isPoint(bytes), 'a point');
    return bytes;
  }

  /** 32 bytes below the group order. @throws DeviceError `bad-answer` */
  scalar(): Uint8Array {
    const bytes = this.bytes(32);
    expectOfDevice(isCanonicalScalar(bytes), 'a scalar');
    return bytes;
  }

  /** A secret that only the device can open: 32 bytes. Inside a transaction its HMAC follows, which is stored. */
  secret(): Uint8Array {
    const secret = this.bytes(32);
    if (this.#hasMacs) this.#keep(secret, this.bytes(32));
    return secret;
  }

  /** Four bytes, big-endian, as the app writes them. */
  u32(): number {
    const bytes = this.bytes(4);
    return new DataView(bytes.buffer).getUint32(0);
  }

  /** @throws DeviceError `bad-answer` when something is left */
  end(): void {
    expectOfDevice(this.#at === this.#data.length, 'no more than was asked for');
  }
}
