/** The bench's own calls of its daemon (`gate.ts`): when a sync begins. */
export interface GateClient {
  /** From now on a request for blocks waits. */
  hold(): Promise<void>;
  /** Resolves when one waits. */
  asked(): Promise<void>;
  /** Lets it through. */
  go(): Promise<void>;
  /** Resolves when a wallet is at the tip. */
  tip(): Promise<void>;
}

export function gateAt(url: string): GateClient {
  const tell = async (what: string): Promise<void> => {
    await fetch(`${url}/bench/${what}`);
  };
  return { hold: () => tell('hold'), asked: () => tell('asked'), go: () => tell('go'), tip: () => tell('tip') };
}
