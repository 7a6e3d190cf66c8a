import { RpcError } from './errors.ts';

/** Longest pattern: enough for a handful of tags. */
const MAX_PATTERN = 256;
/** Most steps of matching a request's texts, each some tens of nanoseconds: an instruction of the pattern at a letter. */
const MAX_STEPS = 5_000_000;

/**
 * Whether a whole text matches a pattern, in time linear in the text's length (RE2's syntax: no back-references, no lookaround). The
 * package is loaded with the first pattern.
 * @returns a function that throws RpcError `unknown` when its texts are too long together
 * @throws RpcError `unknown`
 */
export async function regexMatcher(pattern: string): Promise<(text: string) => boolean> {
  if (pattern.length > MAX_PATTERN)
    throw new RpcError('unknown', `expected a regular expression of at most ${MAX_PATTERN} characters`);
  const { RE2JS } = await import('re2js');
  const regex = compiled(() => RE2JS.compile(pattern));
  const instructions = regex.programSize();
  let steps = 0;
  return (text) => {
    steps += instructions * (text.length + 1);
    if (steps > MAX_STEPS) throw new RpcError('unknown', 'expected a regular expression that takes fewer steps on these tags');
    return regex.matches(text);
  };
}

function compiled<T>(compile: () => T): T {
  try {
    return compile();
  } catch {
    throw new RpcError('unknown', 'expected a regular expression');
  }
}
