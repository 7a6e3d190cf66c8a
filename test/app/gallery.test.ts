import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PAGE = join(import.meta.dirname, '../../src/app');
const read = (path: string): string => readFileSync(join(PAGE, path), 'utf8');
const under = (folder: string, end: string): string[] =>
  readdirSync(join(PAGE, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));

const samples = under('gallery/samples', '.ts').map((name) => read(join('gallery/samples', name)));
/** Component by path → what its samples are made of, as text. */
const entries = new Map(
  samples.flatMap((source) =>
    [...source.matchAll(/^ {2}'?([\w/]+)'?: entry\((\w+)\)\(\{([\s\S]*?)\}\),$/gm)].map(
      ([, path, , states]) => [path ?? '', states ?? ''] as const,
    ),
  ),
);

describe('the gallery', () => {
  it('shows every component, in a state at least, and none that is gone', () => {
    const components = under('components', '.svelte').map((name) => name.replace('.svelte', ''));
    expect([...entries.keys()].sort()).toEqual(components.sort());
    expect([...entries].filter(([, states]) => states.trim() === '').map(([path]) => path)).toEqual([]);
  });

  it('draws every component on a picture', () => {
    const server = readFileSync(join(import.meta.dirname, '../../scripts/gallery-server.ts'), 'utf8');
    const drawn = [...server.matchAll(/'([\w/,]+)',$/gm)].flatMap(([, parts]) => (parts ?? '').split(','));
    const missing = [...entries.keys()].filter(
      (path) => !drawn.some((part) => part === path || (part.endsWith('/') && path.startsWith(part))),
    );
    expect(missing).toEqual([]);
  });
});
