import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median, type Row, row } from './rows.ts';

/**
 * How long one client waits for `get_height` while another is sent all outputs of a large wallet: the longest wait between the request for the long
 * reply and its last byte. The other figure is the time of that reply: how long a single thread that sent it in one go would make others wait.
 */

const OUTPUTS = 100_000;
const WARM_UP = 5;
const ROUNDS = 9;

interface Waits {
  /** Milliseconds. */
  readonly longest: number;
  readonly reply: number;
}

/** Sends a request, and reads the reply to its end without keeping it. */
async function ask(port: number, agent: Agent, method: string, params: string): Promise<void> {
  const body = `{"jsonrpc":"2.0","id":"0","method":"${method}","params":${params}}`;
  const headers = { 'Content-Length': body.length };
  const sent = request({ host: '127.0.0.1', port, path: '/json_rpc', method: 'POST', agent, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
}

async function round(port: number, long: Agent, short: Agent): Promise<Waits> {
  const began = performance.now();
  let reply = Number.NaN;
  let longest = 0;
  const answered = ask(port, long, 'incoming_transfers', '{"transfer_type":"all"}').then(() => {
    reply = performance.now() - began;
  });
  do {
    const startedAt = performance.now();
    await ask(port, short, 'get_height', '{}');
    longest = Math.max(longest, performance.now() - startedAt);
  } while (Number.isNaN(reply));
  await answered;
  return { longest, reply };
}

/** One row: medians over rounds with one process. */
export async function rpcWaitRows(outputs = OUTPUTS): Promise<Row[]> {
  const script = fileURLToPath(new URL('rpc-wait-node.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), script, String(outputs)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const waits: Waits[] = [];
    for (let i = 0; i < WARM_UP + ROUNDS; i++) waits.push(await round(Number(line), ...agents));
    const measured = waits.slice(WARM_UP);
    const name = `get_height while incoming_transfers of ${outputs} outputs is sent, longest wait`;
    const [longest, reply] = [median(measured.map((one) => one.longest)), median(measured.map((one) => one.reply))];
    return [row(name, 'Node', longest, reply, 'the time of the long reply', 'ms')];
  } finally {
    for (const agent of agents) agent.destroy();
    child.stdin.end();
    await once(child, 'close');
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await rpcWaitRows());
