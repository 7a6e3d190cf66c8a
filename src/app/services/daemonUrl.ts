/** Why a browser may keep this page from a daemon, as far as the addresses alone can tell. */
export type DaemonObstacle =
  /** Not an http or https address. */
  | 'bad-url'
  /** A secure page may not talk to a plain-http daemon elsewhere. */
  | 'mixed-content'
  /** The browser asks the person before a page reaches into the local network. */
  | 'local-network';

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd]|\[fe80:)|\.local$/;

export function daemonObstacle(
  text: string,
  page: { readonly protocol: string; readonly hostname: string },
): DaemonObstacle | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return 'bad-url';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'bad-url';
  const local = LOOPBACK.test(url.hostname);
  if (page.protocol === 'https:' && url.protocol === 'http:' && !local) return 'mixed-content';
  const pageIsLocal = LOOPBACK.test(page.hostname) || PRIVATE.test(page.hostname);
  if ((local || PRIVATE.test(url.hostname)) && !pageIsLocal) return 'local-network';
  return undefined;
}
