import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { send } from '../../src/cli/http/answer.ts';
import { comparePage, type PageComparison } from '../../src/cli/http/compare-page.ts';
import { PageFiles } from '../../src/cli/http/files.ts';

// A page of few files, served over HTTP as its owner or somebody else would.

const FILES = {
  'index.html': '<!doctype html><title>Wallet</title>',
  'assets/first-12345678.js': 'export const first = 1;',
  'assets/wallet.worker-12345678.js': 'postMessage(1);',
  'assets/kernel-12345678.wasm': '\0asm',
};
type Serve = (path: string, request: IncomingMessage, response: ServerResponse) => boolean;
let folder: string;
let files: PageFiles;
let server: Server;
/** Answers in place of the page's owner, or returns false. */
let instead: Serve;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-page-'));
  mkdirSync(join(folder, 'assets'));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
  files = new PageFiles(folder);
  server = createServer((request, response) => {
    const path = request.url?.slice('/app'.length) ?? '';
    if (instead(path, request, response)) return;
    const answer = files.answer(path, String(request.headers['accept-encoding']), undefined);
    send(request, response, answer ?? { status: 404, headers: {}, body: Buffer.alloc(0) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
  instead = () => false;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const compared = (): Promise<PageComparison> =>
  comparePage(files, new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/app/`));

/** One file's answer, with all headers of the page but those named. */
const at =
  (wanted: string, body: string, { status = 200, type = 'text/javascript', without = '', headers = {} } = {}): Serve =>
  (path, request, response) => {
    if (path !== wanted) return false;
    if (without !== '') {
      const { writeHead } = response;
      response.writeHead = ((code: number, all: Record<string, string>) => {
        const { [without]: _, ...kept } = all;
        return writeHead.call(response, code, kept);
      }) as typeof response.writeHead;
    }
    send(request, response, { status, headers: { 'Content-Type': type, ...headers }, body: Buffer.from(body) });
    return true;
  };

it('T13 finds nothing where the build is served, compressed or not', async () => {
  expect(await compared()).toEqual({ files: 5, differences: [], headers: [] });
});

it('T13 finds each file that is another one, is missing, is elsewhere, or would not be run', async () => {
  const script = '/assets/first-12345678.js';
  const own = FILES['assets/first-12345678.js'];
  for (const [serve, fault] of [
    [at(script, own.replace('1', '2')), 'other content of the same length'],
    [at(script, `${own}\n`), `longer than the ${own.length} bytes of this build`],
    [at(script, own.slice(1)), `${own.length - 1} bytes instead of ${own.length}`],
    [at(script, own, { status: 404 }), 'status 404'],
    [at(script, '', { status: 302, headers: { Location: '/elsewhere.js' } }), 'redirected (status 302)'],
    [at(script, own, { type: 'text/plain' }), 'sent as "text/plain", which browsers refuse'],
  ] as const) {
    instead = serve;
    expect(await compared()).toEqual({ files: 5, differences: [`${script}  ${fault}`], headers: [] });
  }
  instead = at('/', FILES['index.html'].replace('Wallet', 'Hacked'), { type: 'text/html' });
  expect((await compared()).differences, 'the document has two addresses').toEqual(['/  other content of the same length']);
});

it('T13 stops reading a file that has no end', async () => {
  instead = (path, _, response) => {
    if (path !== '/assets/kernel-12345678.wasm') return false;
    const more = (): void => void (response.write('x'.repeat(4096)) ? setImmediate(more) : response.once('drain', more));
    more();
    return true;
  };
  expect((await compared()).differences).toEqual(['/assets/kernel-12345678.wasm  longer than the 4 bytes of this build']);
});

it('T12 finds headers that the document lacks, and a worker’s policy', async () => {
  const policy = 'Content-Security-Policy';
  instead = at('/', FILES['index.html'], { type: 'text/html', without: 'Cross-Origin-Opener-Policy' });
  expect((await compared()).headers).toEqual(['/  Cross-Origin-Opener-Policy is missing']);
  instead = at('/', FILES['index.html'], { type: 'text/html', headers: { [policy]: "default-src 'self'" } });
  expect((await compared()).headers).toEqual([`/  ${policy} is other than this build's`]);
  const worker = '/assets/wallet.worker-12345678.js';
  instead = at(worker, FILES['assets/wallet.worker-12345678.js'], { without: policy });
  expect((await compared()).headers).toEqual([`${worker}  ${policy} is missing`]);
});
