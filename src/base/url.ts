/**
 * The URL that a text is, absolute or against a base; undefined if it is none. Uses the constructor: Node 20's `URL.canParse`, once
 * compiled, misreads some texts beyond ASCII.
 */
export function readUrl(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
