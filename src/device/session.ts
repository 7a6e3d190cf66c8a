import { bytesToHex, concatBytes, SerialQueue } from '../base/index.ts';
import { type Command, encodeCommand, splitReply } from './apdu.ts';
import { DeviceError } from './errors.ts';
import { Reply } from './reply.ts';
import { isRefusal, STATUS_OK, statusError } from './status.ts';
import type { DeviceTransport } from './transport/port.ts';

/** Placeholders for the wallet's own keys, which never leave the device, where a command takes a secret: 32 bytes each. */
export const VIEW_KEY_SLOT: Readonly<Uint8Array> = new Uint8Array(32);
/** Placeholder for the secret spend key in a command, 32 bytes: the key itself never leaves the device. */
export const SPEND_KEY_SLOT: Readonly<Uint8Array> = new Uint8Array(32).fill(0xff);

/** Timer by which a session limits how long it waits. Tests pass their own. */
export interface Watch {
  /** Resolves after `ms`, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Commands that show nothing take milliseconds; a device that takes longer is gone. */
const PATIENCE_MS = 15_000;

/**
 * A conversation with the app: one request at a time, with the sealed secrets that pass through us. While a transaction is open each of
 * those has an HMAC, which is sent back with it. Any failure other than the owner's refusal ends the session: the app has stopped, or may
 * still be busy.
 */
export class DeviceSession {
  readonly #transport: DeviceTransport;
  readonly #watch: Watch | undefined;
  readonly #queue = new SerialQueue();
  /** Points that must never occur twice, hex. */
  readonly #nonces = new Set<string>();
  /** By secret, hex; undefined outside a transaction. */
  #macs: Map<string, Uint8Array> | undefined;
  #ended: unknown;
  /** After it has aborted nothing more is requested, but the session continues: {@link ask} throws its reason. */
  stop: AbortSignal | undefined;
  /** Number of requests so far. */
  exchanges = 0;

  /** @param watch undefined for no limit of time */
  constructor(transport: DeviceTransport, watch?: Watch) {
    this.#transport = transport;
    this.#watch = watch;
  }

  get label(): string {
    return this.#transport.label;
  }

  /** Whether nothing can be requested any more. */
  get ended(): boolean {
    return this.#ended !== undefined || this.#transport.ended === true;
  }

  /** Whether a transaction is open on the device, as far as we know. */
  get inTransaction(): boolean {
    return this.#macs !== undefined;
  }

  /**
   * Sends a request.
   * @param waits for its owner: without time limit
   * @throws DeviceError; after any but `refused` the session has ended
   */
  ask<T>(command: Command, read: (reply: Reply) => T, waits = false): Promise<T> {
    return this.#inTurn(async () => {
      const data = await this.#exchange(encodeCommand(command), waits);
      const reply = new Reply(data, this.#macs && ((secret, mac) => void this.#macs?.set(bytesToHex(secret), mac)));
      const value = read(reply);
      reply.end();
      return value;
    });
  }

  /**
   * Sends a request to the device's system, which needs no app: the first of a session.
   * @param apdu whole
   * @param isIts distinguishes its reply from a late one to somebody who asked before us
   */
  askSystem(apdu: Uint8Array, isIts: (data: Uint8Array) => boolean): Promise<Uint8Array> {
    return this.#inTurn(() => this.#exchange(apdu, false, (reply) => !isLate(reply, isIts)));
  }

  /** A secret as commands take it: inside a transaction with its HMAC. 32 or 64 bytes. */
  slot(secret: Readonly<Uint8Array>): Uint8Array {
    if (this.#macs === undefined) return secret.slice();
    const mac = this.#macs.get(bytesToHex(secret));
    if (mac === undefined) throw new DeviceError('not-possible', 'expected a secret that the device gave in this transaction');
    return concatBytes(secret, mac);
  }

  /** Whether the device returns a point for the first time since it was connected. @param point 32 bytes */
  isNew(point: Uint8Array): boolean {
    const text = bytesToHex(point);
    const isNew = !this.#nonces.has(text);
    this.#nonces.add(text);
    return isNew;
  }

  /** A transaction begins: earlier secrets are invalid in it. */
  beginTransaction(): void {
    this.#macs = new Map();
  }

  endTransaction(): void {
    this.#macs = undefined;
  }

  /** Disconnects. Idempotent. */
  async close(): Promise<void> {
    this.#ended ??= new DeviceError('disconnected', 'expected a connected device');
    this.#macs = undefined;
    await this.#transport.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      if (this.#ended !== undefined)
        throw new DeviceError('disconnected', 'expected a device that is connected still', {}, this.#ended);
      this.stop?.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        throw this.#failed(error);
      }
    });
  }

  async #exchange(apdu: Uint8Array, waits: boolean, isIts?: (reply: Uint8Array) => boolean): Promise<Uint8Array> {
    this.exchanges += 1;
    const answer = this.#transport.exchange(apdu, isIts);
    const { data, status } = splitReply(await (waits || this.#watch === undefined ? answer : this.#inTime(answer, this.#watch)));
    if (status !== STATUS_OK) throw statusError(status);
    return data;
  }

  async #inTime(answer: Promise<Uint8Array>, watch: Watch): Promise<Uint8Array> {
    const done = new AbortController();
    try {
      const late = watch.sleep(PATIENCE_MS, done.signal).then(() => undefined);
      const first = await Promise.race([answer, late]);
      if (first === undefined)
        throw new DeviceError('timed-out', 'expected the device to answer', { seconds: PATIENCE_MS / 1000 });
      return first;
    } finally {
      done.abort();
      answer.catch(() => {});
    }
  }

  /** The owner's refusal leaves the app unchanged; anything else ends it, or leaves it in an unknown state. */
  #failed(error: unknown): unknown {
    if (error instanceof DeviceError && error.code === 'refused') return error;
    this.#ended ??= error;
    this.#macs = undefined;
    void this.#transport.close();
    return error;
  }
}

/** The owner's answer, or data of another format: a reply to somebody who asked before us. */
function isLate(reply: Uint8Array, isIts: (data: Uint8Array) => boolean): boolean {
  const { data, status } = splitReply(reply);
  return isRefusal(status) || (status === STATUS_OK && !isIts(data));
}
