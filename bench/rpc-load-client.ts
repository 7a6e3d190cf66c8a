import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { asArray, asCount, asObject, asText, parseJson, stringifyJson } from '../src/base/index.ts';

/**
 * Clients of a wallet service, in a separate process: `rpc-load-client.ts <{url, clients, bodies, warmUp, measured} as JSON>`, times in
 * milliseconds. Each keeps one connection open and sends the next body as soon as the last is answered. Prints "ready" on a separate line after the
 * first answer, and waits for a line before its time begins. Ends after `measured`, or when its standard input ends, and prints a {@link
 * LoadResult} as one line of JSON. Bare sockets, so that the clients themselves are not measured.
 */

/** Measurements of the clients. Unanswered requests count with their waiting time so far. */
export interface LoadResult {
  readonly seconds: number;
  readonly answered: number;
  /** Requests still unanswered when the measurement ended. */
  readonly unanswered: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

const HEADER_END = '\r\n\r\n';
/** Number of bytes of a body in which an error object is looked for. */
const LOOK = 60;

/** Emits `answered`. */
class Client extends EventEmitter {
  readonly #socket: Socket;
  readonly #requests: readonly Buffer[];
  readonly #record: (from: number, to: number) => void;
  #next: number;
  /** The part of a header received so far. */
  #head = '';
  /** Remaining bytes of the body; undefined while reading the header. */
  #left: number | undefined;
  #asked = 0;

  constructor(port: number, requests: readonly Buffer[], first: number, record: (from: number, to: number) => void) {
    super();
    this.#requests = requests;
    this.#next = first;
    this.#record = record;
    this.#socket = connect(port, '127.0.0.1', () => this.#ask());
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', fail);
    this.#socket.on('close', () => fail(new Error('the service closed a connection')));
  }

  /** When the unanswered request was sent. */
  get asked(): number {
    return this.#asked;
  }

  #ask(): void {
    this.#asked = performance.now();
    this.#socket.write(this.#requests[this.#next % this.#requests.length]!);
    this.#next += 1;
  }

  #lastRequest(): string {
    return String(this.#requests[(this.#next - 1) % this.#requests.length]);
  }

  #take(chunk: Buffer): void {
    if (this.#left === undefined) this.#readHead(chunk);
    else this.#left -= chunk.length;
    if (this.#left !== 0) return;
    this.#left = undefined;
    this.#record(this.#asked, performance.now());
    this.emit('answered');
    this.#ask();
  }

  #readHead(chunk: Buffer): void {
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf(HEADER_END);
    if (end < 0) return;
    const start = end + HEADER_END.length;
    const length = /^content-length: *(\d+)/im.exec(this.#head.slice(0, end));
    const body = this.#head.slice(start, start + LOOK);
    if (!this.#head.startsWith('HTTP/1.1 200') || length === null || body.includes('"error"'))
      fail(new Error(`expected a result for ${this.#lastRequest()}, got ${this.#head.slice(0, start + 300)}`));
    else this.#left = Number(length[1]) - (this.#head.length - start);
    this.#head = '';
  }
}

function fail(error: Error): void {
  console.error(error.message);
  process.exit(1);
}

function requestOf(body: string): Buffer {
  const head = `POST /json_rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.from(head + body);
}

function resultOf(waits: readonly number[], unanswered: number, seconds: number): LoadResult {
  const sorted = Float64Array.from(waits).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { seconds, answered: waits.length - unanswered, unanswered, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

async function main(): Promise<void> {
  const config = asObject(parseJson(process.argv[2] ?? '{}'));
  const requests = asArray(config.bodies).map((body) => requestOf(asText(body)));
  const port = Number(new URL(asText(config.url)).port);
  const warmUp = asCount(config.warmUp);
  const waits: number[] = [];
  let from = Number.POSITIVE_INFINITY;
  const record = (asked: number, answered: number): void => {
    if (answered >= from) waits.push(answered - asked);
  };
  const clients = Array.from({ length: asCount(config.clients) }, (_, first) => new Client(port, requests, first, record));
  await once(clients[0]!, 'answered');
  console.log('ready');
  await once(process.stdin, 'data');
  from = performance.now() + warmUp;
  await new Promise<void>((done) => {
    setTimeout(done, warmUp + asCount(config.measured));
    process.stdin.on('end', done);
  });
  const now = performance.now();
  const result = resultOf([...waits, ...clients.map(({ asked }) => now - asked)], clients.length, (now - from) / 1000);
  process.stdout.write(`${stringifyJson({ ...result })}\n`, () => process.exit(0));
}

await main();
