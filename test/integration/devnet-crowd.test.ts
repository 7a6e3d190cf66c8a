import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../src/base/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { type Nightjar, startNightjar } from '../support/nightjar.ts';

/** Clients that ask and read, among others that do neither as they should, while the node mines. */
const ADDRESS = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';
const CLIENTS = 50;
const ASKED_EACH = 12;
const RUDE_EACH = 10;
const MEGABYTE = 2 ** 20;

const sockets = new Set<Socket>();

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  // It is cut off when the node has enough of it.
  socket.on('error', () => undefined);
  sockets.add(socket);
  return socket;
}

/** Writes for as long as it is let, whatever comes back. */
function flood(socket: Socket, piece: Buffer | string): void {
  const more = () => {
    while (!socket.destroyed && socket.writable && socket.write(piece)) {
      // Until the system has enough.
    }
  };
  socket.on('connect', more).on('drain', () => setImmediate(more));
}

const BLOCKS_REQUEST = Buffer.from(encodePortableStorage(storage.object({ start_height: storage.u64(1) })));
const head = (path: string, length: number) => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n`;

const RUDE: Readonly<Record<string, (port: number) => void>> = {
  'half a request': (port) => void open(port).write(`${head('/json_rpc', 100)}\r\n{"jsonrpc"`),
  'nothing at all': (port) => void open(port),
  'never reads': (port) => {
    const socket = open(port).pause();
    const whole = Buffer.concat([Buffer.from(`${head('/get_blocks.bin', BLOCKS_REQUEST.length)}\r\n`), BLOCKS_REQUEST]);
    for (let i = 0; i < 50; i++) socket.write(whole);
  },
  'a huge body': (port) => {
    const socket = open(port);
    socket.write(`${head('/json_rpc', 2 ** 31)}\r\n`);
    flood(socket, Buffer.alloc(MEGABYTE, 'a'));
  },
  'a huge body in pieces': (port) => {
    const socket = open(port);
    socket.write('POST /json_rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
    flood(socket, `10000\r\n${'a'.repeat(0x10000)}\r\n`);
  },
  'endless headers': (port) => {
    const socket = open(port);
    socket.write('GET /get_height HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    flood(socket, 'X-More: and more\r\n');
  },
  'no HTTP': (port) => flood(open(port), '\u0001\u0002\u0003'.repeat(1000)),
};

const QUESTIONS = [
  ['get_info', {}],
  ['get_block_header_by_height', { height: 7 }],
  ['get_block', { height: 101 }],
  ['get_fee_estimate', {}],
  ['get_block_headers_range', { start_height: 1, end_height: 40 }],
  ['get_output_distribution', { amounts: [0] }],
] as const;

function ask(agent: Agent, port: number, method: string, params: object): Promise<{ readonly status: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, path: '/json_rpc', method: 'POST' }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve((parseJson(Buffer.concat(parts).toString()) as { result: { status: string } }).result));
    });
    asked.on('error', reject).end(stringifyJson({ jsonrpc: '2.0', id: '0', method, params: { ...params } }));
  });
}

/** Each asks one question after the other on a connection of its own. */
async function crowd(port: number): Promise<string[]> {
  const client = async (number: number): Promise<string[]> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const said: string[] = [];
    for (let i = 0; i < ASKED_EACH; i++) {
      const [method, params] = QUESTIONS[(number + i) % QUESTIONS.length]!;
      said.push((await ask(agent, port, method, params)).status);
    }
    agent.destroy();
    return said;
  };
  return (await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))).flat();
}

/** Bytes that a process holds. */
function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) * 1024;
}

describe('a crowd', () => {
  let node: Nightjar;
  let port: number;

  beforeAll(async () => {
    node = startNightjar(['devnet', '--port', '0', '--hash-rate', '20', '--start-mining', ADDRESS]);
    const [, found] = await node.line(/http:\/\/127\.0\.0\.1:(\d+)$/);
    port = Number(found);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await node?.kill();
  });

  const height = async (agent: Agent) =>
    Number(((await ask(agent, port, 'get_block_count', {})) as unknown as { count: number }).count);

  it('is answered whole while others are rude and it mines, and its memory stays', async () => {
    const agent = new Agent({ keepAlive: true });
    expect(await crowd(port)).toEqual(Array.from({ length: CLIENTS * ASKED_EACH }, () => 'OK'));
    const before = memoryOf(node.child.pid!);
    const began = await height(agent);
    for (const rude of Object.values(RUDE)) for (let i = 0; i < RUDE_EACH; i++) rude(port);
    for (let round = 0; round < 3; round++)
      expect(await crowd(port)).toEqual(Array.from({ length: CLIENTS * ASKED_EACH }, () => 'OK'));
    while ((await height(agent)) <= began) expect(await crowd(port)).toContain('OK');
    expect(memoryOf(node.child.pid!) - before).toBeLessThan(250 * MEGABYTE);
    agent.destroy();
  });
});

describe('replies that nobody reads', () => {
  let devnet: ServedDevnet;
  beforeAll(async () => {
    devnet = await serveDevnet({ history: { blocks: 600, transactions: 0 }, maxWaiting: 200_000, softLimit: 100_000 });
  });
  afterAll(() => devnet?.stop());

  it('are given up, the oldest first, when there are too many', async () => {
    const cut = Array.from({ length: 80 }, () => {
      const socket = open(devnet.port).pause();
      const ended = once(socket, 'close');
      // Small buffers of the system fill soon: many replies are asked for.
      const whole = Buffer.concat([Buffer.from(`${head('/get_blocks.bin', BLOCKS_REQUEST.length)}\r\n`), BLOCKS_REQUEST]);
      for (let i = 0; i < 100; i++) socket.write(whole);
      return ended;
    });
    // Nobody reads: the end of a connection is seen by writing on.
    const writing = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(' ');
    }, 100);
    await Promise.any(cut);
    clearInterval(writing);
    const agent = new Agent();
    expect(await ask(agent, devnet.port, 'get_info', {})).toMatchObject({ status: 'OK' });
  });
});
