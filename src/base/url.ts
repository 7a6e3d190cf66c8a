/**
 * The URL that a text is, absolute or against a base; undefined when it is none. Tried, not asked for: Node 20's `URL.canParse`,
 * once compiled, takes some texts beyond ASCII for others.
 */
export function readUrl(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
