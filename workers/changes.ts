import { asArray, asObject, asText, parseJsonBytes, readAtMost } from '../src/base/index.ts';

/** Bytes of the list of what is new: some tens of thousands. */
const MOST_BYTES = 1_000_000;

/** Changes of a version by the page's server; empty where it describes another version or is unreadable. Runs in the page. */
export async function changesOf(version: string): Promise<readonly string[]> {
  try {
    const answer = await fetch('./changes.json', { cache: 'no-store' });
    const reply = asObject(parseJsonBytes(await readAtMost(answer, MOST_BYTES)));
    return asText(reply.version) === version ? asArray(reply.changes).map((change) => asText(change)) : [];
  } catch {
    return [];
  }
}
