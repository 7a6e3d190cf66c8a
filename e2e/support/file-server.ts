import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonInput } from '../../src/base/index.ts';
import { type Answer, jsonAnswer } from '../../src/cli/http/answer.ts';
import { builtPage, PageFiles } from '../../src/cli/http/files.ts';
import { SECURITY_HEADERS } from '../../src/cli/http/headers.ts';
import type { Served } from './serve.ts';

/** Folder on the server: a page may be served from any. */
const FOLDER = '/wallet';
const ABSENT: Answer = { status: 404, headers: {}, body: Buffer.from('not found') };

/** The built page from a server of files, which has no gateway. */
export interface FileServer extends Served {
  /** Paths of everything but files that was asked for. */
  readonly asked: readonly string[];
}

/**
 * @param config content of `nightjar.json`; undefined: there is no such file
 * @param always headers of every answer
 */
export async function serveFiles(config: JsonInput | undefined, always = SECURITY_HEADERS): Promise<FileServer> {
  const files = new PageFiles(builtPage());
  const asked: string[] = [];
  const otherAnswer = (path: string): Answer => {
    asked.push(path);
    return path === `${FOLDER}/nightjar.json` && config !== undefined ? jsonAnswer(config) : ABSENT;
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://local');
    const path = pathname.startsWith(`${FOLDER}/`) ? pathname.slice(FOLDER.length) : '';
    const { status, headers, body } = files.answer(path, '', undefined) ?? otherAnswer(pathname);
    response.writeHead(status, { ...always, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${FOLDER}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
