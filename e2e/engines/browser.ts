/** A browser of another engine, as far as a journey needs it. Elements are named by XPath, and waited for. */
export interface Browser {
  /** Name and version, as the browser tells them. */
  readonly version: string;
  open(url: string): Promise<void>;
  click(xpath: string): Promise<void>;
  /** Empties a field and types into it. */
  fill(xpath: string, text: string): Promise<void>;
  /** Text of the first element that matches, also of one that only a screen reader shows. */
  text(xpath: string): Promise<string>;
  attribute(xpath: string, name: string): Promise<string>;
  /** What an expression, or a promise of one, comes to in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** The screen as a PNG. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Starts a browser with an empty profile, 390 pixels wide and 844 high. */
export type Launch = () => Promise<Browser>;

/** Milliseconds until an element that does not come is given up. */
export const PATIENCE = 60_000;

export const VIEWPORT = { width: 390, height: 844 } as const;
