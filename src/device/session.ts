import { bytesToHex, concatBytes, SerialQueue } from '../base/index.ts';
import { type Command, encodeCommand, splitReply } from './apdu.ts';
import { DeviceError } from './errors.ts';
import { Reply } from './reply.ts';
import { isRefusal, STATUS_OK, statusError } from './status.ts';
import type { DeviceTransport } from './transport/port.ts';

/** Placeholders for the wallet's own keys, which never leave the device, where a command takes a secret: 32 bytes each. */
export const VIEW_KEY_SLOT: Readonly<Uint8Array> = new Uint8Array(32);
/** What stands for the secret spend key in a command, 32 bytes: the key itself never leaves the device. */
export const SPEND_KEY_SLOT: Readonly<Uint8Array> = new Uint8Array(32).fill(0xff);

/** Timer by which a session limits how long it waits. Tests pass their own. */
export interface Watch {
  /** Resolves after `ms`, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Commands that show nothing take milliseconds; a device that does not answer them is not there. */
const PATIENCE_MS = 15_000;

/**
 * A conversation with the app: one question at a time, and the secrets that pass through us sealed. While a transaction is open each of those has
 * an HMAC, which goes back with it. Whatever goes wrong but a person's no ends the session: the app has stopped, or may still be at something.
 */
export class DeviceSession {
  readonly #transport: DeviceTransport;
  readonly #watch: Watch | undefined;
  readonly #queue = new SerialQueue();
  /** Points that must never come twice, hex. */
  readonly #nonces = new Set<string>();
  /** By secret, hex; undefined outside a transaction. */
  #macs: Map<string, Uint8Array> | undefined;
  #ended: unknown;
  /** Once it has aborted nothing more is asked, and the session goes on all the same: its reason is what {@link ask} throws. */
  stop: AbortSignal | undefined;
  /** Questions put so far. */
  exchanges = 0;

  /** @param watch undefined for no limit of time */
  constructor(transport: DeviceTransport, watch?: Watch) {
    this.#transport = transport;
    this.#watch = watch;
  }

  get label(): string {
    return this.#transport.label;
  }

  /** Whether nothing can be asked any more. */
  get ended(): boolean {
    return this.#ended !== undefined || this.#transport.ended === true;
  }

  /** A transaction is open on the device, as far as we know. */
  get inTransaction(): boolean {
    return this.#macs !== undefined;
  }

  /**
   * Puts a question.
   * @param waits for its owner: without a limit of time
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
   * Puts a question to the device's system, which needs no app: the first of a conversation.
   * @param apdu whole
   * @param isIts tells the data of its reply from that of one which came late, to somebody who asked before us
   */
  askSystem(apdu: Uint8Array, isIts: (data: Uint8Array) => boolean): Promise<Uint8Array> {
    return this.#inTurn(() => this.#exchange(apdu, false, (reply) => !isLate(reply, isIts)));
  }

  /** A secret as a command takes it: inside a transaction with the HMAC that came with it. 32 or 64 bytes. */
  slot(secret: Readonly<Uint8Array>): Uint8Array {
    if (this.#macs === undefined) return secret.slice();
    const mac = this.#macs.get(bytesToHex(secret));
    if (mac === undefined) throw new DeviceError('not-possible', 'expected a secret that the device gave in this transaction');
    return concatBytes(secret, mac);
  }

  /** Whether the device tells a point for the first time since it was connected. @param point 32 bytes */
  isNew(point: Uint8Array): boolean {
    const text = bytesToHex(point);
    const isNew = !this.#nonces.has(text);
    this.#nonces.add(text);
    return isNew;
  }

  /** A transaction begins: secrets from before are worth nothing in it. */
  beginTransaction(): void {
    this.#macs = new Map();
  }

  endTransaction(): void {
    this.#macs = undefined;
  }

  /** Lets the device go. Idempotent. */
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

  /** A person's no leaves the app as it was; anything else ends it, or leaves it who knows where. */
  #failed(error: unknown): unknown {
    if (error instanceof DeviceError && error.code === 'refused') return error;
    this.#ended ??= error;
    this.#macs = undefined;
    void this.#transport.close();
    return error;
  }
}

/** A yes or a no of the owner's, or data of another form: the answer to somebody who asked before us. */
function isLate(reply: Uint8Array, isIts: (data: Uint8Array) => boolean): boolean {
  const { data, status } = splitReply(reply);
  return isRefusal(status) || (status === STATUS_OK && !isIts(data));
}
