// Writes compressed versions, `.br` and `.gz`, beside each file of the built page that compresses well, as small as possible, for the server to send.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.wasm', '.webmanifest']);
const forms = [
  ['.br', promisify(brotliCompress), {}],
  ['.gz', promisify(gzip), { level: 9 }],
];

/** @param {string} folder the built page */
export async function compressPage(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => COMPRESSED.has(extname(file)));
  await Promise.all(files.map((file) => compress(join(folder, file))));
}

async function compress(path) {
  const plain = readFileSync(path);
  for (const [suffix, form, options] of forms) {
    const less = await form(plain, options);
    if (less.length < plain.length) writeFileSync(path + suffix, less);
  }
}
