import { messageOf } from '../../base/index.ts';
import type { PageFiles } from './files.ts';
import { SECURITY_HEADERS } from './headers.ts';

/** How the page that a site serves differs from a built one. */
export interface PageComparison {
  /** Number of files compared. */
  readonly files: number;
  /** One line for each file that is not the built one, beginning with its path. */
  readonly differences: readonly string[];
  /** One line for each header of the document or of a worker that is not the built page's. */
  readonly headers: readonly string[];
}

const TIMEOUT_MS = 30_000;
/** Requests at a time. */
const AT_ONCE = 6;
/** Types without which a browser does not run or show a file that is sent with `nosniff`. */
const TYPES: Readonly<Record<string, RegExp>> = {
  html: /^text\/html\b/i,
  css: /^text\/css\b/i,
  js: /^(text|application)\/javascript\b/i,
};
/** They have a policy of their own: that of their script's answer. */
const WORKER = /worker[^/]*\.js$/;

/**
 * Fetches every file of the built page from a site, past caches and without following redirects: what the site says in place of a file is not
 * that file.
 * @param site address of the page's folder, ending in a slash
 */
export async function comparePage(built: PageFiles, site: URL): Promise<PageComparison> {
  const differences: string[] = [];
  const headers: string[] = [];
  const paths = ['/', ...built.paths];
  const waiting = [...paths];
  const compareNext = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const expected = built.answer(path, '', undefined)!.body;
      const answer = await ask(new URL(`.${path}`, site), expected.length);
      const fault = typeof answer === 'string' ? answer : faultIn(answer, path, expected);
      if (fault !== undefined) differences.push(`${path}  ${fault}`);
      else if (typeof answer !== 'string' && (path === '/' || WORKER.test(path)))
        headers.push(...headerFaults(answer.headers, path === '/').map((line) => `${path}  ${line}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compareNext));
  return { files: paths.length, differences: differences.sort(), headers: headers.sort() };
}

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  /** At most one byte more than was expected. */
  readonly body: Uint8Array;
}

/** @returns why there is no answer, as a text */
async function ask(url: URL, expected: number): Promise<Fetched | string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { redirect: 'manual', headers: { 'Cache-Control': 'no-cache' }, signal });
    return { status: response.status, headers: response.headers, body: await readUpTo(response, expected + 1) };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return `no answer: ${messageOf(cause ?? error)}`;
  }
}

async function readUpTo({ body }: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

function faultIn({ status, headers, body }: Fetched, path: string, expected: Uint8Array): string | undefined {
  if (status !== 200) return status >= 300 && status < 400 ? `redirected (status ${status})` : `status ${status}`;
  if (body.length > expected.length) return `longer than the ${expected.length} bytes of this build`;
  if (body.length < expected.length) return `${body.length} bytes instead of ${expected.length}`;
  if (Buffer.compare(body, expected) !== 0) return 'other content of the same length';
  const type = headers.get('Content-Type') ?? '';
  const wanted = TYPES[path === '/' ? 'html' : (path.split('.').at(-1) ?? '')];
  return wanted === undefined || wanted.test(type) ? undefined : `sent as "${type}", which browsers refuse`;
}

/** A worker needs the policy alone. */
function headerFaults(headers: Headers, isDocument: boolean): string[] {
  return Object.entries(SECURITY_HEADERS).flatMap(([name, wanted]) => {
    if (!isDocument && name !== 'Content-Security-Policy') return [];
    const found = headers.get(name);
    if (found === null) return [`${name} is missing`];
    return inOrder(found) === inOrder(wanted) ? [] : [`${name} is other than this build's`];
  });
}

/** A header's parts, whose order and spaces mean nothing. */
const inOrder = (value: string): string =>
  value
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .sort()
    .join(';');
