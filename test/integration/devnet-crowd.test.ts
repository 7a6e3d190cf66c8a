import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../src/base/index.ts';
import { type Nightjar, startNightjar } from '../support/nightjar.ts';
import { endRudeClients, RUDE } from '../support/rude-clients.ts';

/** Clients that ask and read, among others that do neither as they should, while the node mines. */
const ADDRESS = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';
const CLIENTS = 50;
/** With `LONG=1` they ask on until there is a block. */
const IS_LONG = process.env.LONG === '1';
const ASKED_EACH = 6;
const RUDE_EACH = 10;
const MEGABYTE = 2 ** 20;

const QUESTIONS = [
  ['get_info', {}],
  ['get_block_header_by_height', { height: 7 }],
  ['get_block', { height: 101 }],
  ['get_fee_estimate', {}],
  ['get_block_headers_range', { start_height: 1, end_height: 40 }],
  ['get_output_distribution', { amounts: [0], binary: false }],
] as const;

function ask(agent: Agent, port: number, method: string, params: object): Promise<{ readonly status: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, path: '/json_rpc', method: 'POST' }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        try {
          resolve((parseJson(Buffer.concat(parts).toString()) as { result: { status: string } }).result);
        } catch (error) {
          reject(error);
        }
      });
      answer.on('close', () => reject(new Error(`${method}: an answer that was cut off`)));
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
    node = startNightjar(['devnet', '--port', '0', '--hash-rate', '20', '--fixed-difficulty', '10', '--start-mining', ADDRESS]);
    const [, found] = await node.line(/http:\/\/127\.0\.0\.1:(\d+)$/);
    port = Number(found);
  });
  afterAll(async () => {
    endRudeClients();
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
    do expect(await crowd(port)).toEqual(Array.from({ length: CLIENTS * ASKED_EACH }, () => 'OK'));
    while (IS_LONG && (await height(agent)) <= began);
    expect(memoryOf(node.child.pid!) - before).toBeLessThan(250 * MEGABYTE);
    agent.destroy();
  });
});
