/** Why a node cannot be asked by a page. */
export type Unreachable =
  /** It answers, but does not let this page read its answers. */
  | 'closed'
  /** Nothing answers there; over https it may be its certificate, which a browser tells a page nothing of. */
  | 'gone';

/** Milliseconds that an answer may take. */
const PATIENCE = 10_000;

/** Finds out why a node could not be asked: its answer is not read, only whether there is one. It learns what the try before told it. */
export async function whyUnreachable(url: string): Promise<Unreachable> {
  const alone = { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' } as const;
  return fetch(`${url}/get_height`, { ...alone, signal: AbortSignal.timeout(PATIENCE) }).then(
    () => 'closed',
    () => 'gone',
  );
}
