import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNightjar } from '../support/nightjar.ts';

// The programs of docs/api.md, as a reader would run them.

const DAEMON = 'http://127.0.0.1:18081';
const text = readFileSync('docs/api.md', 'utf8');
const examples = [...text.matchAll(/^```ts\n(import [\s\S]*?)^```$/gm)].map(([, code]) => code!);
const doors = { "'nightjar/node'": 'src/node.ts', "'nightjar'": 'src/index.ts' };

let folder: string;
let daemon: Awaited<ReturnType<typeof startDevnet>>;

/** A devnet in a process of its own: an example is waited for, and nothing else runs here meanwhile. */
async function startDevnet() {
  const program = startNightjar(['devnet', '--port', '0', '--block-time', '1']);
  const [, url] = await program.line(/: (http:\/\/127\.0\.0\.1:\d+)$/);
  return { url: url!, stop: () => program.kill() };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-examples-'));
  daemon = await startDevnet();
});
afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(code: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  let program = code.replaceAll(DAEMON, daemon.url);
  for (const [name, file] of Object.entries(doors)) program = program.replaceAll(name, `'${pathToFileURL(file).href}'`);
  const file = join(folder, 'example.mts');
  writeFileSync(file, program);
  const node = ['--import', pathToFileURL('node_modules/tsx/dist/esm/index.mjs').href];
  return spawnSync(process.execPath, [...node, file], { cwd: folder, encoding: 'utf8' });
}

/** The example in which a text stands. */
function example(holding: string): string {
  const found = examples.filter((code) => code.includes(holding));
  expect(found, holding).toHaveLength(1);
  return found[0]!;
}

describe('an example of docs/api.md', () => {
  it.each([
    ['makes a wallet, shows its words, address and balance', 'balance.unlocked', /^(\w+ ){24}\w+\n4\w{94} 0\.0{12}\n$/],
    ['opens a wallet of a folder, and says why it cannot pay', 'SpendError', /^not-enough-money\n$/],
    ['restores a wallet from its words and from a backup', 'restoreWallet', /^4\w{94}\n$/],
    ['looks on a paper wallet for money to take', 'openPaperWallet', /^0\.0{12}\n$/],
    ['asks for a payment, and reads what is asked', 'makeUri', /^true 0\.250000000000 two coffees\n$/],
    ['asks a daemon for its last block', 'DaemonService.connect({ url: ', /^true\n$/],
    ['makes a group of two, which pays', 'multisig.make', /^true\n1 1\n$/],
    ['signs a message, and checks the signature', 'verifyMessage', /^true\nfalse\n$/],
  ])('%s', (_, holding, output) => {
    const { status, stdout, stderr } = run(example(holding));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(output);
  });

  it('is one of these: a new one wants a test', () => {
    expect(examples).toHaveLength(8);
  });
});
