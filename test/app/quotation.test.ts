import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

// Each language has quotation marks of its own: the program takes them from its texts, and the texts have no others around what they are given.

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');
const MARKS = /[“”„«»「」]/g;
/** A mark, and what is given behind it. */
const AROUND = /[“„«「](?=\s?\{)/g;

it.each(readdirSync(`${root}messages`).filter((file) => file.length === 'en.json'.length))(
  '%s has the marks that its language has',
  (file) => {
    const text = read(`messages/${file}`);
    const [own = ''] = /(?<="quoted": ").*(?=")/.exec(text) ?? [];
    expect(own).toContain('{text}');
    expect(own.match(MARKS)).toHaveLength(2);
    for (const mark of text.match(AROUND) ?? []) expect(own).toContain(mark);
  },
);

it('no part of the page puts what it is given between marks of one language', () => {
  const parts = readdirSync(`${root}src/app`, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(ts|svelte)$/.test(path),
  );
  expect(parts.length).toBeGreaterThan(100);
  expect(parts.filter((path) => /[“„«「]\$?\{/.test(read(`src/app/${path}`)))).toEqual([]);
});
