import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { JsonInput } from '../../src/base/index.ts';
import { errorAnswer, GatewayError, jsonAnswer, send } from '../../src/cli/http/answer.ts';
import { PageFiles } from '../../src/cli/http/files.ts';
import type { Served } from './serve.ts';

/** Folder on the server: a page may be served from any. */
const FOLDER = '/wallet';

/** The built page from a server of files, without a gateway. */
export interface FileServer extends Served {
  /** Paths of everything but files that was asked for. */
  readonly asked: readonly string[];
}

/** @param config content of `nightjar.json`; undefined: there is no such file */
export async function serveFiles(config: JsonInput | undefined): Promise<FileServer> {
  const files = new PageFiles(fileURLToPath(new URL('../../dist/app', import.meta.url)));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://local');
    const path = pathname.startsWith(`${FOLDER}/`) ? pathname.slice(FOLDER.length) : undefined;
    const file = path === undefined ? undefined : files.answer(path, '', undefined);
    if (file !== undefined) return send(request, response, file);
    asked.push(pathname);
    if (path === '/nightjar.json' && config !== undefined) return send(request, response, jsonAnswer(config));
    send(request, response, errorAnswer(new GatewayError('not-found', 'there is no such file')));
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
