import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Writes `changes.json` from CHANGELOG.md: the new version's changes, for the page of the version before it. */

const CHANGELOG = resolve(import.meta.dirname, '..', 'CHANGELOG.md');
/** At most as many as a person reads before accepting. */
const MOST = 30;

/** The items of the newest section of a changelog, as plain sentences. */
export function newestChanges(markdown: string): readonly string[] {
  const newest = markdown.split(/^## /m)[1] ?? '';
  const points = newest.split(/^- /m).slice(1);
  return points.slice(0, MOST).map((point) =>
    (point.split(/\n(?=#|\n)/)[0] ?? '')
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .replace(/[`*]/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** @param version of the build */
export function changes(version: string): Plugin {
  const changes = (): string => JSON.stringify({ version, changes: newestChanges(readFileSync(CHANGELOG, 'utf8')) });
  return {
    name: 'nightjar-changes',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'changes.json', source: changes() });
    },
  };
}
