import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CliError } from '../errors.ts';
import type { Answer } from './answer.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** A name that changes with its content, as the build names assets. */
const HASHED = /^\/assets\/.*-[\w-]{8,}\.\w+$/;
const COMPRESSIBLE = /^(text\/|application\/(json|wasm|manifest)|image\/svg)/;

interface Encoded {
  readonly coding: 'br' | 'gzip';
  readonly body: Buffer;
}

interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly cache: string;
  readonly plain: Buffer;
  /** Compressed forms, the smallest first. */
  readonly encoded: readonly Encoded[];
}

/** Folder of the built page's files: next to the bundle when built, dist/ when run from source. */
export function builtPage(): string {
  const folders = ['../../app', '../../../dist/app'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, 'index.html'))) ?? folders[1]!;
}

/** The built page: all its files, read once. Nothing else is served, so no path leads out of the folder. */
export class PageFiles {
  readonly #files = new Map<string, PageFile>();

  /** @throws CliError when the page has not been built */
  constructor(folder: string) {
    if (!existsSync(join(folder, 'index.html'))) {
      throw new CliError(`the page is not built (no index.html in ${folder}): run "npm start", or "npm run build" first`);
    }
    for (const path of filesUnder(folder)) {
      if (/\.(br|gz|map)$/.test(path)) continue;
      this.#files.set(`/${relative(folder, path).split(sep).join('/')}`, readPageFile(path, relative(folder, path)));
    }
  }

  /** Their paths from the page's folder, each after a slash. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** @returns undefined if there is no such file */
  answer(path: string, acceptEncoding: string, ifNoneMatch: string | undefined): Answer | undefined {
    const file = this.#files.get(path === '/' ? '/index.html' : path);
    if (file === undefined) return undefined;
    const { type, etag, cache, plain, encoded } = file;
    const headers: Record<string, string> = { 'Content-Type': type, 'Cache-Control': cache, ETag: etag, Vary: 'Accept-Encoding' };
    if (ifNoneMatch === etag) return { status: 304, headers, body: Buffer.alloc(0) };
    const form = encoded.find(({ coding }) => accepts(acceptEncoding, coding));
    if (form === undefined) return { status: 200, headers, body: plain };
    return { status: 200, headers: { ...headers, 'Content-Encoding': form.coding }, body: form.body };
  }
}

/** RFC 9110, 12.5.3; a weight of zero refuses. */
function accepts(acceptEncoding: string, coding: string): boolean {
  const [, weight = '1'] = new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?:,|$)`).exec(acceptEncoding) ?? [
    undefined,
    '0',
  ];
  return Number(weight) > 0;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

/**
 * A page that checks for a new version bypasses the browser's cache; one on an offline device does not, so that nothing is requested for a
 * day, the longest that browsers allow.
 */
function cacheOf(path: string): string {
  if (path === '/service-worker.js') return 'private, max-age=86400';
  return HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function readPageFile(path: string, name: string): PageFile {
  const plain = readFileSync(path);
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return {
    type,
    etag: `"${hash}"`,
    cache: cacheOf(`/${name.split(sep).join('/')}`),
    plain,
    encoded: COMPRESSIBLE.test(type) ? encodedForms(path, plain) : [],
  };
}

/** The build's compressed files, if there are any. */
function encodedForms(path: string, plain: Buffer): Encoded[] {
  const gzip = existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : gzipSync(plain, { level: 6 });
  const forms: Encoded[] = [{ coding: 'gzip', body: gzip }];
  if (existsSync(`${path}.br`)) forms.unshift({ coding: 'br', body: readFileSync(`${path}.br`) });
  return forms.filter(({ body }) => body.length < plain.length);
}
