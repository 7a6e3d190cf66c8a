import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { feed } from '../support/beside-monerod.ts';
import type { ReferenceRelease } from '../support/child.ts';
import { type Comparison, compare, DIFFERENCES, type Difference, knownOf } from '../support/daemon-comparison.ts';
import { questionsFor } from '../support/daemon-requests.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';

/**
 * Every call, in good and bad forms, asked of the devnet and of monerod over one history of blocks and transactions, with an open and a
 * restricted service: they answer alike, but for what docs/devnet.md lists.
 */
const BLOCKS = 100;
const LEAST_REQUESTS = 1_400;

const seen = new Set<Difference>();
const documented = readFileSync(new URL('../../docs/devnet.md', import.meta.url), 'utf8');

describe.each<ReferenceRelease>(['0.18.5.3', '0.18.0.0'])('beside monerod %s', (release) => {
  let devnet: ServedDevnet;
  let monerod: Monerod;

  beforeAll(async () => {
    const history = { blocks: BLOCKS, transactions: 6 };
    [devnet, monerod] = await Promise.all([
      serveDevnet({ history, restrictedPort: 0 }),
      startMonerod({ release, restricted: true }),
    ]);
    await feed(monerod, devnet.node);
  });

  afterAll(async () => {
    await Promise.all([devnet?.stop(), monerod?.stop()]);
  });

  it('every call is answered alike', async () => {
    const urls = { ours: devnet.url, theirs: monerod.url };
    const { asked, unlike, known }: Comparison = await compare(urls, release, questionsFor(knownOf(devnet)));
    expect(unlike).toEqual([]);
    expect(asked).toBeGreaterThan(LEAST_REQUESTS);
    for (const difference of known) seen.add(difference);
  });

  it('a restricted service answers alike, and refuses the same calls', async () => {
    const urls = { ours: devnet.restrictedUrl!, theirs: monerod.restrictedUrl! };
    const { unlike, known } = await compare(urls, release, questionsFor(knownOf(devnet)));
    expect(unlike).toEqual([]);
    for (const difference of known) seen.add(difference);
  });
});

it('what is answered otherwise stands in the table of differences, and nothing else', () => {
  for (const { why } of DIFFERENCES) expect(documented).toContain(`| ${why} |`);
  expect(DIFFERENCES.filter((difference) => !seen.has(difference))).toEqual([]);
});
