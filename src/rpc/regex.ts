import { RpcError } from './errors.ts';

/** Longest pattern and number of groups: what a person writes for a handful of tags. */
const MAX_PATTERN = 256;

/**
 * Whether a whole text matches a pattern. A repetition inside a repeated group is refused: such patterns can take forever.
 * @throws RpcError `unknown`
 */
export function regexMatcher(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN || /[*+}]\)+[*+{?]|\\[1-9]/.test(pattern))
    throw new RpcError('unknown', 'expected a simple regular expression');
  let regex: RegExp;
  try {
    regex = new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    throw new RpcError('unknown', 'expected a regular expression');
  }
  return (text) => regex.test(text);
}
