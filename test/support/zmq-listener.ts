import { Subscriber } from 'zeromq';
import { type JsonValue, parseJson } from '../../src/base/index.ts';

/** Collects published messages. */
export class ZmqListener {
  readonly #socket = new Subscriber();
  readonly messages: string[] = [];
  #heard: () => void = () => undefined;

  constructor(address: string) {
    this.#socket.connect(address);
    this.#socket.subscribe('json-');
    void this.#listen();
  }

  async #listen(): Promise<void> {
    for await (const frames of this.#socket) {
      // Topic and content are one frame.
      this.messages.push(frames.map(String).join('|'));
      this.#heard();
    }
  }

  /** Resolves once a message contains the text. */
  async hears(text: string): Promise<void> {
    while (!this.messages.some((message) => message.includes(text))) await new Promise<void>((done) => (this.#heard = done));
  }

  of(topic: string): JsonValue[] {
    return this.messages.filter((one) => one.startsWith(`${topic}:`)).map((one) => parseJson(one.slice(topic.length + 1)));
  }

  forget(): void {
    this.messages.length = 0;
  }

  close(): void {
    this.#socket.close();
  }
}
