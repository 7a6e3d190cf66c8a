import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Untrusted } from '../../src/daemon/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const sources = ['src', 'workers']
  .flatMap((room) => readdirSync(`${root}/${room}`, { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`))
  .filter((path) => /\.(ts|svelte)$/.test(path) && path !== 'src/daemon/untrusted.ts')
  .map((path) => ({ path, text: read(path) }));

/** Everything in the sources that a pattern finds, with the file it is in. */
const found = (pattern: RegExp): string[] =>
  sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([all, first]) => `${path} ${first ?? all}`)).sort();

describe('an untrusted answer', () => {
  it('shows its value to a check, or to whoever says why there is none', async () => {
    const answer = new Untrusted({ height: 5 });
    expect(Object.keys(answer)).toEqual([]);
    expect(answer.check(({ height }) => height + 1)).toBe(6);
    expect(answer.acceptUnverified('claimed-tip')).toEqual({ height: 5 });
    expect((await answer.derive(async ({ height }) => height * 2)).check((height) => height)).toBe(10);
  });

  it('is accepted unverified where docs/threats.md says so, for the reason it gives, and nowhere else', () => {
    const rows = read('docs/threats.md').matchAll(/^\| `((?:src|workers)\/[^`]+)` \| ([a-z-]+) \| [^|]+ \|$/gm);
    const told = [...rows].map(([, path, reason]) => `${path} ${reason}`).sort();
    expect(found(/\.acceptUnverified\('([a-z-]+)'\)/g)).toEqual(told);
    expect(found(/acceptUnverified/g)).toHaveLength(told.length);
  });

  it('has a use for every reason', () => {
    const reasons = [...read('src/daemon/untrusted.ts').matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, reason]) => reason);
    const used = new Set(found(/\.acceptUnverified\('([a-z-]+)'\)/g).map((use) => use.split(' ')[1]));
    expect(reasons.sort()).toEqual([...used].sort());
  });

  it('meets no check that lets everything through, or only takes a field out', () => {
    expect(found(/\.check\(\s*\((?:\w+|\{[^}]*\})\)\s*=>\s*(?:\w+(?:\.\w+)*|\(\{[^}]*\}\))\s*\)/g)).toEqual([]);
  });
});
