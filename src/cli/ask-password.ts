import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks for a password: on a terminal without echo, otherwise the first line of standard input. */
export async function askPassword(question: string): Promise<string> {
  const { stdin, stderr } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (stdin.isTTY) stderr.write(`${question}: `);
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY === true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => reject(new Error('stopped')));
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
