import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newestChanges } from '../../scripts/changes.ts';

describe('what is new in a version', () => {
  it('is the newest section of the changelog, a sentence a point, without its marks', () => {
    const text =
      '# What\n\nIntro.\n\n## Newer\n\n### New\n\n- One `code` and\n  [a link](docs/x.md).\n- Two\n\n### Mended\n\n- *Three*\n\n## Older\n\n- Four\n';
    expect(newestChanges(text)).toEqual(['One code and a link.', 'Two', 'Three']);
    expect(newestChanges('# Nothing yet\n')).toEqual([]);
  });

  it('is there for this version', () => {
    const changes = newestChanges(readFileSync('CHANGELOG.md', 'utf8'));
    expect(changes.length).toBeGreaterThan(5);
    expect(changes.filter((change) => change === '' || /`|\]\(/.test(change))).toEqual([]);
  });
});
