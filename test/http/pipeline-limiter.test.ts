import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PipelineLimiter } from '../../src/http/index.ts';

const REQUEST = 'GET /get_height HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const FAR_AHEAD = 50_000;
const PATIENCE = 20_000;

let server: Server;
afterEach(() => server.close().closeAllConnections());

/** A server whose replies come a moment later. @returns how many requests it has begun to answer */
async function serve(): Promise<{ readonly port: number; begun(): number }> {
  let begun = 0;
  server = createServer((request, response) => {
    if (!pipelines.admits(request, response)) return;
    begun += 1;
    setImmediate(() => response.end('x'));
  });
  const pipelines = new PipelineLimiter(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, begun: () => begun };
}

/** Sends requests at once on one connection. @returns how many replies came before it ended */
function repliesTo(port: number, requests: string): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => undefined).on('close', () => resolve(text.split('HTTP/1.1 200').length - 1));
    socket.setTimeout(PATIENCE, () => socket.destroy());
    socket.write(requests);
  });
}

describe('T15 requests that are sent ahead of their replies', () => {
  it('are answered, all of them, where a client sends some', async () => {
    const { port } = await serve();
    const last = REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(await repliesTo(port, REQUEST.repeat(150) + last)).toBe(151);
  });

  it('end the connection where there are very many, before they are looked at', async () => {
    const { port, begun } = await serve();
    await repliesTo(port, REQUEST.repeat(FAR_AHEAD));
    expect(begun()).toBeLessThan(FAR_AHEAD / 10);
  });
});

describe('bytes that are no HTTP', () => {
  const POST = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n';

  it.each([
    ['behind requests', REQUEST + REQUEST, 2],
    ['behind the last request of a connection', `${POST}Connection: close\r\n\r\n{}`, 1],
  ])('end the connection, %s that came whole once these are answered', async (_, requests, replies) => {
    const { port } = await serve();
    expect(await repliesTo(port, `${requests}\0\0`)).toBe(replies);
  });

  it('end the connection at once where no request came whole', async () => {
    const { port } = await serve();
    expect(await repliesTo(port, `${POST}Content-Length: 3\r\n\r\n{}`)).toBe(0);
    expect(await repliesTo(port, 'no request\r\n\r\n')).toBe(0);
  });
});
