/** The bench's own calls to its daemon (`gate.ts`), which control when a sync begins. */
export interface GateClient {
  /** From now on a request for blocks is held. */
  hold(): Promise<void>;
  /** Resolves when one is held. */
  asked(): Promise<void>;
  /** Releases it. */
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
